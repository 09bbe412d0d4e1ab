"""Forecasts of matches, each from what was known before it. Pure functions, without reads or writes.

`known_before(order)` once for the official scores of an event, then `forecasts(order, known, scouted)` with
the data of scouts; `order` is `in_order(matches, playoffs)`.

Both sources measure points without fouls. `blended` combines them into one strength; the expected score of
an alliance is the sum of the strengths of its robots.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scouting.analysis.ratings import UNKNOWN, Forecast, forecast
from scouting.events.event import BLUE, RED, Alliance, Match, Playoff

# How many matches with an average score each robot starts with: see `Opr`.
AVERAGE_MATCHES = 1
# Values below this are rounding errors and count as zero.
SMALLEST_LEAD = 1e-9


@dataclass(frozen=True)
class Evidence:
    """What one source says of a robot: mean points without fouls, and the number of matches behind it."""

    points: float
    matches: int


@dataclass(frozen=True)
class Known:
    """What official scores said before a match: about its robots, and the deviation of alliance scores."""

    official: Mapping[str, Evidence]
    deviation: float | None


@dataclass(frozen=True)
class HitRate:
    """In how many played matches the forecast `named` a winner, and in how many it was `right`."""

    right: int = 0
    named: int = 0

    @property
    def share(self) -> float | None:
        return self.right / self.named if self.named else None


@dataclass(frozen=True)
class Forecasts:
    """The forecasts of all matches of an event, past and future."""

    of_match: Mapping[Hashable, Forecast] = field(default_factory=dict)
    hits: HitRate = HitRate()

    def of(self, match: Match) -> Forecast:
        return self.of_match.get(_key(match), UNKNOWN)


def blended(scouted: Evidence | None, official: Evidence | None) -> float | None:
    """The strength of a robot; None if neither source knows it.

    With a mean of s points in n scouted matches, and an OPR of o points in m played matches, it is
    (n * s + m * o) / (n + m): each source is weighted by its number of matches.
    """
    known = [each for each in (scouted, official) if each is not None and each.matches]
    matches = sum(each.matches for each in known)
    return sum(each.matches * each.points for each in known) / matches if matches else None


def in_order(matches: Iterable[Match], playoffs: Iterable[Playoff] = ()) -> tuple[Match, ...]:
    """Qualification, then playoffs: the played matches by time if all times are known, else by number;
    then the unplayed ones."""
    order: list[Match] = []
    for each in (list(matches), list(playoffs)):
        played = [match for match in each if match.was_played]
        # A replayed match keeps its old number, but its result is known only from its new time on.
        if all(match.time for match in played):
            played.sort(key=lambda match: match.time or "")
        order += [*played, *(match for match in each if not match.was_played)]
    return tuple(order)


def known_before(order: Sequence[Match]) -> list[Known]:
    """What official scores said before each match. Playoff scores are not used, as in the ratings."""
    opr = Opr({team for match in order if not isinstance(match, Playoff) for team in match.teams})
    found: list[Known] = []
    count = total = squares = 0
    for match in order:
        official = {team: evidence for team in match.teams if (evidence := opr.of(team)) is not None}
        found.append(Known(official, math.sqrt(count * squares - total**2) / count if count else None))
        if match.was_played and not isinstance(match, Playoff):
            for alliance in (match.red, match.blue):
                opr.add(alliance)
                score = alliance.own_score or 0
                count, total, squares = count + 1, total + score, squares + score**2
    return found


def forecasts(
    order: Sequence[Match], known: Sequence[Known], scouted: Mapping[int, Sequence[tuple[str, float]]]
) -> Forecasts:
    """The forecast of each match; `scouted` has the scouted points of robots by match number."""
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
    """Incremental OPR without fouls: adds one alliance at a time.

    It minimises Σ (score - sum of the three OPR)² + λ Σ (OPR - mean)², where mean is the average score of a
    robot so far, and λ is `AVERAGE_MATCHES`: each robot starts as an average one that has played one match.
    So there is a unique solution from the first match on, and a robot with few matches is not dominated by
    its partners. `ratings.ratings` is the same with λ = 0, and with fouls.
    """

    def __init__(self, teams: Iterable[str]) -> None:
        self._place = {team: index for index, team in enumerate(sorted(teams))}
        size = len(self._place)
        # The inverse of the normal equations; an alliance is a rank-one update of it.
        self._inverse = [
            [1 / AVERAGE_MATCHES if row == column else 0.0 for column in range(size)] for row in range(size)
        ]
        self._sums, self._matches = [0.0] * size, [0] * size
        self._points = self._robots = 0

    def add(self, alliance: Alliance) -> None:
        """Sherman-Morrison update: solving all equations again for each match would take seconds."""
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
        """The evidence for a robot; None if it has not played yet."""
        place = self._place.get(team)
        if place is None or not self._matches[place]:
            return None
        begun = AVERAGE_MATCHES * self._points / self._robots
        points = sum(
            value * (total + begun) for value, total in zip(self._inverse[place], self._sums, strict=True)
        )
        return Evidence(points, self._matches[place])


def _key(match: Match) -> Hashable:
    return match.order if isinstance(match, Playoff) else match.number


def _mean(points: Sequence[float] | None) -> Evidence | None:
    return Evidence(math.fsum(points) / len(points), len(points)) if points else None


def _ahead(red: float | None, blue: float | None) -> str | None:
    """The colour of the alliance with more points; None if a value is unknown, or for a tie."""
    if red is None or blue is None or abs(red - blue) < SMALLEST_LEAD:
        return None
    return RED if red > blue else BLUE
