"""Scouting a match: one page that needs nothing of the server between opening and sending."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.rights import SignedInRequest, requires
from crud.http import go, page_or_partial
from crud.toasts import tell
from dynamo.errors import DataError, Invalid, KeyReused, NotFound, Unavailable
from scouting import keys, repository
from scouting.event import ScoutedEvent
from scouting.forms import StandEntry, showing
from scouting.models import StandForm
from scouting.services import forms, settings
from stores import idempotency

ROUTE = "scouting:stand"
# About sixteen matches: whoever sends an older form twice is told when it arrives.
LATEST = 100


@requires("scouting.form.create")
@require_http_methods(["GET", "HEAD", "POST"])
def stand(request: SignedInRequest) -> HttpResponse:
    event = chosen_event(request)
    if event is None:
        return choose_event(request, ROUTE)
    if request.method != "POST":
        return _page(request, event)
    entry = StandEntry(forms.game_of(event), request.POST)
    if not entry.is_valid():
        return _page(request, event, entry, status=422)
    try:
        forms.SENDING.ensure(request.user.sub)
        form = forms.submit_stand(
            request.user,
            entry.fields_of(),
            once=idempotency.once(request, route=ROUTE),
            is_further="further" in request.POST,
        )
    except Unavailable:
        raise
    except forms.Taken as taken:
        return _page(request, event, entry, status=409, taken=taken.current)
    except KeyReused as error:
        # The page came back by the browser's own button. Shown again, it has a key of its own.
        told = _("You have sent this form before, with other contents. Send it again if you mean it.")
        entry.add_error(None, told)
        return _page(request, event, entry, status=error.status_code)
    except DataError as error:
        entry.add_refusal(error)
        return _page(request, event, entry, status=error.status_code, headers=error.headers)
    sent = {"team": form.team, "match": int(form.match), "points": f"{float(form.total_score):g}"}
    tell(request, _("Sent: %(team)s in match %(match)d, score %(points)s.") % sent)
    return go(request, f"{reverse(ROUTE)}?{urlencode({'event': event, 'after': sent['match']})}")


def chosen_event(request: SignedInRequest) -> str | None:
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


def choose_event(request: SignedInRequest, route: str) -> HttpResponse:
    """Nobody has said at which event we are."""
    events = repository.event_infos.by_key(newest_first=True).items
    return render(request, "scouting/stand_events.html", {"events": events, "address": reverse(route)})


def read_event(event: str) -> ScoutedEvent:
    """One that nobody has described yet is only its key."""
    try:
        return repository.event_infos.read(event)
    except NotFound:
        return ScoutedEvent(event, name=event)


def _page(
    request: SignedInRequest,
    event_key: str,
    entry: StandEntry | None = None,
    *,
    status: int = 200,
    taken: StandForm | None = None,
    headers: dict[str, str] | None = None,
) -> HttpResponse:
    """Three requests: the session, the event, and the newest forms."""
    event = read_event(event_key)
    sent = repository.stand_forms.latest(event_key, newest_first=True, limit=LATEST).items
    game = forms.game_of(event_key)
    after = request.GET.get("after", "")
    if entry is None:
        number = showing.next_match(
            event, sent, request.user.sub, int(after) if after.isdecimal() and len(after) < 5 else None
        )
        entry = StandEntry(game, initial={"event": event_key, "match": number})
    else:
        typed = str(entry.data.get("match", ""))
        number = int(typed) if typed.isdecimal() and len(typed) < 5 else None
    context: dict[str, Any] = {
        "form": entry,
        "event": event,
        "season": settings.active(),
        "seats": showing.seats(event, number),
        "data": showing.script_data(game.questions, **showing.match_data(event, sent)),
        "is_next": bool(after) and status == 200,
        "taken": taken,
        "taken_told": showing.told_stand(game, taken) if taken else [],
    }
    response = page_or_partial(request, "scouting/stand.html", "page", context, status=status)
    for name, value in (headers or {}).items():
        response[name] = value
    return response
