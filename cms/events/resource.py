"""Resource of events."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from cms.base.resource import BY_ME, AuthoredResource, earliest_first, newest_first
from cms.events import repository
from cms.events.forms import EventForm
from cms.events.models import Event
from cms.events.presenters import event_context, related
from core.accounts.user import User
from core.content.status import ARCHIVED, DRAFT, PUBLISHED
from core.crud.listing import Badge, Column, Filter, Link, Listing, Sort
from core.dynamo.items import Item
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.registry import records_at

UPCOMING, PAST = "upcoming", "past"
EVENT_STATES = (
    (UPCOMING, _("Upcoming")),
    (PAST, _("Past")),
    (DRAFT, _("Draft")),
    (ARCHIVED, _("Archived")),
)


def state_of(event: Event) -> str:
    if event.status != PUBLISHED:
        return str(event.status)
    return PAST if event.is_over() else UPCOMING


def state_badge(event: Event) -> Badge:
    """Upcoming and past events are both public, so their badges differ only in the text."""
    state = state_of(event)
    return Badge(PUBLISHED if state in (UPCOMING, PAST) else state, dict(EVENT_STATES).get(state, state))


class EventResource(AuthoredResource):
    repository = repository.events
    form = EventForm
    slug = "events"
    icon = "flag"
    singular = _("event")
    plural = _("Events")
    new_title = _("New event")
    lead = _("Tournaments, parties and other events of the club.")
    empty = _("No events yet. Create the first one. Nobody sees it until you publish it.")
    columns = (
        Column("title", _("Title")),
        Column("status", _("Status"), kind="badge", value=state_badge),
        Column("start_date", _("Starts"), kind="time"),
        Column("place", _("Where")),
        Column("team_ids", _("Teams"), to="team"),
        Column("author_ids", _("Authors"), to="person"),
        Column("created_at", _("Created"), kind="time"),
    )
    filters = (Filter("status", _("Status"), EVENT_STATES), BY_ME)
    titles = {"old_slugs": _("Earlier addresses"), "image_ids": _("Pictures")}
    public_route = "public:event"

    # --- Lists -----------------------------------------------------------------------------------------

    def alternate_views(self) -> Sequence[Link]:
        return (Link("to-calendar", _("Calendar"), f"{reverse('cms:calendar')}?kind=event", "calendar"),)

    def sorts(self, filters: Mapping[str, str]) -> Sequence[Sort]:
        match filters.get("status"):
            case "upcoming":
                return earliest_first("start_date")
            case "past":
                return earliest_first("start_date")[::-1]
        return newest_first("created_at")

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Event]:
        status = listing.filters.get("status", "")
        match status:
            case "":
                return repository.events.by_age(**options)
            case "upcoming":
                return repository.events.upcoming(**options)
            case "past":
                return repository.events.past(**options)
        return repository.events.with_status(status, **options)

    def keeps(self, filter_name: str) -> Callable[[Any, str], bool]:
        return lambda event, state: state_of(event) == state

    def detail_of(self, user: User, record: Event) -> str:
        return date_format(localtime(record.start_date), "SHORT_DATE_FORMAT") if record.start_date else ""

    # --- States ----------------------------------------------------------------------------------------

    def state(self, record: Event) -> Badge:
        return state_badge(record)

    def preview(self, user: User, record: Event) -> tuple[str, dict[str, Any]]:
        return "cms/events/page.html#event", event_context(record, records_at(related(record)))

    # --- Records ---------------------------------------------------------------------------------------

    def copied(self, record: Item) -> dict[str, Any]:
        """A copy without dates."""
        return super().copied(record) | {"start_date": None, "end_date": None}


events = EventResource()
