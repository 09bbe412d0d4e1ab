"""Shared code of the analysis pages: tabs, the choice of the event, and file export of tables."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, may_open_page
from core.crud.cached_urls import address_of
from core.crud.sheets import Cell, Heading, Sheet, as_file, asked, side_columns, text_columns
from core.dynamo.errors import Text
from scouting import keys
from scouting.analysis.queries import Reading
from scouting.cells import cell
from scouting.events.choice import choose_event, choose_other_event
from scouting.events.event import NoSuchEvent
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from scouting.settings import services as settings

P = ParamSpec("P")
WHICH = _("Which event?")
# How many teams are compared side by side.
MOST_COMPARED = 6
SCREENS: list[tuple[str, Text]] = [
    ("analysis", _("All teams")),
    ("scatter", _("Auto and teleop")),
    ("ranking", _("Ranking")),
    ("matches", _("Matches")),
    ("event-forms", _("Forms")),
    ("comments", _("Comments")),
    ("coverage", _("Coverage")),
    ("pits", _("Pits")),
    ("scouts", _("Scouts")),
]


def at_event(
    view: Callable[Concatenate[SignedInRequest, str, P], HttpResponseBase],
) -> Callable[Concatenate[SignedInRequest, P], HttpResponseBase]:
    """Decorator of a page of the requested event, or of the current one, whose key it passes to the view."""
    return require_safe(with_event(view))


def with_event(
    view: Callable[Concatenate[SignedInRequest, str, P], HttpResponseBase],
) -> Callable[Concatenate[SignedInRequest, P], HttpResponseBase]:
    """The same for any method."""

    @wraps(view)
    def opened(request: SignedInRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if "choose" in request.GET:
            return choose_event(request, WHICH)
        text = request.POST.get("event") or request.GET.get("event", "")
        event = keys.event_key(text) if text else settings.active().event
        if event is None:
            return render(request, "scouting/analysis/no_event.html")
        try:
            return view(request, event, *args, **kwargs)
        except NoSuchEvent as error:
            return choose_other_event(request, error, WHICH)

    return opened


def screen(
    request: SignedInRequest, name: str, read: Reading, template: str, context: dict[str, Any]
) -> HttpResponse:
    shared = {
        "event": read.event,
        "game": read.game,
        "screen": name,
        "screen_title": dict(SCREENS).get(name, ""),
        "tabs": [
            (tab, title, f"{address}?event={read.event.key}")
            for tab, title in SCREENS
            if may_open_page(request.user, address := address_of(f"scouting:{tab}"))
        ],
    }
    return render(request, template, shared | context)


def sheet(
    request: SignedInRequest,
    name: str,
    read: Reading,
    table: Sheet,
    *,
    in_file: Callable[[], Sheet | None] | None = None,
    **context: Any,
) -> HttpResponseBase:
    """A page with one table; with `?as=` it is a file, which may have more columns (`in_file`)."""
    given = request.GET.copy()
    given["event"] = read.event.key
    context |= {"sheet": table, "asked": asked(given), "sort_asked": asked(given, "sort")}
    fuller = in_file() if in_file and "as" in request.GET else None
    file = as_file(request, fuller or table, read.event.key)
    return file or screen(request, name, read, "scouting/analysis/sheet.html", context)


def team_address(number: str, event: str) -> str:
    return f"{address_of('scouting:team', number)}?event={event}"


def team_headings() -> list[Heading]:
    """Number and name are separate columns, so that a file can be joined with another by team number."""
    return [*text_columns(pgettext("scouting", "Team")), *side_columns(gettext("Name"))]


def team_cells(read: Reading, number: str, address: str = "", label: str = "") -> list[Cell]:
    address = address or team_address(number, read.event.key)
    return [cell(number, address, label=label), cell(read.event.team(number).name, is_side=True)]


def form_address(form: StandForm) -> str:
    return _form_address(form.pk, form.sk)


@lru_cache(maxsize=2048)
def _form_address(pk: str, sk: str) -> str:
    """Cached: the coverage page links to every form of an event, and building a URL is slow."""
    return address_of("scouting:form", "stand", stand_forms.key_of(StandForm(pk=pk, sk=sk)))
