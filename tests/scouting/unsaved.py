"""Forms for tests of figures, stored nowhere."""

from collections.abc import Iterable
from typing import Any

from scouting.analysis.consensus import Sighting
from scouting.analysis.statistics.team import TeamFigures, team_figures
from scouting.forms.models import StandForm
from scouting.games import definition
from scouting.games.definition import Game
from scouting.keys import team_order

EVENT = "2026fhtest"


def report(team: str = "254B", match: int = 3, *, further: str = "", **values: Any) -> StandForm:
    """A form; what is no field of it is an answer of REBUILT, and the points follow unless they are given."""
    fields = {name: values.pop(name) for name in [*values] if name in StandForm.get_attributes()}
    if "total_score" not in fields:
        points = definition.shipped(2026).score(values)
        fields |= {"auto_score": points.auto, "tele_score": points.tele, "total_score": points.total}
    return StandForm.about(EVENT, team, match, further=further, scores=values, **fields)


def event_figures(
    sightings: Iterable[Sighting], game: Game, teams: Iterable[str] = ()
) -> dict[str, TeamFigures]:
    """The figures of every team, sorted, including `teams` without a report."""
    seen: dict[str, list[Sighting]] = {team: [] for team in teams}
    for sighting in sightings:
        seen.setdefault(sighting.team, []).append(sighting)
    return {team: team_figures(team, seen[team], game) for team in sorted(seen, key=team_order)}
