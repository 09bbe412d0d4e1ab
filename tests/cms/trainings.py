"""Teams that train, as tests need them."""

from typing import Any

from cms.locations.models import Location
from cms.locations.repository import locations
from cms.teams.models import Team
from cms.teams.repository import teams
from core.dynamo.actors import SYSTEM


def hall(name: str = "Mühlenhalle") -> Location:
    place = Location(name=name, street="Am Bach 3", postal="79379", city="Müllheim")
    return locations.create(place, actor=SYSTEM)


def row(
    *days: str, start: str = "20:00", end: str = "22:00", place: Location | None = None
) -> dict[str, Any]:
    return {"day": list(days), "startTime": start, "endTime": end, "locationId": place.id if place else None}


def team(name: str = "Herren 1", *rows: dict[str, Any], status: str = "published") -> Team:
    slug = name.lower().replace(" ", "")
    return teams.create(Team(name=name, slug=slug, status=status, schedules=list(rows)), actor=SYSTEM)
