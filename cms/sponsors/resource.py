"""Resource of sponsors."""

from datetime import time, timedelta
from typing import Any

from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from cms.base.resource import NamedResource
from cms.calendar.queries import at
from cms.sponsors import repository
from cms.sponsors.forms import SponsorForm
from cms.sponsors.models import Sponsor
from core.accounts.user import User
from core.crud.listing import Badge, Column, Filter
from core.dynamo.attributes import now

# How long a new sponsor is public by default, and how long before its expiry Home has a task for it.
SHOWN_FOR = timedelta(days=365)
END_OF_DAY = time(23, 59)
NOTICE_PERIOD = timedelta(days=30)
SHOWN, ENDING, EXPIRED = "shown", "ending", "expired"
STATES = ((SHOWN, _("Shown")), (ENDING, _("Ends soon")), (EXPIRED, _("Expired")))
BADGES = {SHOWN: "published", ENDING: "waiting", EXPIRED: "archived"}


def state_of(sponsor: Sponsor) -> str:
    if not sponsor.is_shown():
        return EXPIRED
    return ENDING if sponsor.expires_before(now() + NOTICE_PERIOD) else SHOWN


def state_badge(sponsor: Sponsor) -> Badge:
    state = state_of(sponsor)
    return Badge(BADGES[state], dict(STATES)[state])


def without_scheme(address: str) -> str:
    return address.removeprefix("https://").removeprefix("http://").removesuffix("/")


class SponsorResource(NamedResource):
    repository = repository.sponsors
    form = SponsorForm
    slug = "sponsors"
    icon = "heart"
    singular = _("sponsor")
    plural = _("Sponsors")
    new_title = _("New sponsor")
    lead = _("Sponsors on the website, and until when they are shown.")
    empty = _("No sponsors yet. Add the first one. The website shows it for a year.")
    columns = (
        Column("name", _("Name")),
        Column("state", _("State"), kind="badge", value=state_badge),
        Column("website", _("Website"), value=lambda sponsor: without_scheme(sponsor.website or "")),
        Column("expiry_timestamp", _("Shown until"), kind="time"),
        Column("updated_at", _("Changed"), kind="time"),
    )
    filters = (Filter("state", _("State"), STATES, keep=lambda sponsor, state: state_of(sponsor) == state),)
    titles = {"logo_id": _("Logo")}

    def initial(self, user: User) -> dict[str, Any]:
        """Expiry at the end of a day, as in contracts."""
        return {"expiry_timestamp": at(localdate() + SHOWN_FOR, END_OF_DAY)}

    def state(self, record: Sponsor) -> Badge:
        return state_badge(record)


sponsors = SponsorResource()
