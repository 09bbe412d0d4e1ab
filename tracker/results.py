"""What the results of plate appearances are called, and how the scoring screen arranges them."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from dynamo.errors import Text

# In the order of the buttons, four in a row: hits, outs, the rarer outs, on base without a hit.
TITLES: Mapping[str, Text] = {
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
    "E": _("Error"),
    "SF": _("Sacrifice fly"),
    "SH": _("Sacrifice bunt"),
    "IBB": _("Intentional walk"),
    "CI": _("Interference"),
}
# The ball was not hit, so there is no place where it came down.
NOT_IN_PLAY = frozenset({"K", "BB", "HBP", "IBB", "CI"})
HIT_TYPES: Mapping[str, Text] = {
    "fly_ball": _("Fly ball"),
    "ground_out": _("Ground ball"),
    "line_drive": _("Line drive"),
    "pop_up": _("Pop-up"),
    "bunt": _("Bunt"),
}
BASES: Mapping[int, Text] = {1: _("1st"), 2: _("2nd"), 3: _("3rd"), 4: _("Home")}
