"""Read-only resources of SAMS data, to list, search and pick records; only a sync changes them."""

from collections.abc import Iterator
from typing import Any, ClassVar, Unpack

from django.utils.translation import gettext_lazy as _

from cms.sams import repository
from core.accounts.user import User
from core.common.lazy_views import LazyViews
from core.crud.forms import RecordForm
from core.crud.listing import Column, Listing, Sort
from core.crud.resource import Resource
from core.crud.screens import Screen, pick
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions

views = LazyViews("cms.sams.views")
Listed = repository.SamsClubRepository | repository.SamsTeamRepository


class SamsResource(Resource):
    app = "cms"
    repository: ClassVar[Listed]
    # Required by Resource, but never displayed.
    form = RecordForm
    icon = "chart"
    orders = (Sort("name", _("Name")),)

    def right(self, verb: str) -> str:
        return "cms.sams.view"

    def may(self, user: User, verb: str, record: Any = None) -> bool:
        return verb == "view" and super().may(user, verb, record)

    def screens(self) -> Iterator[Screen]:
        yield "", "list", "view", views.records
        yield "pick", "pick", "view", pick.pick
        yield "<str:key>/", "record", "view", views.record

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Any]:
        return self.repository.by_name(**options)


class SamsTeamResource(SamsResource):
    repository = repository.sams_teams
    slug = "sams/teams"
    singular = _("SAMS team")
    plural = _("SAMS teams")
    lead = _("Our teams as registered with the association this season.")
    empty = _("No teams yet. Sync the teams to load them.")
    columns = (
        Column("name", _("Name")),
        Column("league_name", _("League")),
        Column("season_name", _("Season")),
    )


class SamsClubResource(SamsResource):
    repository = repository.sams_clubs
    slug = "sams/clubs"
    singular = _("SAMS club")
    plural = _("SAMS clubs")
    lead = _("Clubs of the association.")
    empty = _("No clubs yet. Sync the clubs to load them.")
    columns = (
        Column("name", _("Name")),
        Column("association_name", _("Association")),
    )


sams_teams = SamsTeamResource()
sams_clubs = SamsClubResource()
