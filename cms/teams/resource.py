"""Resource of teams."""

from collections.abc import Mapping
from typing import Any, Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.resource import BY_NAME, SluggedResource, status_badge
from cms.teams import repository
from cms.teams.forms import TeamForm
from cms.teams.models import Team
from cms.teams.presenters import members_at, related, team_context
from cms.teams.rules import GENDERS
from core.accounts.rights import may
from core.accounts.user import User
from core.content.status import STATUSES
from core.crud.listing import Column, Filter, Listing
from core.dynamo.errors import AlreadyExists
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.registry import records_at


class TeamResource(SluggedResource):
    repository = repository.teams
    form = TeamForm
    slug = "teams"
    icon = "team"
    singular = _("team")
    plural = _("Teams")
    new_title = _("New team")
    lead = _("Teams with their training times and coaches.")
    empty = _("No teams yet. Create the first one. Nobody sees it until you publish it.")
    columns = (
        Column("name", _("Name")),
        Column("status", _("Status"), kind="badge", value=status_badge),
        Column("league", _("League")),
        Column("coach_ids", _("Coaches"), to="member"),
        Column("updated_at", _("Changed"), kind="time"),
    )
    filters = (
        Filter("status", _("Status"), STATUSES),
        Filter("gender", _("Gender"), GENDERS, keep=lambda team, gender: team.gender == gender),
    )
    titles = {"old_slugs": _("Earlier addresses"), "image_ids": _("Pictures")}
    orders = BY_NAME
    public_route = "public:team"

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Team]:
        if status := listing.filters.get("status"):
            return repository.teams.with_status(status, **options)
        return repository.teams.by_name(**options)

    def detail_of(self, user: User, record: Team) -> str:
        return str(record.league or "")

    def preview(self, user: User, record: Team) -> tuple[str, dict[str, Any]]:
        records = records_at(related(record))
        contacts = members_at(record.contact_person_ids, records)
        # A draft may show e-mail addresses that are not public yet, so hide them without the right.
        hidden = {member.id for member in contacts if not may(user, "cms.member.contact", member)}
        return "cms/teams/page.html#team", team_context(record, records, without_email=hidden)

    def on_duplicate(self, fields: Mapping[str, Any], refused: AlreadyExists) -> Mapping[str, Any] | None:
        """None: a number appended to herren1 would look like another team, so the person changes the slug."""
        return None


teams = TeamResource()
