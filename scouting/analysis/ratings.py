"""Ratings of teams from the official scores of played qualification matches.

- `ratings(matches)`: OPR, DPR and CCWM of each team; None while there are too few matches.
- `component_keys(matches)` and `component_oprs(matches, keys)`: the same for components of the score.
- `epa(matches)`: a rating that needs no full set of matches, and follows how a team changes.
- `ranking(matches, ranked_by(matches, game.ranking), official)`: the ranking with records. Official ranks
  are used if there are any; else they are computed, by share of wins if there are no ranking points.
- `forecast(match, strengths, deviation)`: expected scores and the probability that red wins;
  `analysis.forecasts` computes the strengths of robots.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from scouting.events.event import Alliance, Match
from scouting.keys import team_order

# The points that the robots scored themselves: totalPoints without foulPoints and adjustPoints.
OWN_POINTS = "points"
# Won matches, and half of the tied ones, divided by all matches that count.
WIN_SHARE = "wins"
# both2.wallAlgaeCount is 1 if both alliances have at least 2 of it: the coopertition of 2025.
BOTH = re.compile(r"both([0-9]{1,3})\.(\w+)")
# A pivot this small is a rounding error and counts as zero: the entries are numbers of common matches.
SMALLEST_PIVOT = 1e-9
# The slope of the logistic curve, as used by Statbotics.
CHANCE_SLOPE = 5 / 8
# A new team starts slightly below the mean: 1450 instead of 1500, where 250 are one standard deviation.
NEWCOMER = (1450 - 1500) / 250

Side = tuple[Alliance, Alliance]
# A match that counts for a robot; None if it was disqualified.
Counted = Side | None
Row = tuple[Sequence[str], Sequence[float]]


@dataclass(frozen=True)
class Rating:
    """What a team contributes to the score of its alliance, and to that of the opponents."""

    opr: float
    dpr: float

    @property
    def ccwm(self) -> float:
        """Its contribution to the margin; least squares are linear, so this is the difference."""
        return self.opr - self.dpr


@dataclass(frozen=True)
class Record:
    wins: int
    losses: int
    ties: int

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses}-{self.ties}"


@dataclass(frozen=True)
class RankingRow:
    """A row of the ranking; `figures` are the means by which the game ranks, in their order.

    `rank` is None for a team without an official rank where others have one.
    """

    rank: int | None
    team: str
    matches: int
    record: Record
    figures: tuple[float, ...]


@dataclass(frozen=True)
class Forecast:
    """The forecast of a match; None values if a robot is not known yet."""

    red: float | None
    blue: float | None
    red_chance: float | None


UNKNOWN = Forecast(None, None, None)


def ratings(matches: Iterable[Match]) -> dict[str, Rating] | None:
    """OPR and DPR by team; None while there are too few matches. Surrogates count like all other teams."""
    rows = [(own.teams, (_score(own), _score(other))) for own, other in _sides(matches)]
    solved = _least_squares(rows)
    return None if solved is None else {team: Rating(opr, dpr) for team, (opr, dpr) in solved.items()}


def component_keys(matches: Iterable[Match]) -> list[str]:
    """The score components that the matches have."""
    return sorted({key for own, _ in _sides(matches) for key in own.official})


def component_oprs(matches: Iterable[Match], keys: Sequence[str]) -> dict[str, dict[str, float]] | None:
    """The OPR of each team for score components; None while too few matches have them."""
    rows = [(own.teams, [_figure(own, key) for key in keys]) for own, _ in _sides(matches) if own.official]
    solved = _least_squares(rows)
    if solved is None:
        return None
    return {key: {team: values[index] for team, values in solved.items()} for index, key in enumerate(keys)}


def ranked_by(matches: Iterable[Match], by: Sequence[str]) -> tuple[str, ...]:
    """The game's figures if every alliance has official ones; else the share of wins, then points.

    Zero values are not stored, so it is enough if one alliance has the first figure.
    """
    values = [own.official for own, _ in _sides(matches)]
    is_known = all(values) and any(by[0] in official for official in values) if by else False
    return tuple(by) if is_known or by[:1] == (OWN_POINTS,) else (WIN_SHARE, OWN_POINTS)


def official_name(key: str) -> str:
    """The name of the official value from which a ranking figure is computed."""
    found = BOTH.fullmatch(key)
    return found[2] if found else key


def missing_figures(matches: Iterable[Match], by: Sequence[str]) -> list[str]:
    """The ranking figures that no match has."""
    known = component_keys(matches)
    return [key for key in by if key not in (OWN_POINTS, WIN_SHARE) and official_name(key) not in known]


def ranking(
    matches: Iterable[Match], by: Sequence[str], official: Mapping[str, int] | None = None
) -> list[RankingRow]:
    """The teams by their `official` ranks, else by their mean figures in descending order.

    Matches as a surrogate do not count. For a disqualified robot the match is a loss with zero for each
    figure.
    """
    counted: dict[str, list[Counted]] = defaultdict(list)
    for own, other in _sides(matches):
        for team in own.teams:
            if team not in own.surrogates:
                counted[team].append(None if team in own.disqualified else (own, other))
    means = {
        team: tuple(fmean(_ranked_figure(side, key) for side in sides) for key in by)
        for team, sides in counted.items()
    }
    # The sort is stable, so ties stay in order of team number.
    order = sorted(sorted(means, key=team_order), key=lambda team: means[team], reverse=True)
    ranks: dict[str, int | None] = {team: rank for rank, team in enumerate(order, 1)}
    if official and has_ranks(official):
        ranks = {team: official.get(team) or None for team in order}
    return [
        RankingRow(ranks[team], team, len(counted[team]), _record(counted[team]), means[team])
        for team in sorted(order, key=lambda team: ranks[team] or math.inf)
    ]


def has_ranks(official: Mapping[str, int]) -> bool:
    """Whether official ranks were imported; a team without one has 0."""
    return any(official.values())


def forecast(match: Match, strengths: Mapping[str, float], deviation: float | None) -> Forecast:
    red, blue = (_expected(side, strengths) for side in (match.red, match.blue))
    return Forecast(red, blue, win_chance(red, blue, deviation))


def win_chance(red: float | None, blue: float | None, deviation: float | None) -> float | None:
    """The probability that red wins; the deviation of scores scales the lead in points."""
    if red is None or blue is None or not deviation:
        return None
    # Equal to 1 / (1 + 10 ** -lead), which would overflow for large leads.
    lead = CHANCE_SLOPE * (red - blue) / deviation
    return (1 + math.tanh(lead * math.log(10) / 2)) / 2


def epa(matches: Sequence[Match]) -> dict[str, float]:
    """Expected points added (EPA) as Statbotics computes it for qualification, without earlier events."""
    scores = [_figure(own, OWN_POINTS) for own, _ in _sides(matches)]
    if not scores:
        return {}
    start = fmean(scores) / 3 + pstdev(scores) * NEWCOMER
    found: dict[str, float] = defaultdict(lambda: start)
    played: dict[str, int] = defaultdict(int)
    for own, _ in _sides(matches):
        surprise = _figure(own, OWN_POINTS) - sum(found[team] for team in own.teams)
        for team in own.teams:
            found[team] += epa_share(played[team]) * surprise / 3
            played[team] += 1
    return dict(found)


def epa_share(played: int) -> float:
    """The weight of a new result in a team's EPA, which decreases with its number of matches."""
    return 2 / 3 * min(0.5, max(0.3, 0.5 - 0.2 / 6 * (played - 6)))


