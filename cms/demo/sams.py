"""Example leagues of clubs that do not exist, half-way through a season, as SAMS would have told them."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid5

from django.utils.timezone import localdate

from cms import repository
from cms.models.sams import CLUB_KEPT_FOR, TEAM_KEPT_FOR
from cms.sams import parsing, storing
from core.dynamo.attributes import now

SPACE = UUID("5b0f1ad2-7f0e-4c39-9c39-2c4a5b6f0a11")
OWN = "VC Auenfeld"
ASSOCIATION = "Volleyballverband Oberland (Beispiel)"
OTHERS = (
    *("SV Oberrieth", "TV Weilbach", "VfL Kandertal", "TSV Moosgrund", "SC Ginsterheim"),
    *("TuS Erlenbrück", "FT Hohenfirst", "VSG Rabenau", "SV Quellheim", "TV Silberloh"),
)
# Our team, its league there, and the league's level.
LEAGUES = (
    ("Damen 1", "Verbandsliga Damen", 1),
    ("Herren 1", "Landesliga Herren", 2),
    ("Damen 2", "Bezirksklasse Damen Süd", 3),
    ("Herren 2", "Kreisliga Herren", 4),
)
TEAMS_PER_LEAGUE = 8
PLAYED_ROUNDS = 8
SATURDAY = 5


def load() -> None:
    season = _season(localdate())
    for name in (OWN, *OTHERS):
        _club(name)
    for own_team, league, level in LEAGUES:
        _league(own_team, league, level, season)


def uuid_of(*parts: str) -> str:
    """The same whenever it is loaded, so that nothing comes twice."""
    return str(uuid5(SPACE, "/".join(parts)))


def team_uuid(own_team: str) -> str | None:
    """What one of our teams is called in SAMS, if it plays in a league there."""
    return uuid_of("team", own_team) if own_team in {name for name, _league, _level in LEAGUES} else None


def _season(today: date) -> str:
    first = today.year if today.month >= 7 else today.year - 1
    return f"{first}/{(first + 1) % 100:02} (Beispiel)"


def _club(name: str) -> None:
    uuid = uuid_of("club", name)
    if not repository.sams_clubs.get_many([uuid]):
        fields = {"name": name, "association_name": ASSOCIATION, "association_uuid": uuid_of("association")}
        repository.sams_clubs.store(uuid, fields, kept_for=CLUB_KEPT_FOR, stored=None)


def _league(own_team: str, name: str, level: int, season: str) -> None:
    uuid, team = uuid_of("league", name), uuid_of("team", own_team)
    if not repository.sams_teams.get_many([team]):
        fields = {
            "name": f"{OWN} {own_team[-1]}",
            "sportsclub_uuid": uuid_of("club", OWN),
            "association_uuid": uuid_of("association"),
            "league_uuid": uuid,
            "league_name": name,
            "season_uuid": uuid_of("season", season),
            "season_name": season,
        }
        repository.sams_teams.store(team, fields, kept_for=TEAM_KEPT_FOR, stored=None)
    if storing.stored_league(uuid) is None:
        matches = parsing.each(parsing.match, _matches(own_team, name))
        about = {"name": name, "season_name": season, "level": level}
        storing.keep(uuid, matches, [], as_of=now(), stored=None, **about)


def _matches(own_team: str, league: str) -> Iterator[dict[str, Any]]:
    """Everybody against everybody twice, a round each Saturday; this week's is the next one."""
    chance = Random(league)
    others = chance.sample(OTHERS, TEAMS_PER_LEAGUE - 1)
    teams = [{"uuid": uuid_of("team", own_team), "name": f"{OWN} {own_team[-1]}"}]
    teams += [{"uuid": uuid_of("team", league, name), "name": name} for name in others]
    strength = {team["uuid"]: chance.uniform(0.35, 0.65) for team in teams}
    next_round = localdate() + timedelta(days=(SATURDAY - localdate().weekday()) % 7 or 7)
    for number, pairs in enumerate(_rounds(teams)):
        day = next_round + timedelta(weeks=number - PLAYED_ROUNDS)
        for home, guest in pairs:
            edge = 0.5 + strength[home["uuid"]] - strength[guest["uuid"]]
            yield {
                "uuid": uuid_of("match", league, home["uuid"], guest["uuid"]),
                "date": day.isoformat(),
                "time": chance.choice(("15:00", "17:30", "19:00")),
                "location": {"name": "Mühlenhalle" if home is teams[0] else f"Sporthalle {home['name']}"},
                "_embedded": {"team1": home, "team2": guest},
                "results": _result(edge, chance) if number < PLAYED_ROUNDS else None,
            }


def _rounds(teams: list[dict[str, str]]) -> Iterator[list[tuple[dict[str, str], dict[str, str]]]]:
    """One stays where it is, the others move on by one place: so everybody meets everybody."""
    first, *rest = teams
    half = len(teams) // 2
    for number in range(2 * len(rest)):
        moved = rest[number % len(rest) :] + rest[: number % len(rest)]
        line = [first, *moved]
        pairs = list(zip(line[:half], reversed(line[half:]), strict=True))
        is_away = number % 2 == 1
        yield [(guest, home) if is_away else (home, guest) for home, guest in pairs]


def _result(edge: float, chance: Random) -> dict[str, Any]:
    """Set by set until somebody has won three; the fifth goes to 15."""
    sets: list[tuple[int, int]] = []
    won = [0, 0]
    while max(won) < 3:
        goal = 15 if len(sets) == 4 else 25
        is_first = chance.random() < edge
        less = chance.randint(goal - 12, goal - 2)
        sets.append((goal, less) if is_first else (less, goal))
        won[0 if is_first else 1] += 1
    return {
        "winner": "1" if won[0] == 3 else "2",
        "setPoints": f"{won[0]}:{won[1]}",
        "sets": [{"ballPoints": f"{first}:{second}"} for first, second in sets],
    }
