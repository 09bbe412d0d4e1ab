"""SAMS JSON as typed objects. Missing values are None, also those that the specification requires.

Matches and rankings have `as_json`, which returns the shape that is parsed; they are stored like that.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from django.utils.timezone import localdate

from cms.sams import values
from cms.sams.values import Pair, Side

Json = Mapping[str, Any]
T = TypeVar("T")
# SAMS times are in this time zone, whatever the club's time zone setting is.
BERLIN = ZoneInfo("Europe/Berlin")


class Association(NamedTuple):
    uuid: str
    name: str


class Season(NamedTuple):
    uuid: str
    name: str
    is_current: bool
    starts: date | None
    ends: date | None


class Club(NamedTuple):
    uuid: str
    name: str
    association_uuid: str | None
    logo: str | None


class Hierarchy(NamedTuple):
    """A level in the league hierarchy; the highest has no parent."""

    uuid: str
    level: int | None
    parent_uuid: str | None


class League(NamedTuple):
    uuid: str
    name: str
    hierarchy_uuid: str | None
    season_uuid: str | None


class Team(NamedTuple):
    """A team in a league; with `master_uuid` it is another entry of that team."""

    uuid: str
    name: str
    master_uuid: str | None
    club_uuid: str | None
    association_uuid: str | None


class Opponent(NamedTuple):
    uuid: str | None
    name: str

    def as_json(self) -> dict[str, Any]:
        return {"uuid": self.uuid, "name": self.name}


class Match(NamedTuple):
    """`set_points` are the balls of each set; `winner` is 1 or 2, None if not played yet."""

    uuid: str
    day: date | None
    clock: time | None
    number: str | None
    team1: Opponent
    team2: Opponent
    host: str | None
    place: str | None
    is_postponed: bool
    winner: Side | None
    sets: Pair | None
    balls: Pair | None
    set_points: tuple[Pair, ...]

    @property
    def starts(self) -> datetime | None:
        """None while the day or the time is not known."""
        if self.day is None or self.clock is None:
            return None
        return datetime.combine(self.day, self.clock, tzinfo=BERLIN)

    @property
    def is_played(self) -> bool:
        return self.winner is not None

    @property
    def is_overdue(self) -> bool:
        """Whether its day is over and it has no result."""
        return not self.is_played and self.day is not None and self.day < localdate(timezone=BERLIN)

    def involves(self, team_uuid: str) -> bool:
        return team_uuid in (self.team1.uuid, self.team2.uuid)

    def as_json(self) -> dict[str, Any]:
        return {
            "uuid": self.uuid,
            "date": self.day and self.day.isoformat(),
            "time": self.clock and self.clock.strftime("%H:%M"),
            "matchNumber": self.number,
            "host": self.host,
            "location": {"name": self.place} if self.place else None,
            "indefinitelyRescheduled": self.is_postponed,
            "_embedded": {"team1": self.team1.as_json(), "team2": self.team2.as_json()},
            "results": self._results() if self.is_played else None,
        }

    def _results(self) -> dict[str, Any]:
        return {
            "winner": str(self.winner),
            "setPoints": _joined(self.sets),
            "ballPoints": _joined(self.balls),
            "sets": [{"ballPoints": _joined(points)} for points in self.set_points],
        }


class RankingRow(NamedTuple):
    """A row of a league's table. In a knock-out competition it has only a rank."""

    team_uuid: str | None
    team: str
    rank: int | None
    played: int | None
    points: int | None
    wins: int | None
    losses: int | None
    sets: Pair | None
    balls: Pair | None
    set_ratio: float | None = None
    ball_ratio: float | None = None

    def as_json(self) -> dict[str, Any]:
        sets, balls = self.sets or (None, None), self.balls or (None, None)
        return {
            "uuid": self.team_uuid,
            "teamName": self.team,
            "rank": self.rank,
            "matchesPlayed": self.played,
            "points": self.points,
            "wins": self.wins,
            "losses": self.losses,
            "setWins": sets[0],
            "setLosses": sets[1],
            "setRatio": self.set_ratio,
            "ballWins": balls[0],
            "ballLosses": balls[1],
            "ballRatio": self.ball_ratio,
        }


def each(parse: Callable[[Json], T | None], answers: Iterable[object]) -> list[T]:
    """Parse a list; values that cannot be parsed, such as those without uuid or name, are left out."""
    found = (parse(answer) for answer in answers if isinstance(answer, Mapping))
    return [one for one in found if one is not None]


