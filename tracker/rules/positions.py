"""Positions: on the field, in a line-up, and on a roster."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text

FIELDED: Mapping[str, Text] = {
    "P": _("Pitcher"),
    "C": _("Catcher"),
    "1B": _("First base"),
    "2B": _("Second base"),
    "3B": _("Third base"),
    "SS": _("Shortstop"),
    "LF": _("Left field"),
    "LCF": _("Left center"),
    "CF": _("Center field"),
    "RCF": _("Right center"),
    "RF": _("Right field"),
}
# Positions of players who bat and do not field.
BATTING: Mapping[str, Text] = {
    "DP": _("Designated player"),
    "DH": _("Designated hitter"),
    "EH": _("Extra hitter"),
}
IN_A_LINE_UP: Mapping[str, Text] = {**FIELDED, **BATTING}
# A roster also has the general positions OF and UTIL, as stored records have them.
ON_A_ROSTER = (*FIELDED, "OF", *BATTING, "UTIL")
