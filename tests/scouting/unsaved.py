"""Forms for tests of figures, stored nowhere."""

from typing import Any

from scouting.forms.models import StandForm
from scouting.games import definition

EVENT = "2026fhtest"


def report(team: str = "254B", match: int = 3, *, further: str = "", **values: Any) -> StandForm:
    """A form; what is no field of it is an answer of REBUILT, and the points follow unless they are given."""
    fields = {name: values.pop(name) for name in [*values] if name in StandForm.get_attributes()}
    if "total_score" not in fields:
        points = definition.shipped(2026).score(values)
        fields |= {"auto_score": points.auto, "tele_score": points.tele, "total_score": points.total}
    return StandForm.about(EVENT, team, match, further=further, scores=values, **fields)
