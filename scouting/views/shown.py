"""What the screens of analysis share: their tabs, how old the data is, and files of their tables."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import resolve, reverse
from django.utils.translation import gettext_lazy as _

from accounts.rights import SignedInRequest, may_open
from dynamo.errors import Text
from scouting import reading, repository
from scouting.models import StandForm
from scouting.reading import Reading
from scouting.sheets import Cell, Sheet, as_file

SCREENS: list[tuple[str, Text]] = [
    ("analysis", _("All teams")),
    ("scatter", _("Auto and tele")),
    ("ranking", _("Ranking")),
    ("matches", _("Matches")),
    ("event-forms", _("Forms")),
    ("coverage", _("Coverage")),
    ("pits", _("Pits")),
    ("scouts", _("Scouts")),
]


def read_event(request: SignedInRequest, **options: bool) -> Reading | None:
    """The event of the page, None if there is none yet."""
    key = reading.chosen_event(request.GET.get("event", ""))
    return reading.at(key, **options) if key else None


def no_event(request: SignedInRequest) -> HttpResponse:
    return render(request, "scouting/no_event.html")


def screen(
    request: SignedInRequest, name: str, read: Reading, template: str, context: dict[str, Any]
) -> HttpResponse:
    shared = {
        "event": read.event,
        "game": read.game,
        "screen": name,
        "tabs": list(_tabs(request, read.event.key)),
        # The older of the two says how old the page is.
        "told_at": min(
            filter(None, (read.event.teams_fetched_at, read.event.schedule_fetched_at)), default=None
        ),
    }
    return render(request, template, shared | context)


def sheet(
    request: SignedInRequest, name: str, read: Reading, table: Sheet, **context: Any
) -> HttpResponseBase:
    """A screen that is a table; with `?as=`, its file."""
    asked = request.GET.copy()
    asked.pop("as", None)
    asked["event"] = read.event.key
    unsorted = asked.copy()
    unsorted.pop("sort", None)
    context |= {"sheet": table, "asked": asked.urlencode(), "sort_asked": unsorted.urlencode()}
    file = as_file(request, table, read.event.key)
    return file or screen(request, name, read, "scouting/sheet.html", context)


def team_address(number: str, event: str) -> str:
    return f"{reverse('scouting:team', args=[number])}?event={event}"


def team_cell(read: Reading, number: str) -> Cell:
    return Cell(read.event.team(number).label, team_address(number, read.event.key))


def form_address(form: StandForm) -> str:
    return reverse("scouting:form", args=["stand", repository.stand_forms.key_of(form)])


def _tabs(request: SignedInRequest, event: str) -> Iterator[tuple[str, Text, str]]:
    for name, title in SCREENS:
        address = reverse(f"scouting:{name}")
        if may_open(request.user, resolve(address).func):
            yield name, title, f"{address}?event={event}"
