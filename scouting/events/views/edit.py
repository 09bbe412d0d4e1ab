"""Changing an event by hand: what it is called, its teams, its matches."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, small_number
from core.crud import toasts
from core.crud.conflicts import Contested, contested_fields
from core.dynamo.errors import (
    AlreadyExists,
    Conflict,
    DataError,
    KeyReused,
    NotFound,
    Replayed,
    TooLarge,
    Unavailable,
)
from core.stores import idempotency
from scouting.events import services as service
from scouting.events.forms import EventForm, LinesForm
from scouting.events.lines import BadLines, match_lines, team_lines
from scouting.events.repository import EventParts, event_infos
from scouting.models import ScoutedItem


@requires("scouting.event.update")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, key: str) -> HttpResponse:
    if request.method != "POST":
        info = event_infos.parts(key, strong=True).info
        return _edit_page(request, info, EventForm(initial=EventForm.initial_of(info)))
    form = EventForm(request.POST)
    if not form.is_valid():
        return _refused(request, key, form, status=422)
    try:
        service.edit(request.user, key, form.fields_of(), **_sent(request))
    except Replayed:
        pass
    except Conflict as error:
        contested = contested_fields(form, EventForm.initial_of(error.current))
        return _edit_page(request, error.current, form, status=409, contested=contested)
    except KeyReused as error:
        form.add_error(
            None, _("You have sent this form before, with other contents. Save again if you mean it.")
        )
        return _refused(request, key, form, status=error.status_code)
    except TooLarge as error:
        form.add_refusal(error)
        return _refused(request, key, form, status=error.status_code)
    toasts.add(request, _("Saved."))
    return go(request, reverse("scouting:event", args=[key]))


@requires("scouting.event.update")
@require_http_methods(["GET", "HEAD", "POST"])
def teams(request: SignedInRequest, key: str) -> HttpResponse:
    return _lines(
        request,
        key,
        title=_("Teams"),
        label=_("One team to a line"),
        help=_("Its number, its name and, behind a bar, its place: 254 The Cheesy Poofs | San Jose"),
        part=lambda parts: (parts.teams, team_lines(parts.event.teams)),
        save=service.type_teams,
    )


@requires("scouting.event.update")
@require_http_methods(["GET", "HEAD", "POST"])
def schedule(request: SignedInRequest, key: str) -> HttpResponse:
    return _lines(
        request,
        key,
        title=_("Matches"),
        label=_("One match to a line"),
        help=_(
            "Number, red, blue, and the score if there is one: 1: 254 1678 20 - 2053 2095 254B = 45 - 60. "
            "A place that is still open is a ?, and a ! follows a team that was disqualified: 2095!"
        ),
        part=lambda parts: (parts.schedule, match_lines(parts.event.matches)),
        save=service.type_matches,
    )


def _lines(
    request: SignedInRequest,
    key: str,
    *,
    title: str,
    label: str,
    help: str,
    part: Callable[[EventParts], tuple[ScoutedItem, str]],
    save: Callable[..., Any],
) -> HttpResponse:
    """A list that is typed. Nothing typed is lost, whatever is wrong with it."""
    parts = event_infos.parts(key, strong=True)
    item, text = part(parts)
    context = {"info": parts.info, "event": parts.event, "title": title, "version": item.seen_version}
    if request.method != "POST":
        return _lines_page(request, context, LinesForm(initial={"text": text}, label=label, help=help))
    form = LinesForm(request.POST, label=label, help=help)
    # A form that was refused is sent again from the version that the person saw, not from a newer one.
    context["version"] = _sent(request)["seen_version"]
    if not form.is_valid():
        return _lines_page(request, context, form, status=422)
    try:
        save(request.user, key, form.cleaned_data["text"], **_sent(request))
    except Replayed:
        pass
    except BadLines as error:
        form.add_problems(error)
        form.focus_first_error()
        return _lines_page(request, context, form, status=422)
    except (Conflict, AlreadyExists):
        stored, theirs = part(event_infos.parts(key, strong=True))
        context |= {"version": stored.seen_version, "theirs": theirs}
        return _lines_page(request, context, form, status=409)
    except (NotFound, Unavailable):
        raise
    except DataError as error:
        form.add_refusal(error)
        return _lines_page(request, context, form, status=error.status_code)
    toasts.add(request, _("Saved."))
    return go(request, reverse("scouting:event", args=[key]))


def _sent(request: SignedInRequest) -> dict[str, Any]:
    return {
        "seen_version": small_number(request.POST.get("version", "")),
        "once": idempotency.once(request),
    }


def _lines_page(
    request: SignedInRequest, context: dict[str, Any], form: LinesForm, *, status: int = 200
) -> HttpResponse:
    return render(request, "scouting/events/lines.html", context | {"form": form}, status=status)


def _refused(request: SignedInRequest, key: str, form: EventForm, *, status: int) -> HttpResponse:
    form.focus_first_error()
    return _edit_page(request, event_infos.parts(key, strong=True).info, form, status=status)


def _edit_page(
    request: SignedInRequest,
    info: Any,
    form: EventForm,
    *,
    status: int = 200,
    contested: list[Contested] | None = None,
) -> HttpResponse:
    context = {"info": info, "form": form, "contested": contested}
    return render(request, "scouting/events/edit.html", context, status=status)
