"""What the pages of the three forms share: the event for which they are sent, and sending them once."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import SignedInRequest
from core.crud.forms import RefusableForm
from core.dynamo.errors import Invalid, Text
from core.dynamo.idempotency import LONGEST_KEY, IdempotencyKey
from core.dynamo.items import new_id
from core.stores import idempotency
from scouting import keys
from scouting.events.event import NoSuchEvent, ScoutedEvent
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos
from scouting.settings import services as settings

AT_WHICH = _("At which event are you?")


def sent_for_event(
    view: Callable[[SignedInRequest, str], HttpResponse],
) -> Callable[[SignedInRequest], HttpResponse]:
    """Give a view the key of the event that is asked for; where there is none, people choose another."""

    @wraps(view)
    def opened(request: SignedInRequest) -> HttpResponse:
        event = _chosen_event(request)
        if event is None:
            return choose_event(request)
        try:
            return view(request, event)
        except NoSuchEvent as error:
            return choose_instead(request, error)

    return opened


def _chosen_event(request: SignedInRequest) -> str | None:
    """What the form says, else what the address says; the event at which we are if neither does."""
    season = settings.active()
    if "choose" in request.GET and not season.is_locked:
        return None
    text = request.POST.get("event") or request.GET.get("event", "")
    # A form that was opened before the event was locked is refused when it is sent, with what was typed.
    if text and (request.method == "POST" or not season.is_locked):
        try:
            return keys.event_key(text)
        except Invalid:
            return season.event
    return season.event


def choose_event(
    request: SignedInRequest, heading: Text = AT_WHICH, *, problem: Text = "", status: int = 200
) -> HttpResponse:
    """The same page for another event, or because nobody has said at which one we are."""
    context = {
        "events": event_infos.newest_first(),
        "heading": heading,
        "problem": problem,
    }
    return render(request, "scouting/forms/choose_event.html", context, status=status)


def choose_instead(request: SignedInRequest, error: NoSuchEvent, heading: Text = AT_WHICH) -> HttpResponse:
    """Perhaps we were there until just now: what this process knows may be out of date."""
    settings.forget()
    return choose_event(request, heading, problem=error.message, status=error.status_code)


def about_event(entry: RefusableForm, event: ScoutedEvent) -> dict[str, Any]:
    """What the page says of its event. A form that was refused because of it has a choice of others."""
    is_refused = entry.is_bound and "event" in entry.errors
    return {
        "event": event,
        "season": settings.active(),
        "other_events": _open_events() if is_refused else [],
    }


def _open_events() -> list[EventInfo]:
    season, events = settings.active(), event_infos.newest_first()
    return [event for event in events if not season.is_locked or event.event == season.event]


def described(key: str, *, may_be_gone: bool) -> ScoutedEvent:
    """What was typed is shown again, also where its event is gone."""
    try:
        return event_infos.read(key)
    except NoSuchEvent:
        if not may_be_gone:
            raise
        return ScoutedEvent(key, key)


def once_of(request: SignedInRequest, route: str) -> IdempotencyKey | None:
    """The key of the form; whoever sends a deleted one anew has chosen another one for it."""
    once = idempotency.once(request, route=route)
    anew = request.POST.get("anew", "")[:LONGEST_KEY]
    return replace(once, key=anew) if once and anew else once


def about_deleted(request: SignedInRequest) -> dict[str, Any]:
    """A form that a lead has deleted keeps its key: only its own button sends it as a new one."""
    return {"sent_key": idempotency.key_of(request), "new_key": new_id()}


def asked_team(request: SignedInRequest, name: str) -> str:
    """A team in the address; what is none is left out."""
    try:
        return keys.team_key(request.GET.get(name, ""))
    except Invalid:
        return ""
