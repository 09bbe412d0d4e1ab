"""Repository of teams."""

from collections.abc import Iterator, Set
from typing import Any, Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.repository import (
    NamedRepository,
    SluggedRepository,
    unique_address,
    unique_name,
)
from cms.teams.models import Team
from core.content.status import PUBLISHED
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.references import Reference


def places_of_training(team: Team) -> Iterator[str | None]:
    return (schedule.get("locationId") for schedule in team.schedules or ())


def training_elsewhere(team: Team, gone: Set[str]) -> list[dict[str, Any]]:
    """The schedules without deleted locations."""
    return [
        schedule | {"locationId": None} if schedule.get("locationId") in gone else schedule
        for schedule in team.schedules or ()
    ]


class TeamRepository(NamedRepository[Team], SluggedRepository[Team]):
    model = Team
    entity = "team"
    adopts = True
    searched = ("name", "league", "instagram")
    unique = (
        unique_name(_("Another team already has this name.")),
        unique_address(_("Another team already uses this address. Choose another one.")),
    )
    references = (
        Reference("coach_ids", to="member"),
        Reference("contact_person_ids", to="member"),
        Reference("schedules", to="location", value=places_of_training, cut=training_elsewhere),
        Reference("image_ids", to="media"),
    )

    def with_status(self, status: str, **options: Unpack[PageOptions]) -> Page[Team]:
        return self.page(status, index="GSI-Status", **options)

    def public(self, **options: Unpack[PageOptions]) -> Page[Team]:
        """Published teams, by name."""
        return self.with_status(PUBLISHED, **options)

    def of_sams_team(self, sbvv_team_id: str, **options: Unpack[PageOptions]) -> Page[Team]:
        return self.page(sbvv_team_id, index="GSI-SamsTeam", **options)


teams = TeamRepository()
