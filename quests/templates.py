"""Templates that prefill the form of a new quest."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text


class QuestTemplate(NamedTuple):
    title: Text
    description: Text
    category: str
    reward_xp: int
    reward_reputation: int


QUEST_TEMPLATES: Mapping[str, QuestTemplate] = {
    "home-game": QuestTemplate(
        _("Help at a home game"),
        _(
            "Set up nets, benches and the scoring table an hour before the game, and put everything away "
            "after it. The hall is open from 13:00; the plan hangs in the equipment room."
        ),
        "civic",
        80,
        10,
    ),
    "cake": QuestTemplate(
        _("Bake a cake for the next home game"),
        _("One cake, cut into twelve pieces, at the counter half an hour before. Label what is in it."),
        "social",
        50,
        8,
    ),
    "repair": QuestTemplate(
        _("Repair something in the hall"),
        _("Say here what is broken, where it is and where the tools are. Show a photo when it works again."),
        "technical",
        120,
        15,
    ),
    "cleaning": QuestTemplate(
        _("Tidy up around the courts"),
        _(
            "Collect litter around the courts and the car park, sweep the stands and empty the bins. "
            "Bags and gloves are in the shed."
        ),
        "environmental",
        60,
        10,
    ),
    "scorer": QuestTemplate(
        _("Teach someone to keep score"),
        _(
            "Sit beside someone new at the scoring table for one game, until they can keep score on "
            "their own."
        ),
        "educational",
        100,
        20,
    ),
}
