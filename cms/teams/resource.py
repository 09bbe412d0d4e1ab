"""Resource of teams."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.resource import AddressedResource
from cms.teams import repository
from cms.teams.forms import TeamForm
from cms.teams.models import Team
from cms.teams.presenters import team_context
from cms.teams.queries import team_page
from cms.teams.rules import GENDERS, prepare
from core.accounts.rights import may
from core.accounts.user import User
from core.content.status import STATUSES
from core.crud.addresses import address_of
from core.crud.listing import Badge, Column, Filter, Listing, Sort
from core.dynamo.errors import AlreadyExists
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions


def state_badge(team: Team) -> Badge:
    return Badge(team.status, dict(STATUSES).get(team.status, team.status))


class TeamResource(AddressedResource):
    app = "cms"
    repository = repository.teams
    form = TeamForm
    slug = "teams"
    icon = "team"
    singular = _("team")
    plural = _("Teams")
    lead = _("Who plays, and when and where they train.")
    empty = _("No teams yet. Create the first one; nobody sees it before you publish it.")
    columns = (
        Column("name", _("Name")),
        Column("status", _("Status"), kind="badge", value=state_badge),
        Column("league", _("League")),
        Column("coach_ids", _("Coaches"), to="member"),
        Column("updated_at", _("Changed"), kind="time"),
    )
    filters = (
        Filter("status", _("Status"), STATUSES),
        Filter("gender", _("Gender"), GENDERS, keep=lambda team, gender: team.gender == gender),
    )
    titles = {
        "old_slugs": _("Earlier addresses"),
        "image_ids": _("Pictures"),
    }

    def sorts(self, filters: Mapping[str, str]) -> Sequence[Sort]:
        return Sort("name", _("Name")), Sort("name", _("Name, from Z"), newest_first=True)

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Team]:
        status = listing.filters.get("status")
        return (
            repository.teams.with_status(status, **options) if status else repository.teams.by_name(**options)
        )

    def detail_of(self, user: User, record: Team) -> str:
        return str(record.league or "")

    def public_address(self, record: Team) -> str:
        # A record of another program may lack its slug.
        if not record.slug or not record.is_public():
            return ""
        return address_of("public:team", record.slug)

    def preview(self, user: User, record: Team) -> tuple[str, dict[str, Any]]:
        page = team_page(record)
        # A draft may show e-mail addresses that are not public yet, so hide them without the right.
        hidden = {member.id for member in page.contacts if not may(user, "cms.member.contact", member)}
        return "cms/teams/page.html#team", team_context(page, without_email=hidden)

    def prepare(self, user: User, record: Team | None, values: Mapping[str, Any]) -> dict[str, Any]:
        return prepare(user, record, values)

    def on_duplicate(self, fields: Mapping[str, Any], refused: AlreadyExists) -> Mapping[str, Any] | None:
        """None: a number appended to herren1 would look like another team, so the person changes the slug."""
        return None


teams = TeamResource()
