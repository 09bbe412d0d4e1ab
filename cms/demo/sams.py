"""Example SAMS data of fictitious clubs, half-way through a season."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid5

from django.utils.timezone import localdate

from cms.sams import leagues, parsing
from cms.sams.models import CLUB_KEPT_FOR, TEAM_KEPT_FOR
from cms.sams.repository import sams_clubs, sams_teams
from core.dynamo.attributes import now
from core.dynamo.example_data import read

SPACE = UUID("5b0f1ad2-7f0e-4c39-9c39-2c4a5b6f0a11")
EXAMPLE = read(__file__, "leagues")
SATURDAY = 5


def load() -> None:
    season = _season(localdate())
    for name in (EXAMPLE["club"], *EXAMPLE["other_clubs"]):
        _club(name)
    for league in EXAMPLE["leagues"]:
        _league(league, season)


def uuid_of(*parts: str) -> str:
    """A UUIDv5, the same in each load, so that a repeated load adds no duplicates."""
    return str(uuid5(SPACE, "/".join(parts)))


def team_uuid(own_team: str) -> str | None:
    """The SAMS uuid of one of our teams; None if the example has no league for it."""
    is_there = own_team in {league["team"] for league in EXAMPLE["leagues"]}
    return uuid_of("team", own_team) if is_there else None


def _season(today: date) -> str:
    first = today.year if today.month >= 7 else today.year - 1
    return f"{first}/{(first + 1) % 100:02} (Beispiel)"


def _club(name: str) -> None:
    uuid = uuid_of("club", name)
    if not sams_clubs.get_many([uuid]):
        fields = {
            "name": name,
            "association_name": EXAMPLE["association"],
            "association_uuid": uuid_of("association"),
        }
        sams_clubs.store(uuid, fields, kept_for=CLUB_KEPT_FOR, stored=None)


def _league(league: dict[str, Any], season: str) -> None:
    uuid, team = uuid_of("league", league["name"]), uuid_of("team", league["team"])
    if not sams_teams.get_many([team]):
        fields = {
            "name": _own_name(league),
            "sportsclub_uuid": uuid_of("club", EXAMPLE["club"]),
            "association_uuid": uuid_of("association"),
            "league_uuid": uuid,
            "league_name": league["name"],
            "season_uuid": uuid_of("season", season),
            "season_name": season,
        }
        sams_teams.store(team, fields, kept_for=TEAM_KEPT_FOR, stored=None)
    if leagues.stored_league(uuid) is None:
        matches = parsing.each(parsing.match, _matches(league))
        about = {"name": league["name"], "season_name": season, "level": league["level"]}
        leagues.store_results(uuid, matches, [], as_of=now(), stored=None, **about)


def _own_name(league: dict[str, Any]) -> str:
    return f"{EXAMPLE['club']} {league['team'][-1]}"


def _matches(league: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Matches as SAMS JSON, on Saturdays; week 0 is the next one."""
    own = {"uuid": uuid_of("team", league["team"]), "name": _own_name(league)}
    saturday = localdate() + timedelta(days=(SATURDAY - localdate().weekday()) % 7 or 7)
    for match in league["matches"]:
        home, guest = (
            own if name == own["name"] else {"uuid": uuid_of("team", league["name"], name), "name": name}
            for name in (match["home"], match["guest"])
        )
        yield {
            "uuid": uuid_of("match", league["name"], home["uuid"], guest["uuid"]),
            "date": (saturday + timedelta(weeks=match["week"])).isoformat(),
            "time": match["time"],
            "location": {"name": "Mühlenhalle" if home is own else f"Sporthalle {home['name']}"},
            "_embedded": {"team1": home, "team2": guest},
            "results": _result(match["sets"].split()) if "sets" in match else None,
        }


def _result(sets: list[str]) -> dict[str, Any]:
    points = [[int(number) for number in each.split(":")] for each in sets]
    won = sum(home > guest for home, guest in points)
    return {
        "winner": "1" if won == 3 else "2",
        "setPoints": f"{won}:{len(sets) - won}",
        "sets": [{"ballPoints": each} for each in sets],
    }
