"""What to expect of each match, made only of what was known before it. Nothing here reads or writes.

For the screens of analysis: `known_before(order)` once for the official scores of an event, then
`forecasts(order, known, scouted)` with what scouts saw; `order` is `in_order(matches, playoffs)`.

Both sources tell points without fouls. `blended` makes one strength of the two; the expected score of an
alliance is the sum of the strengths of its robots.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scouting.analysis.ratings import UNKNOWN, Forecast, forecast
from scouting.events.event import BLUE, RED, Alliance, Match, Playoff

# How many matches a robot counts as average before its own ones: see `Opr`.
AVERAGE_MATCHES = 1
# Less is what rounding left of nothing.
SMALLEST_LEAD = 1e-9


@dataclass(frozen=True)
class Evidence:
    """What one source says of a robot: points without fouls, out of so many matches."""

    points: float
    matches: int


@dataclass(frozen=True)
class Known:
    """What official scores told before a match: of its robots, and how far scores spread."""

    official: Mapping[str, Evidence]
    deviation: float | None


@dataclass(frozen=True)
class HitRate:
    """In how many of the played matches a winner was `named` before, and in how many the `right` one."""

    right: int = 0
    named: int = 0

    @property
    def share(self) -> float | None:
        return self.right / self.named if self.named else None


@dataclass(frozen=True)
class Forecasts:
    """What was, or is, to be expected of each match of an event."""

    of_match: Mapping[Hashable, Forecast] = field(default_factory=dict)
    hits: HitRate = HitRate()

    def of(self, match: Match) -> Forecast:
        return self.of_match.get(_key(match), UNKNOWN)


def blended(scouted: Evidence | None, official: Evidence | None) -> float | None:
    """The strength of a robot; None if nobody knows anything of it.

    With a mean of s points in n matches that were scouted, and an OPR of o points in m matches that were
    played, it is (n * s + m * o) / (n + m): a source counts by the number of matches that it knows.
    """
    told = [each for each in (scouted, official) if each is not None and each.matches]
    matches = sum(each.matches for each in told)
    return sum(each.matches * each.points for each in told) / matches if matches else None


def in_order(matches: Iterable[Match], playoffs: Iterable[Playoff] = ()) -> tuple[Match, ...]:
    """As they were played, by their times if all are known, else by number; then those that are to come."""
    order: list[Match] = []
    for each in (list(matches), list(playoffs)):
        played = [match for match in each if match.was_played]
        # A match that was played again has its old number, and told nobody anything before its new time.
        if all(match.time for match in played):
            played.sort(key=lambda match: match.time or "")
        order += [*played, *(match for match in each if not match.was_played)]
    return tuple(order)


def known_before(order: Sequence[Match]) -> list[Known]:
    """What official scores told before each match; those of playoffs are not counted, as in the ratings."""
    opr = Opr({team for match in order if not isinstance(match, Playoff) for team in match.teams})
    spread = Spread()
    found: list[Known] = []
    for match in order:
        told = {team: evidence for team in match.teams if (evidence := opr.of(team)) is not None}
        found.append(Known(told, spread.deviation))
        if match.was_played and not isinstance(match, Playoff):
            for alliance in (match.red, match.blue):
                opr.add(alliance)
                spread.add(alliance.own_score or 0)
    return found


def forecasts(
    order: Sequence[Match], known: Sequence[Known], scouted: Mapping[int, Sequence[tuple[str, float]]]
) -> Forecasts:
    """The forecast of each match; `scouted` are the points of robots by the number of the match."""
    seen: dict[str, list[float]] = defaultdict(list)
    found: dict[Hashable, Forecast] = {}
    right = named = 0
    for match, before in zip(order, known, strict=True):
        strengths = {
            team: strength
            for team in match.teams
            if (strength := blended(_mean(seen.get(team)), before.official.get(team))) is not None
        }
        expected = found[_key(match)] = forecast(match, strengths, before.deviation)
        winner, favourite = _ahead(match.red.score, match.blue.score), _ahead(expected.red, expected.blue)
        if winner and favourite:
            named += 1
            right += winner == favourite
        if not isinstance(match, Playoff):
            for team, points in scouted.get(match.number, ()):
                seen[team].append(points)
    return Forecasts(found, HitRate(right, named))


class Opr:
    """The OPR of robots, without fouls, that takes one alliance after the other.

    It is the least of Σ (score - sum of the three OPR)² + λ Σ (OPR - mean)², where the mean is what a robot
    scored on average so far, and λ is `AVERAGE_MATCHES`: each robot begins as an average one that has played
    one match. So there is one solution from the first match on, and a robot with few matches is not carried
    away by its partners. `ratings.ratings` is the same with λ = 0, and fouls.
    """

    def __init__(self, teams: Iterable[str]) -> None:
        self._place = {team: index for index, team in enumerate(sorted(teams))}
        size = len(self._place)
        # The inverse of the normal equations, which an alliance changes by a product of two rows.
        self._inverse = [
            [1 / AVERAGE_MATCHES if row == column else 0.0 for column in range(size)] for row in range(size)
        ]
        self._sums, self._matches = [0.0] * size, [0] * size
        self._points = self._robots = 0

    def add(self, alliance: Alliance) -> None:
        """By Sherman and Morrison: solving all equations again for each match would take seconds."""
        score, places = alliance.own_score or 0, [self._place[team] for team in alliance.teams]
        if not places:
            return
        sums = [math.fsum(column) for column in zip(*(self._inverse[place] for place in places), strict=True)]
        divisor = 1 + sum(sums[place] for place in places)
        for index, row in enumerate(self._inverse):
            if factor := sums[index] / divisor:
                self._inverse[index] = [
                    value - factor * above for value, above in zip(row, sums, strict=True)
                ]
        for place in places:
            self._sums[place] += score
            self._matches[place] += 1
        self._points += score
        self._robots += len(places)

    def of(self, team: str) -> Evidence | None:
        """None for a robot that has not played yet."""
        place = self._place.get(team)
        if place is None or not self._matches[place]:
            return None
        begun = AVERAGE_MATCHES * self._points / self._robots
        points = sum(
            value * (total + begun) for value, total in zip(self._inverse[place], self._sums, strict=True)
        )
        return Evidence(points, self._matches[place])


class Spread:
    """How far the scores of alliances are from their mean."""

    def __init__(self) -> None:
        self._count = self._total = self._squares = 0

    def add(self, score: int) -> None:
        self._count += 1
        self._total += score
        self._squares += score**2

    @property
    def deviation(self) -> float | None:
        if not self._count:
            return None
        return math.sqrt(self._count * self._squares - self._total**2) / self._count


def _key(match: Match) -> Hashable:
    return match.order if isinstance(match, Playoff) else match.number


def _mean(points: Sequence[float] | None) -> Evidence | None:
    return Evidence(math.fsum(points) / len(points), len(points)) if points else None


def _ahead(red: float | None, blue: float | None) -> str | None:
    """The colour of the alliance with more points; None if nobody knows, or it is a tie."""
    if red is None or blue is None or abs(red - blue) < SMALLEST_LEAD:
        return None
    return RED if red > blue else BLUE
