"""Weighted figures by which the pick list can be sorted and filled."""

from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text
from scouting.analysis import queries
from scouting.analysis.statistics import table

# How many teams the weighted score moves to the first round: one for each alliance.
SEEDED = 8
HEAVIEST = 10.0


@dataclass(frozen=True)
class Weight:
    """A weight as an input of the page; `figure` is a column key of the team table."""

    name: str
    figure: str
    title: Text
    value: float


USUAL = (
    Weight("auto", "autoScore.mean", _("Autonomous"), 1),
    Weight("tele", "teleScore.mean", _("Teleop"), 1),
    Weight("last", "totalScore.last_three", _("Last three matches"), 0),
    Weight("rp", "rp", _("Ranking points"), 0),
    Weight("defense", "defense", _("Defence"), 0),
    Weight("criticals", "criticals", _("Critical incidents"), 0),
)


def from_form(sent: QueryDict) -> list[Weight]:
    """The typed weights; an invalid number is replaced by the default."""
    return [
        Weight(each.name, each.figure, each.title, _number(sent.get(f"weight-{each.name}"), each.value))
        for each in USUAL
    ]


def scores(event: str, weights: list[Weight]) -> dict[str, float]:
    """The weighted score of each team that has one."""
    read = queries.at(event)
    found = table.weighted(read.rows, {each.figure: each.value for each in weights})
    return {each.team: each.score for each in found if each.score is not None}


def _number(text: str | None, usual: float) -> float:
    try:
        number = float(text or usual)
    except ValueError:
        return usual
    # Also false for NaN, so that it is replaced as well.
    return number if -HEAVIEST <= number <= HEAVIEST else usual
