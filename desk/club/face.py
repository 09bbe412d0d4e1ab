"""What browsers load of the club's face. The address says what it is, so that they keep it for ever."""

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from core.accounts.rights import public
from core.club import repository
from core.club.colours import HEX, on, shades
from core.media.drawings import MIME_TYPE as SVG
from core.media.storage import CACHE_CONTROL

TYPES = {"svg": SVG, "png": "image/png", "jpg": "image/jpeg"}
# A drawing that is opened by itself runs nothing and loads nothing.
NO_MORE: Mapping[str, str] = {}
INERT = {"Content-Security-Policy": "default-src 'none'; sandbox"}


@public
@require_safe
def stylesheet(request: HttpRequest, colours: str) -> HttpResponse:
    """The properties of the style sheet that follow from the colours."""
    colour, second = _parsed(colours)
    context = {"colour": colour, "second": second, "on_colour": on(colour), "shades": shades(colour)}
    return _kept(render_to_string("desk/club/colours.css", context), "text/css; charset=utf-8")


@public
@require_safe
def icon(request: HttpRequest, colours: str, initials: str) -> HttpResponse:
    """The icon of a club without a logo: its initials on its colour."""
    colour, second = _parsed(colours)
    if not initials.isalnum():
        raise Http404
    context = {"colour": colour, "second": second, "on_colour": on(colour), "initials": initials}
    return _kept(render_to_string("desk/club/icon.svg", context), SVG, INERT)


@public
@require_safe
def logo(request: HttpRequest, name: str) -> HttpResponse:
    data, extension = repository.logo(name), name.rpartition(".")[2]
    if data is None or extension not in TYPES:
        raise Http404
    # Feed readers show it on pages of their own.
    return _kept(data, TYPES[extension], INERT | {"Cross-Origin-Resource-Policy": "cross-origin"})


def _parsed(colours: str) -> tuple[str, str]:
    """Both colours; without a second one, the first is both."""
    found = [f"#{each}" for each in colours.split("-")]
    if len(found) > 2 or not all(map(HEX.fullmatch, found)):
        raise Http404
    return found[0], found[-1]


def _kept(content: str | bytes, content_type: str, headers: Mapping[str, str] = NO_MORE) -> HttpResponse:
    headers = {"Cache-Control": CACHE_CONTROL, **headers}
    return HttpResponse(content, content_type=content_type, headers=headers)
