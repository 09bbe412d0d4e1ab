"""The table of all teams and figures, sorted by one figure or by a weighted sum of several."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scouting.analysis.ratings import epa, ratings
from scouting.analysis.statistics.team import TeamFigures, team_figures
from scouting.events.event import Match
from scouting.games.definition import Game
from scouting.keys import team_order
from scouting.revision_cache import cached_by_language

# The attributes of a summary that are columns; consistency is a share.
STATISTICS = {
    "mean": gettext_lazy("mean"),
    "median": gettext_lazy("median"),
    "deviation": gettext_lazy("deviation"),
    "last_three": gettext_lazy("last three"),
    "best": gettext_lazy("best"),
    "consistency": gettext_lazy("consistency"),
}
OFFICIAL = {"opr": "OPR", "dpr": "DPR", "ccwm": "CCWM", "epa": "EPA"}
Values = Mapping[str, float | None]


@dataclass(frozen=True)
class Column:
    """A figure that every team has, such as totalScore.mean; a share is displayed in per cent."""

    key: str
    label: str
    is_share: bool = False


@dataclass(frozen=True)
class Row:
    """A team and its figures by key; None for unknown ones."""

    team: str
    values: Values


@dataclass(frozen=True)
class Weighted:
    """A team and the weighted sum of its z-scores; None if one of its figures is unknown."""

    team: str
    score: float | None


@cached_by_language(16)
def columns(game: Game) -> tuple[Column, ...]:
    """The columns that are available for a game."""
    nobody = team_figures("", (), game)
    official = [Column(key, label) for key, label in OFFICIAL.items()]
    return (*(column for column, _value in _cells(nobody)), *official)


def official_values(matches: Sequence[Match]) -> dict[str, dict[str, float]]:
    """The official ratings by key and team; empty while there are too few matches."""
    found = ratings(matches) or {}
    return {
        "opr": {team: rating.opr for team, rating in found.items()},
        "dpr": {team: rating.dpr for team, rating in found.items()},
        "ccwm": {team: rating.ccwm for team, rating in found.items()},
        "epa": epa(matches),
    }


def row(team: str, seen: Values, official: Mapping[str, Mapping[str, float]]) -> Row:
    return Row(team, {**seen, **{key: official.get(key, {}).get(team) for key in OFFICIAL}})


def ordered(rows: Iterable[Row], key: str, *, descending: bool = True) -> list[Row]:
    """The rows sorted by one figure, ties by team number; teams without it come last in both directions."""
    by_number = sorted(rows, key=lambda row: team_order(row.team))
    known = [row for row in by_number if row.values.get(key) is not None]
    unknown = [row for row in by_number if row.values.get(key) is None]
    return sorted(known, key=lambda row: row.values[key] or 0, reverse=descending) + unknown


def weighted(rows: Sequence[Row], weights: Mapping[str, float]) -> list[Weighted]:
    """The teams by the sum of weight times z-score, in descending order; those without a sum come last."""
    used = {key: weight for key, weight in weights.items() if weight}
    standing = {key: z_scores({row.team: row.values.get(key) for row in rows}) for key in used}
    found = [_weighted(row.team, used, standing) for row in rows]
    return sorted(found, key=lambda each: (each.score is None, -(each.score or 0), team_order(each.team)))


def z_scores(values: Values) -> dict[str, float]:
    """The z-score of each team: deviations above the mean of all teams; 0 if all values are equal."""
    known = {team: value for team, value in values.items() if value is not None}
    if not known:
        return {}
    mean, deviation = fmean(known.values()), pstdev(known.values())
    return {team: (value - mean) / deviation if deviation else 0 for team, value in known.items()}


def _weighted(
    team: str, weights: Mapping[str, float], standing: Mapping[str, Mapping[str, float]]
) -> Weighted:
    parts = [weight * standing[key][team] for key, weight in weights.items() if team in standing[key]]
    is_known = bool(weights) and len(parts) == len(weights)
    return Weighted(team, sum(parts) if is_known else None)


def values(figures: TeamFigures) -> Values:
    """The figures of a team, by column key."""
    return {column.key: value for column, value in _cells(figures)}


def _cells(figures: TeamFigures) -> Iterator[tuple[Column, float | None]]:
    yield Column("matches", _("Matches")), len(figures.matches)
    yield Column("noShows", _("No-shows")), len(figures.no_shows)
    for measure in figures.measures.values():
        for name, label in STATISTICS.items():
            column = Column(f"{measure.key}.{name}", f"{measure.label}, {label}", name == "consistency")
            yield column, getattr(measure.summary, name)
    for rate in figures.rates.values():
        yield Column(rate.key, rate.label, is_share=True), rate.share
    yield Column("accuracy", _("Accuracy"), is_share=True), figures.accuracy
    yield Column("rp", _("Ranking points, mean")), figures.mean_rp
    yield Column("criticals", _("Critical incidents")), figures.critical_count
