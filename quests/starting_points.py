"""Quests that a club needs again and again: a new one may begin with the words of one of these."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text


class StartingPoint(NamedTuple):
    title: Text
    description: Text
    category: str
    reward_xp: int
    reward_reputation: int


STARTING_POINTS: Mapping[str, StartingPoint] = {
    "home-game": StartingPoint(
        _("Help at a home game"),
        _(
            "Set up nets, benches and the scoring table an hour before the game, and put everything away "
            "after it. The hall is open from 13:00; the plan hangs in the equipment room."
        ),
        "civic",
        80,
        10,
    ),
    "cake": StartingPoint(
        _("Bake a cake for the next home game"),
        _("One cake, cut into twelve pieces, at the counter half an hour before. Label what is in it."),
        "social",
        50,
        8,
    ),
    "repair": StartingPoint(
        _("Repair something in the hall"),
        _("Say here what is broken, where it is and where the tools are. Show a photo when it works again."),
        "technical",
        120,
        15,
    ),
    "cleaning": StartingPoint(
        _("Tidy up around the courts"),
        _(
            "Collect litter around the courts and the car park, sweep the stands and empty the bins. "
            "Bags and gloves are in the shed."
        ),
        "environmental",
        60,
        10,
    ),
    "scorer": StartingPoint(
        _("Teach somebody to keep score"),
        _("Sit beside somebody new at the scoring table for one game, until they can keep the sheet alone."),
        "educational",
        100,
        20,
    ),
}
