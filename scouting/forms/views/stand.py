"""Scouting a match: one page that needs nothing of the server between opening and sending."""

from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.accounts.rights import SignedInRequest, may, requires
from core.common.http import go, small_number, with_headers
from core.crud import toasts
from core.crud.http import page_or_partial
from core.dynamo.errors import DataError, KeyReused, Unavailable
from scouting import keys
from scouting.events.event import ScoutedEvent
from scouting.forms import corrections, presenters
from scouting.forms import services as forms
from scouting.forms.forms import StandEntry
from scouting.forms.limits import SENDING
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from scouting.forms.views.submit import (
    about_deleted,
    about_event,
    asked_team,
    described,
    once_of,
    sent_for_event,
)
from scouting.games.definition import Game

ROUTE = "scouting:stand"
# About sixteen matches: whoever sends an older form twice is told when it arrives.
LATEST = 100


@requires("scouting.form.create")
@require_http_methods(["GET", "HEAD", "POST"])
@sent_for_event
def stand(request: SignedInRequest, event: str) -> HttpResponse:
    if request.method != "POST":
        return _page(request, event)
    entry = StandEntry(forms.game_of(event), request.POST)
    if not entry.is_valid():
        entry.focus_first_error()
        return _page(request, event, entry, status=422)
    try:
        SENDING.ensure(request.user.sub)
        form = forms.submit_stand(
            request.user,
            entry.fields_of(),
            once=once_of(request, ROUTE),
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
    except forms.Deleted as error:
        return _page(request, event, entry, status=error.status_code, **about_deleted(request))
    except DataError as error:
        entry.add_refusal(error)
        entry.focus_first_error()
        return _page(request, event, entry, status=entry.status_of(error), headers=error.headers)
    sent = {"team": form.team, "match": int(form.match), "points": f"{float(form.total_score):g}"}
    toasts.add(request, _("Sent: %(team)s in match %(match)d, score %(points)s.") % sent)
    asked = {"event": event, "after": sent["match"], "sent": form.team}
    return go(request, f"{reverse(ROUTE)}?{urlencode(asked)}")


def _page(
    request: SignedInRequest,
    event_key: str,
    entry: StandEntry | None = None,
    *,
    status: int = 200,
    taken: StandForm | None = None,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> HttpResponse:
    """Three requests: the session, the event, and the newest forms."""
    event = described(event_key, may_be_gone=entry is not None)
    sent = stand_forms.latest(event_key, newest_first=True, limit=LATEST).items
    game = forms.game_of(event_key)
    after = small_number(request.GET.get("after", ""))
    if entry is None:
        asked = small_number(request.GET.get("match", ""))
        if not 1 <= asked <= keys.HIGHEST_MATCH:
            asked = 0
        number = asked or presenters.next_match(event, sent, request.user.sub, after or None)
        initial = {"event": event_key, "match": number, "team": asked_team(request, "team")}
        entry = StandEntry(game, initial=initial)
    else:
        number = small_number(str(entry.data.get("match", "")))
    context: dict[str, Any] = {
        "form": entry,
        **about_event(entry, event),
        "seats": presenters.seats(event, number),
        "teams": presenters.team_options(event.teams),
        # Nothing is answered yet: what it asks is the same for everybody.
        "blank": None if entry.is_bound else _blank(game, get_language()),
        "data": presenters.stand_data(game, event, sent, request.user.sub),
        "is_next": bool(after) and bool(number) and status == 200,
        "was_last": number is None and bool(event.matches),
        "doubt": presenters.doubt(event, asked_team(request, "sent"), after) if status == 200 else "",
        **(_about_taken(request, taken, event) if taken else {}),
        **more,
    }
    response = page_or_partial(request, "scouting/forms/stand.html", "page", context, status=status)
    return with_headers(response, headers)


@lru_cache(maxsize=8)
def _blank(game: Game, language: str | None) -> dict[str, SafeString]:
    """The steps of an empty form, and the buttons that lead to them."""
    context = {"form": StandEntry(game)}
    return {
        part: render_to_string(f"scouting/forms/stand.html#{part}", context) for part in ("buttons", "parts")
    }


def _about_taken(request: SignedInRequest, taken: StandForm, event: ScoutedEvent) -> dict[str, Any]:
    """A scout is told who sent it, when, and the score; the answers are for the own one and for leads."""
    may_see = may(request.user, "scouting.form.view", taken)
    return {
        "taken": taken,
        "taken_key": stand_forms.key_of(taken),
        "taken_told": presenters.told_stand(forms.game_of(taken.event, [taken]), taken) if may_see else [],
        "taken_is_own": taken.scout_id == request.user.sub,
        "may_change_taken": corrections.may_correct(request.user, taken, event),
    }
