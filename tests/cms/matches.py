"""Matches of the league system as tests need them."""

from datetime import date, timedelta
from typing import Any

from cms.sams.repository import sams_leagues, sams_teams
from cms.teams.repository import teams
from core.dynamo.actors import SYSTEM
from tests.cms.trainings import team

OWN, SECOND, OTHER = "own-team", "second-team", "other-team"
YEAR = timedelta(days=365)


def match(
    uuid: str, day: date | None, clock: str | None = "15:00", *, against: str = OTHER
) -> dict[str, Any]:
    names = {OWN: "VC Auenfeld", SECOND: "VC Auenfeld 2", OTHER: "SV Ahorn"}
    sides = {f"team{n}": {"uuid": key, "name": names[key]} for n, key in ((1, OWN), (2, against))}
    return {
        "uuid": uuid,
        "date": day and day.isoformat(),
        "time": clock,
        "location": {"name": "Mühlenhalle"},
        "_embedded": sides,
        "results": None,
    }


def plays(*matches: dict[str, Any]) -> None:
    """Two of our teams play in one league that has these matches."""
    for name, uuid in (("Herren 1", OWN), ("Herren 2", SECOND)):
        sams_teams.store(uuid, {"name": name, "league_uuid": "league"}, kept_for=YEAR, stored=None)
        teams.update(team(name), {"sbvv_team_id": uuid}, actor=SYSTEM)
    league = {"name": "Landesliga", "matches": list(matches), "rankings": []}
    sams_leagues.store("league", league, kept_for=YEAR, stored=None)
