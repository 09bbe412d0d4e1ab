"""Asking a team in the pit: one form of each team at an event."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.accounts.rights import SignedInRequest, may, requires
from core.common.http import go, with_headers
from core.crud import toasts
from core.crud.http import page_or_partial
from core.dynamo.errors import DataError, Unavailable
from scouting.forms import corrections, presenters
from scouting.forms import services as forms
from scouting.forms.forms import PitEntry
from scouting.forms.limits import SENDING
from scouting.forms.models import PitForm
from scouting.forms.repository import pit_forms
from scouting.forms.views.submit import (
    about_deleted,
    about_event,
    asked_team,
    described,
    once_of,
    sent_for_event,
)

ROUTE = "scouting:pit"


@requires("scouting.form.create")
@require_http_methods(["GET", "HEAD", "POST"])
@sent_for_event
def pit(request: SignedInRequest, event: str) -> HttpResponse:
    game = forms.game_of(event)
    if request.method != "POST":
        team = request.GET.get("team", "")
        return _page(request, event, PitEntry(game, initial={"event": event, "team": team}))
    entry = PitEntry(game, request.POST, request.FILES)
    if not entry.is_valid():
        entry.focus_first_error()
        return _page(request, event, entry, status=422)
    try:
        SENDING.ensure(request.user.sub)
        form = forms.submit_pit(
            request.user,
            entry.fields_of(),
            files=entry.new_photos,
            once=once_of(request, ROUTE),
        )
    except Unavailable:
        raise
    except forms.Taken as taken:
        return _page(request, event, entry, status=409, taken=taken.current)
    except forms.Deleted as error:
        return _page(request, event, entry, status=error.status_code, **about_deleted(request))
    except DataError as error:
        entry.add_refusal(error)
        entry.focus_first_error()
        return _page(request, event, entry, status=entry.status_of(error), headers=error.headers)
    toasts.add(request, _("The pit form of %(team)s is saved.") % {"team": form.team})
    return go(request, f"{reverse(ROUTE)}?{urlencode({'event': event, 'sent': form.team})}")


def _page(
    request: SignedInRequest,
    event_key: str,
    entry: PitEntry,
    *,
    status: int = 200,
    taken: PitForm | None = None,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> HttpResponse:
    if status != 200:
        entry.ask_for_photos_again()
    event = described(event_key, may_be_gone=entry.is_bound)
    context = {
        "form": entry,
        **about_event(entry, event),
        "doubt": presenters.unlisted(event, asked_team(request, "sent")),
        "data": presenters.script_data(entry.questions),
        "taken": taken,
        "taken_key": pit_forms.key_of(taken) if taken else "",
        "may_see_taken": taken is not None and may(request.user, "scouting.form.view", taken),
        "may_change_taken": taken is not None and corrections.may_correct(request.user, taken, event),
        **more,
    }
    response = page_or_partial(request, "scouting/forms/pit.html", "page", context, status=status)
    return with_headers(response, headers)
