"""What must hold of the club's settings."""

import re
from zoneinfo import available_timezones

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from core.club.colours import HEX, WHITE, contrast
from core.dynamo.errors import Invalid

LONGEST_NAME, LONGEST_SHORT_NAME, LONGEST_TEXT = 100, 20, 300
MOST_MENU_ENTRIES = 12
# A colour as pale as this would become another one where text is in it.
LEAST_ON_WHITE = 2.0
# The least contrast of two adjacent colours.
LEAST_BETWEEN = 1.5
# Places, without names such as "EST" and "Etc/GMT+1", which know no summer time.
PLACE = re.compile(r"(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/.+")


def time_zones() -> list[str]:
    return sorted(filter(PLACE.fullmatch, available_timezones()))


def check_time_zone(name: str) -> None:
    if not PLACE.fullmatch(name) or name not in available_timezones():
        raise Invalid(_("Choose a time zone from the list."), field="time_zone")


def check_colours(colour: str, second: str | None) -> None:
    """The first is that of links, buttons and headings; the second stands beside it."""
    for field, each in (("colour", colour), ("second_colour", second)):
        if each is not None and not HEX.fullmatch(each):
            raise Invalid(_("Enter a colour such as #1b6049."), field=field)
    on_white = contrast(colour, WHITE)
    if on_white < LEAST_ON_WHITE:
        text = _(
            "Too pale for links and buttons: the contrast to white is %(is)s to 1 and must be %(least)s to 1."
            " Choose a darker colour, or use this one as the second."
        )
        raise Invalid(text % _ratios(on_white, LEAST_ON_WHITE), field="colour")
    if second is not None and contrast(colour, second) < LEAST_BETWEEN:
        text = _(
            "Too close to the first colour: the contrast between them is %(is)s to 1 and must be %(least)s to"
            " 1. Choose one that is clearly lighter or darker."
        )
        raise Invalid(text % _ratios(contrast(colour, second), LEAST_BETWEEN), field="second_colour")


def _ratios(found: float, least: float) -> dict[str, str]:
    # Never rounded up to what is needed.
    return {"is": number_format(int(found * 10) / 10, 1), "least": number_format(least, 1)}
