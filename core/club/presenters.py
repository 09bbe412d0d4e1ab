"""The club's face for templates."""

from typing import NamedTuple

from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse

from core.club import queries
from core.club.colours import DEFAULT


class Face(NamedTuple):
    """Name, picture and colours of the club. The size of the picture says only what its shape is."""

    name: str
    short_name: str
    picture: str
    width: int
    height: int
    is_logo: bool
    # The addresses of the logo and, if there are own colours, of their style sheet.
    stylesheet: str


def face() -> Face:
    own = queries.current()
    logo = own.logo or {}
    if logo:
        picture = _address("club:logo", logo["name"])
    elif own.seen_version and own.initials:
        picture = _address("club:icon", own.colours or DEFAULT.removeprefix("#"), own.initials)
    else:
        picture = ""
    return Face(
        name=own.name,
        short_name=own.short_name or own.name,
        picture=picture or static("icon.svg"),
        width=logo.get("width", 1),
        height=logo.get("height", 1),
        is_logo=bool(logo),
        stylesheet=_address("club:stylesheet", own.colours) if own.colours else "",
    )


def logo_at(site: str) -> str:
    """The address of the logo for other programs, at the origin `site`; empty without a logo."""
    shown = face()
    return site + shown.picture if shown.is_logo else ""


def _address(name: str, *args: str) -> str:
    """Empty where the URLs are others: an error page must come all the same."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""
