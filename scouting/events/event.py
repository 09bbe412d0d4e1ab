"""An event as the pages use it: value objects for its teams and matches, parsed from the stored maps."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.dynamo.errors import NotFound
from scouting.keys import team_order

RED, BLUE = "red", "blue"
ROBOTS_OF_AN_ALLIANCE = 3
FINAL = "f"
FOULS = "foulPoints"
# Parts of an official score that the robots of the alliance did not score themselves.
NOT_SCORED_BY_ROBOTS = (FOULS, "adjustPoints")
# The playoff rounds as The Blue Alliance names them, in the order in which they are played.
LEVELS = {
    "ef": pgettext_lazy("playoffs", "Eighth-final"),
    "qf": pgettext_lazy("playoffs", "Quarterfinal"),
    "sf": pgettext_lazy("playoffs", "Semifinal"),
    FINAL: pgettext_lazy("playoffs", "Final"),
}


class NoSuchEvent(NotFound):
    message = _("This event does not exist or was deleted.")


@dataclass(frozen=True)
class Team:
    """A team at an event; rank 0 means no rank yet."""

    number: str
    name: str = ""
    place: str = ""
    rank: int = 0
    record: str = ""

    @property
    def label(self) -> str:
        return f"{self.number} {self.name}".strip()


@dataclass(frozen=True)
class Alliance:
    """Three robots and, once the match was played, their result.

    `official` has the parts of the official score that are known (foulPoints, autoPoints, …).
    `surrogates` play, but the match does not count for their rank; for the `disqualified` it counts as zero
    in the ranking. `open_places` are the places, counted from 1, whose team is not known yet. `robots` are
    the official texts about each robot, in the order of places: {"endGame": ("Parked", "None", "DeepCage")}.
    """

    teams: tuple[str, ...] = ()
    score: int | None = None
    surrogates: tuple[str, ...] = ()
    official: Mapping[str, Any] = field(default_factory=dict)
    disqualified: tuple[str, ...] = ()
    open_places: tuple[int, ...] = ()
    robots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def places(self) -> tuple[str, ...]:
        """The teams by place; an open place is an empty string."""
        places = list(self.teams)
        for place in self.open_places:
            places.insert(place - 1, "")
        return tuple(places)

    def robot(self, team: str) -> dict[str, str]:
        """The official texts about one robot, by name."""
        if team not in self.places:
            return {}
        place = self.places.index(team)
        return {
            name: texts[place] for name, texts in self.robots.items() if place < len(texts) and texts[place]
        }

    @property
    def own_score(self) -> int | None:
        """The points of its own robots: without fouls of the opponents and adjustments of the referees."""
        if self.score is None:
            return None
        return self.score - sum(int(self.official.get(part) or 0) for part in NOT_SCORED_BY_ROBOTS)

    @property
    def tells_fouls(self) -> bool:
        """Whether points from fouls are known; a typed score may contain any number of them."""
        return FOULS in self.official


@dataclass(frozen=True)
class Match:
    """A qualification match."""

    number: int
    red: Alliance = Alliance()
    blue: Alliance = Alliance()
    time: str | None = None
    videos: tuple[str, ...] = ()

    @property
    def was_played(self) -> bool:
        return self.red.score is not None and self.blue.score is not None

    @property
    def teams(self) -> tuple[str, ...]:
        return (*self.red.teams, *self.blue.teams)

    @property
    def disqualified(self) -> tuple[str, ...]:
        return (*self.red.disqualified, *self.blue.disqualified)

    def alliance_of(self, team: str) -> str | None:
        if team in self.red.teams:
            return RED
        return BLUE if team in self.blue.teams else None

    def alliance(self, colour: str) -> Alliance:
        return self.red if colour == RED else self.blue


@dataclass(frozen=True)
class Playoff(Match):
    """A playoff match: not counted by rankings and ratings, and no form can be sent for it."""

    level: str = FINAL
    set_number: int = 1

    @property
    def label(self) -> str:
        place = {"level": LEVELS[self.level], "set": self.set_number, "number": self.number}
        if self.level == FINAL:
            return _("%(level)s, match %(number)d") % place
        return _("%(level)s %(set)d, match %(number)d") % place

    @property
    def order(self) -> tuple[int, int, int]:
        return list(LEVELS).index(self.level), self.set_number, self.number


@dataclass(frozen=True)
class ScoutedEvent:
    """An event with its teams and matches, and when these were fetched from The Blue Alliance."""

    key: str
    name: str
    teams: tuple[Team, ...] = ()
    matches: tuple[Match, ...] = ()
    playoffs: tuple[Playoff, ...] = ()
    is_own: bool = False
    time_zone: str | None = None
    first_day: date | None = None
    ends_at: datetime | None = None
    teams_fetched_at: datetime | None = None
    schedule_fetched_at: datetime | None = None

    def __hash__(self) -> int:
        """Hashes the key only: all fields would be slow, and few compared events have the same key."""
        return hash(self.key)

    @cached_property
    def team_numbers(self) -> tuple[str, ...]:
        """The teams of the team list, and those that appear only in a match."""
        named = {team.number for team in self.teams}
        playing = {number for match in self.matches for number in match.teams}
        return tuple(sorted(named | playing, key=team_order))

    def team(self, number: str) -> Team:
        return self._by_number.get(number) or Team(number)

    def match(self, number: int) -> Match | None:
        return self._by_match.get(number)

    def matches_of(self, team: str) -> list[Match]:
        return [match for match in self.matches if team in match.teams]

    @cached_property
    def _by_number(self) -> dict[str, Team]:
        return {team.number: team for team in self.teams}

    @cached_property
    def _by_match(self) -> dict[int, Match]:
        return {match.number: match for match in self.matches}


def teams_from(stored: Iterable[Mapping[str, Any]]) -> tuple[Team, ...]:
    return tuple(sorted((Team(**each) for each in stored), key=lambda team: team_order(team.number)))


def matches_from(stored: Iterable[Mapping[str, Any]]) -> tuple[Match, ...]:
    return tuple(sorted(map(_match, stored), key=lambda match: match.number))


def playoffs_from(stored: Iterable[Mapping[str, Any]]) -> tuple[Playoff, ...]:
    found = (
        Playoff(**vars(_match(each)), level=each["level"], set_number=int(each["set_number"]))
        for each in stored
    )
    return tuple(sorted(found, key=lambda playoff: playoff.order))


def as_stored(entries: Iterable[Team | Match]) -> list[dict[str, Any]]:
    return [asdict(entry) for entry in entries]


def _match(stored: Mapping[str, Any]) -> Match:
    return Match(
        number=int(stored["number"]),
        red=_alliance(stored["red"]),
        blue=_alliance(stored["blue"]),
        time=stored.get("time"),
        videos=tuple(stored.get("videos", ())),
    )


def _alliance(stored: Mapping[str, Any]) -> Alliance:
    lists = ("teams", "surrogates", "disqualified", "open_places")
    robots = {name: tuple(texts) for name, texts in stored.get("robots", {}).items()}
    return Alliance(
        **{name: tuple(stored.get(name, ())) for name in lists},
        score=stored["score"],
        official=stored["official"],
        robots=robots,
    )


def open_places(places: Iterable[str]) -> tuple[int, ...]:
    """The empty places, counted from 1; none if all places are empty."""
    teams = list(places)
    return tuple(number for number, team in enumerate(teams, start=1) if not team) if any(teams) else ()
