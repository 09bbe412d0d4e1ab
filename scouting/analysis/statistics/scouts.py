"""Statistics about scouts: how many forms they wrote, and how close these are to the official scores."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from scouting.analysis.consensus import Sighting
from scouting.events.event import Alliance, Match
from scouting.forms.models import ScoutForm


@dataclass(frozen=True)
class Scout:
    """The author of a form; imported forms have only a name."""

    id: str
    name: str


@dataclass(frozen=True)
class Accuracy:
    """How far the alliances a scout reported on are from their official scores, without fouls.

    The error of an alliance is shared by the scouts of its three robots; over many matches with changing
    partners, a scout's own error remains. `bias` is positive for a scout who counts too much.
    """

    scout: Scout
    judged: int
    mean_error: float
    bias: float


@dataclass(frozen=True)
class FormCount:
    scout: Scout
    forms: int


def accuracy(matches: Iterable[Match], sightings: Iterable[Sighting]) -> list[Accuracy]:
    """The scouts, the most accurate first; uses only alliances of which all robots have a report."""
    seen = {(sighting.match, sighting.team): sighting for sighting in sightings}
    errors: dict[str, list[float]] = defaultdict(list)
    names: dict[str, str] = {}
    for match in matches:
        for alliance in (match.red, match.blue):
            for scout, error in _errors(match.number, alliance, seen):
                errors[scout.id].append(error)
                names[scout.id] = scout.name
    found = [
        Accuracy(Scout(key, names[key]), len(each), fmean(map(abs, each)), fmean(each))
        for key, each in errors.items()
    ]
    return sorted(found, key=lambda each: (each.mean_error, each.scout.name))


def leaderboard(forms: Iterable[ScoutForm]) -> list[FormCount]:
    """The scouts by number of forms of any kind."""
    counts: dict[str, int] = defaultdict(int)
    names: dict[str, str] = {}
    for form in forms:
        scout = _scout(form)
        counts[scout.id] += 1
        names[scout.id] = scout.name
    written = [FormCount(Scout(key, names[key]), count) for key, count in counts.items()]
    return sorted(written, key=lambda each: (-each.forms, each.scout.name))


def _errors(
    number: int, alliance: Alliance, seen: dict[tuple[int, str], Sighting]
) -> Iterator[tuple[Scout, float]]:
    """By how much each report, with the merged scores of the other robots, exceeds the official score."""
    robots = [seen[number, team] for team in alliance.teams if (number, team) in seen]
    if alliance.own_score is None or not alliance.tells_fouls or len(robots) < len(alliance.teams):
        return
    together = sum(robot.scores.total for robot in robots)
    for robot in robots:
        for form in robot.reports:
            others = together - robot.scores.total
            yield _scout(form), form.total_score + others - alliance.own_score


def _scout(form: ScoutForm) -> Scout:
    return Scout(form.scout_id or form.scout_name, form.scout_name)
