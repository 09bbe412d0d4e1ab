"""A comment about a team, at any time."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, with_headers
from core.crud import toasts
from core.crud.http import page_or_partial
from core.dynamo.errors import DataError, Unavailable
from scouting.forms import presenters
from scouting.forms import services as forms
from scouting.forms.forms import CommentEntry
from scouting.forms.limits import SENDING
from scouting.forms.views.submit import (
    about_deleted,
    about_event,
    asked_team,
    described,
    once_of,
    sent_for_event,
)

ROUTE = "scouting:comment"


@requires("scouting.form.create")
@require_http_methods(["GET", "HEAD", "POST"])
@sent_for_event
def comment(request: SignedInRequest, event: str) -> HttpResponse:
    if request.method != "POST":
        team = request.GET.get("team", "")
        return _page(request, event, CommentEntry(initial={"event": event, "team": team}))
    entry = CommentEntry(request.POST)
    if not entry.is_valid():
        entry.focus_first_error()
        return _page(request, event, entry, status=422)
    try:
        SENDING.ensure(request.user.sub)
        form = forms.submit_comment(request.user, entry.fields_of(), once=once_of(request, ROUTE))
    except Unavailable:
        raise
    except forms.Deleted as error:
        return _page(request, event, entry, status=error.status_code, **about_deleted(request))
    except DataError as error:
        entry.add_refusal(error)
        entry.focus_first_error()
        return _page(request, event, entry, status=entry.status_of(error), headers=error.headers)
    toasts.add(request, _("Your comment about %(team)s is saved.") % {"team": form.team})
    return go(request, f"{reverse(ROUTE)}?{urlencode({'event': event, 'sent': form.team})}")


def _page(
    request: SignedInRequest,
    event_key: str,
    entry: CommentEntry,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> HttpResponse:
    event = described(event_key, may_be_gone=entry.is_bound)
    context = {
        "form": entry,
        **about_event(entry, event),
        "doubt": presenters.unlisted(event, asked_team(request, "sent")),
        **more,
    }
    response = page_or_partial(request, "scouting/forms/comment.html", "page", context, status=status)
    return with_headers(response, headers)
