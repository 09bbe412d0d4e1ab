"""Titles of results, hit types and bases, in the order of the scoring screen."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.dynamo.errors import Text
from tracker.rules.batting import BETWEEN_TURNS, EMPTY_PLACE, HALF_INNING_ENDED, NOT_TURNS

# In the order of the buttons, four in a row: hits, outs, the rarer outs, on base without a hit.
AT_BAT: Mapping[str, Text] = {
    "1B": _("Single"),
    "2B": _("Double"),
    "3B": _("Triple"),
    "HR": _("Home run"),
    "K": _("Strikeout"),
    "GO": _("Ground out"),
    "FO": _("Fly out"),
    "LO": _("Line out"),
    "PO": _("Pop out"),
    "OUT": _("Other out"),
    "DP": _("Double play"),
    "FC": _("Fielder's choice"),
    "BB": _("Walk"),
    "HBP": _("Hit by pitch"),
    "E": pgettext_lazy("softball", "Error"),
    "SF": _("Sacrifice fly"),
    "SH": _("Sacrifice bunt"),
    "IBB": _("Intentional walk"),
    "CI": _("Interference"),
}
# The choices of the form with runners on base.
WITH_RUNNERS: Mapping[str, Text] = {**AT_BAT, BETWEEN_TURNS: _("Runners")}
TITLES: Mapping[str, Text] = {
    **WITH_RUNNERS,
    HALF_INNING_ENDED: _("Half-inning ended"),
    EMPTY_PLACE: _("Out for an empty place"),
}
# Results without a batted ball, which have no hit location.
NOT_IN_PLAY = frozenset({"K", "BB", "HBP", "IBB", "CI", *NOT_TURNS})
HIT_TYPES: Mapping[str, Text] = {
    "fly_ball": _("Fly ball"),
    "ground_out": _("Ground ball"),
    "line_drive": _("Line drive"),
    "pop_up": _("Pop-up"),
    "bunt": _("Bunt"),
}
BASES: Mapping[int, Text] = {1: _("1st"), 2: _("2nd"), 3: _("3rd"), 4: pgettext_lazy("base", "Home")}