def association(answer: Json) -> Association | None:
    return _named(Association, answer)


def season(answer: Json) -> Season | None:
    about = {
        "is_current": answer.get("currentSeason") is True,
        "starts": values.day(answer.get("startDate")),
        "ends": values.day(answer.get("endDate")),
    }
    return _named(Season, answer, about)


def club(answer: Json) -> Club | None:
    return _named(Club, answer, association_uuid="associationUuid", logo="logoImageLink")


def hierarchy(answer: Json) -> Hierarchy | None:
    uuid = values.text(answer.get("uuid"))
    parent = values.text(answer.get("parentLeagueHierarchyUuid"))
    return Hierarchy(uuid, values.whole(answer.get("level")), parent) if uuid else None


def league(answer: Json) -> League | None:
    return _named(League, answer, hierarchy_uuid="leagueHierarchyUuid", season_uuid="seasonUuid")


def team(answer: Json) -> Team | None:
    return _named(
        Team,
        answer,
        master_uuid="masterTeamUuid",
        club_uuid="sportsclubUuid",
        association_uuid="associationUuid",
    )


def match(answer: Json) -> Match | None:
    uuid = values.text(answer.get("uuid"))
    if not uuid:
        return None
    team1, team2 = _opponent(answer, 1), _opponent(answer, 2)
    results = values.mapping(answer.get("results"))
    points = [values.pair(each.get("ballPoints")) for each in values.objects(results.get("sets"))]
    set_points = tuple(filter(None, points))
    return Match(
        uuid=uuid,
        day=values.day(answer.get("date")),
        clock=values.clock(answer.get("time")),
        number=values.text(answer.get("matchNumber")),
        team1=team1,
        team2=team2,
        host=values.text(answer.get("host")),
        place=_place(answer.get("location")),
        is_postponed=answer.get("indefinitelyRescheduled") is True,
        winner=values.winner(results.get("winner"), (team1.uuid, team2.uuid)),
        sets=values.pair(results.get("setPoints")),
        balls=values.pair(results.get("ballPoints")) or _sum(set_points),
        set_points=set_points,
    )


def ranking_row(answer: Json) -> RankingRow | None:
    name = values.text(answer.get("teamName"))
    if not name:
        return None
    return RankingRow(
        team_uuid=values.text(answer.get("uuid")),
        team=name,
        rank=values.whole(answer.get("rank")),
        played=values.whole(answer.get("matchesPlayed")),
        points=values.whole(answer.get("points")),
        wins=values.whole(answer.get("wins")),
        losses=values.whole(answer.get("losses")),
        sets=_both(answer, "setWins", "setLosses"),
        balls=_both(answer, "ballWins", "ballLosses"),
        set_ratio=values.decimal(answer.get("setRatio")),
        ball_ratio=values.decimal(answer.get("ballRatio")),
    )


def _named(
    make: Callable[..., T], answer: Json, about: Mapping[str, Any] = MappingProxyType({}), **names: str
) -> T | None:
    """An object with uuid, name and further texts, by their `names` in SAMS; None without uuid or name."""
    uuid, name = values.text(answer.get("uuid")), values.text(answer.get("name"))
    texts = {ours: values.text(answer.get(theirs)) for ours, theirs in names.items()}
    return make(uuid=uuid, name=name, **about, **texts) if uuid and name else None


def _opponent(answer: Json, number: int) -> Opponent:
    """One of the two sides; while it is open, only with a description such as "winner of match 12"."""
    embedded = values.mapping(values.mapping(answer.get("_embedded")).get(f"team{number}"))
    name = values.text(embedded.get("name")) or values.text(answer.get(f"team{number}Description"))
    return Opponent(values.text(embedded.get("uuid")), name or "")


def _place(location: object) -> str | None:
    """The gym and its town, separated by a comma."""
    about = values.mapping(location)
    address = values.mapping(about.get("address"))
    town = values.text(address.get("city")) or values.text(about.get("address"))
    return ", ".join(filter(None, [values.text(about.get("name")), town])) or None


def _both(answer: Json, won: str, lost: str) -> Pair | None:
    numbers = values.whole(answer.get(won)), values.whole(answer.get(lost))
    return None if numbers[0] is None or numbers[1] is None else (numbers[0], numbers[1])


def _sum(points: tuple[Pair, ...]) -> Pair | None:
    return (sum(first for first, _ in points), sum(second for _, second in points)) if points else None


def _joined(points: Pair | None) -> str | None:
    return f"{points[0]}:{points[1]}" if points else None
