"""Figures of one team: means, rates and consistency."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import Any

from django.utils.translation import gettext as _

from scouting.analysis.consensus import Sighting
from scouting.games.definition import CHOICE, MULTI, PHASES, YES_NO, Game, Question, is_asked

LAST = 3
AUTO_SCORE, TELE_SCORE, TOTAL_SCORE = "autoScore", "teleScore", "totalScore"
WIN, DEFENSE, DEFENDED_AGAINST = "win", "defense", "defendedAgainst"
# The questions from which the shooting accuracy is computed; a game without them has none.
HITS, MISSES = "teleFuel", "shotsMissed"


@dataclass(frozen=True)
class Summary:
    """Summary statistics of a series; None where it is too short."""

    count: int
    mean: float | None
    median: float | None
    # The sample standard deviation, so None for one match.
    deviation: float | None
    last_three: float | None
    best: float | None

    @property
    def consistency(self) -> float | None:
        """1 minus deviation / mean: 1 if all values are equal, negative if the deviation is larger."""
        if self.deviation is None or not self.mean or self.mean < 0:
            return None
        return 1 - self.deviation / self.mean


@dataclass(frozen=True)
class Measure:
    """A number per match, in the order of matches, including zeros."""

    key: str
    label: str
    series: tuple[float, ...]
    summary: Summary


@dataclass(frozen=True)
class Rate:
    """In how many of the matches a condition was true."""

    key: str
    label: str
    count: int
    of: int

    @property
    def share(self) -> float | None:
        return self.count / self.of if self.of else None


@dataclass(frozen=True)
class Remark:
    """The texts a scout wrote about a match."""

    match: int
    scout: str
    strategy: str
    comments: str


@dataclass(frozen=True)
class TeamFigures:
    """The figures of a team at an event, from the matches to which it came; `no_shows` are the others."""

    team: str
    matches: tuple[int, ...]
    no_shows: tuple[int, ...]
    # By key: the three scores first, then the counters and timers of the game.
    measures: dict[str, Measure]
    # By key: the answers of the game, such as leave.yes or climbLevel.two; then win and defence.
    rates: dict[str, Rate]
    mean_rp: float | None
    # The share of shots that hit.
    accuracy: float | None
    # The number of times of each incident, in descending order.
    criticals: dict[str, int]
    remarks: tuple[Remark, ...]

    @property
    def critical_count(self) -> int:
        return sum(self.criticals.values())


def team_figures(team: str, sightings: Iterable[Sighting], game: Game) -> TeamFigures:
    """The figures of a team from its sightings."""
    every = sorted(sightings, key=lambda sighting: sighting.match)
    came = [sighting for sighting in every if not sighting.no_show]
    criticals = Counter(critical for sighting in every for critical in sighting.criticals)
    return TeamFigures(
        team=team,
        matches=tuple(sighting.match for sighting in came),
        no_shows=tuple(sighting.match for sighting in every if sighting.no_show),
        measures={measure.key: measure for measure in _measures(came, game)},
        rates={rate.key: rate for rate in _rates(came, game)},
        mean_rp=_mean([sighting.rp_earned for sighting in came]),
        accuracy=_accuracy(came, game),
        criticals=dict(criticals.most_common()),
        remarks=tuple(
            Remark(sighting.match, form.scout_name, form.strategy, form.comments)
            for sighting in every
            for form in sighting.reports
            if form.strategy or form.comments
        ),
    )


def summary(series: Sequence[float]) -> Summary:
    return Summary(
        count=len(series),
        mean=_mean(series),
        median=median(series) if series else None,
        deviation=stdev(series) if len(series) > 1 else None,
        last_three=_mean(series[-LAST:]),
        best=max(series, default=None),
    )


def _mean(series: Sequence[float]) -> float | None:
    return fmean(series) if series else None


def _measures(came: Sequence[Sighting], game: Game) -> Iterator[Measure]:
    def measure(key: str, label: str, numbers: Iterable[float]) -> Measure:
        series = tuple(numbers)
        return Measure(key, label, series, summary(series))

    yield measure(TOTAL_SCORE, _("Total score"), (sighting.scores.total for sighting in came))
    yield measure(AUTO_SCORE, _("Autonomous score"), (sighting.scores.auto for sighting in came))
    yield measure(TELE_SCORE, _("Teleop score"), (sighting.scores.tele for sighting in came))
    for question in game.questions:
        if question.is_number:
            answers = (_answer(question, sighting) for sighting in came)
            yield measure(question.key, _label(question), answers)


def _rates(came: Sequence[Sighting], game: Game) -> Iterator[Rate]:
    def rate(key: str, label: str, holds: Iterable[bool]) -> Rate:
        return Rate(key, label, sum(holds), len(came))

    for question in game.questions:
        label, key = _label(question), question.key
        answers = [_answer(question, sighting) for sighting in came]
        if question.kind == YES_NO:
            yield rate(f"{key}.yes", label, (bool(answer) for answer in answers))
        if question.kind in (CHOICE, MULTI):
            chosen = [[answer] if question.kind == CHOICE else answer for answer in answers]
            for choice in question.choices:
                holds = (choice.key in each for each in chosen)
                yield rate(f"{key}.{choice.key}", f"{label}: {choice.label}", holds)
    yield rate(WIN, _("Won"), (sighting.win for sighting in came))
    yield rate(DEFENSE, _("Played defence"), (sighting.defense for sighting in came))
    yield rate(DEFENDED_AGAINST, _("Was defended against"), (sighting.defended_against for sighting in came))


def _answer(question: Question, sighting: Sighting) -> Any:
    """The answer; the empty value of the question if there is none."""
    return sighting.values[question.key] if is_asked(question, sighting.values) else question.empty


def _label(question: Question) -> str:
    """The label with its phase, because several phases count the same things."""
    return f"{PHASES[question.phase]}: {question.label}"


def _accuracy(came: Sequence[Sighting], game: Game) -> float | None:
    """The accuracy over all shots of all matches; 0 for a robot that never shot."""
    if not came or not (game.question(HITS) and game.question(MISSES)):
        return None
    hits, misses = (sum(sighting.values[key] for sighting in came) for key in (HITS, MISSES))
    return hits / (hits + misses) if hits + misses else 0
