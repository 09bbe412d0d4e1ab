"""The list of events, a new event, and the page of an event."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go
from core.crud import toasts
from core.crud.form_page import FormPage
from core.crud.sheets import as_file
from core.dynamo.errors import DataError, NotFound, Text, Unavailable
from core.dynamo.paging import DEFAULT_LIMIT, read_token
from scouting.events import exports, services
from scouting.events.forms import NewEventForm
from scouting.events.repository import event_infos
from scouting.events.services import Refreshed
from scouting.settings import services as settings
from scouting.tba import client

PLACE = "scouting:events"


@requires("scouting.event.view")
@require_safe
def events(request: SignedInRequest) -> HttpResponseBase:
    """The events, newest year first; with `?as=`, all of them as a file."""
    if "as" in request.GET:
        file = as_file(request, exports.events(event_infos.newest_first()), "all")
        if file:
            return file
    start = read_token(request.GET.get("after"), request.user.sub, PLACE)
    page = event_infos.by_key(newest_first=True, limit=DEFAULT_LIMIT, start=start)
    context = {
        "events": page.items,
        "next_token": page.next_token(request.user.sub, PLACE),
        "is_first_page": start is None,
        "active": settings.active().event,
    }
    return render(request, "scouting/events/list.html", context)


@requires("scouting.event.update")
class NewEvent(FormPage[NewEventForm]):
    """Create an event, and fetch what The Blue Alliance knows of it."""

    form_class = NewEventForm
    template = "scouting/events/new.html"

    def save(self) -> None:
        key = self.form.cleaned_data["event"].strip().lower()
        self.answer = {"key": key}
        services.create(self.request.user, key, self.form.fields_of(), once=self.once)

    def status_of(self, error: DataError) -> int:
        return error.status_code

    def context(self) -> Mapping[str, Any]:
        if not client.is_set_up():
            self.form.fields["name"].help_text = _("Left empty, it is called by its code.")
        return {"asks_tba": client.is_set_up()}

    def done(self) -> HttpResponse:
        key = self.answer["key"]
        if not self.is_replay and self.form.cleaned_data["is_own"]:
            toasts.add(self.request, _("The event is there. Its teams and matches can be typed."))
        elif not self.is_replay:
            _refresh_and_tell(self.request, key)
        return go(self.request, _address(key))


@requires("scouting.event.view")
@require_safe
def event(request: SignedInRequest, key: str) -> HttpResponseBase:
    """The page of an event; with `?as=`, its teams or its matches as a file."""
    if "as" in request.GET:
        of = exports.schedule if request.GET.get("list") == "schedule" else exports.teams
        file = as_file(request, of(event_infos.read(key)), key)
        if file:
            return file
    return event_page(request, key)


@requires("scouting.event.update")
@require_POST
def refresh(request: SignedInRequest, key: str) -> HttpResponse:
    """Refresh from The Blue Alliance; if that fails, the page says why, and how old the stored data is."""
    replaces = request.POST.get("replace") == "yes"
    try:
        refreshed = services.refresh(request.user, key, replaces_typed=replaces)
    except (NotFound, Unavailable):
        raise
    except DataError as error:
        return event_page(request, key, problem=error.message, status=error.status_code)
    toasts.add(request, _told(refreshed))
    return go(request, _address(key))


def _refresh_and_tell(request: SignedInRequest, key: str) -> None:
    try:
        toasts.add(request, _told(services.refresh(request.user, key)))
    except DataError as error:
        made = _("The event is there, but without its teams: %(why)s") % {"why": error.message}
        toasts.add(request, made, level=messages.WARNING)


def _told(refreshed: Refreshed) -> str:
    teams = ngettext("%d team", "%d teams", refreshed.teams) % refreshed.teams
    matches = ngettext("%d match", "%d matches", refreshed.matches) % refreshed.matches
    told = _("Up to date: %(teams)s, %(matches)s.") % {"teams": teams, "matches": matches}
    if refreshed.playoffs:
        playoffs = ngettext("%d match", "%d matches", refreshed.playoffs) % refreshed.playoffs
        told += " " + _("Playoffs: %(matches)s.") % {"matches": playoffs}
    typed = [*refreshed.typed_teams, *refreshed.typed_matches]
    return f"{told} {_('What was typed and differs was kept.')}" if typed else told


def event_page(
    request: SignedInRequest, key: str, *, problem: Text = "", delete_problem: Text = "", status: int = 200
) -> HttpResponse:
    parts = event_infos.parts(key, strong=True)
    event = parts.event
    playing = {match.number for match in event.matches}
    named = {team.number for team in event.teams}
    context = {
        "info": parts.info,
        "event": event,
        "typed_teams": [number for number in parts.teams.by_hand if number in named],
        "typed_matches": [number for number in parts.schedule.by_hand if number in playing],
        "removed_teams": [number for number in parts.teams.by_hand if number not in named],
        "removed_matches": [number for number in parts.schedule.by_hand if number not in playing],
        "unlisted": [number for number in event.team_numbers if number not in named] if named else [],
        "is_active": settings.active().event == key,
        "asks_tba": client.is_set_up(),
        "has_teams": parts.teams.version is not None,
        "has_schedule": parts.schedule.version is not None,
        "problem": problem,
        "delete_problem": delete_problem,
    }
    return render(request, "scouting/events/event.html", context, status=status)


def _address(key: str) -> str:
    return reverse("scouting:event", args=[key])