def _sides(matches: Iterable[Match]) -> Iterator[Side]:
    """Each alliance of the played matches, with its opponents."""
    for match in matches:
        if match.was_played:
            yield match.red, match.blue
            yield match.blue, match.red


def _score(alliance: Alliance) -> float:
    return alliance.score or 0


def _figure(alliance: Alliance, key: str) -> float:
    """A value of the official score; 0 if it is missing."""
    return float((alliance.own_score if key == OWN_POINTS else alliance.official.get(key)) or 0)


def _ranked_figure(side: Counted, key: str) -> float:
    if side is None:
        return 0
    own, other = side
    if found := BOTH.fullmatch(key):
        return float(min(_figure(own, found[2]), _figure(other, found[2])) >= int(found[1]))
    if key != WIN_SHARE:
        return _figure(own, key)
    return (1 + (_score(own) > _score(other)) - (_score(own) < _score(other))) / 2


def _record(sides: Sequence[Counted]) -> Record:
    margins = [_score(side[0]) - _score(side[1]) if side else -1 for side in sides]
    wins, losses = sum(margin > 0 for margin in margins), sum(margin < 0 for margin in margins)
    return Record(wins, losses, len(margins) - wins - losses)


def _expected(alliance: Alliance, strengths: Mapping[str, float]) -> float | None:
    if not alliance.teams or any(team not in strengths for team in alliance.places):
        return None
    return sum(strengths[team] for team in alliance.teams)


def _least_squares(rows: Sequence[Row]) -> dict[str, list[float]] | None:
    """The least-squares contribution of each team to each figure; None if the system is singular."""
    teams = sorted({team for members, _ in rows for team in members}, key=team_order)
    if not teams:
        return None
    place = {team: index for index, team in enumerate(teams)}
    figures = len(rows[0][1])
    # The normal equations: how often two teams played together, and the sums of their alliances' figures.
    equations = [[0.0] * (len(teams) + figures) for _ in teams]
    for members, values in rows:
        for team in members:
            equation = equations[place[team]]
            for partner in members:
                equation[place[partner]] += 1
            for index, value in enumerate(values, len(teams)):
                equation[index] += value
    solved = _eliminated(equations)
    return None if solved is None else dict(zip(teams, solved, strict=True))


def _eliminated(equations: list[list[float]]) -> list[list[float]] | None:
    """Gaussian elimination: the solution for each right-hand side; None if it is not unique."""
    size = len(equations)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(equations[row][column]))
        if abs(equations[pivot][column]) < SMALLEST_PIVOT:
            return None
        equations[column], equations[pivot] = equations[pivot], equations[column]
        leading = equations[column]
        for row in range(size):
            factor = equations[row][column] / leading[column]
            if row != column and factor:
                equations[row] = [
                    value - factor * above for value, above in zip(equations[row], leading, strict=True)
                ]
    return [[value / equations[row][row] for value in equations[row][size:]] for row in range(size)]
