"""Offering a quest, and changing the offer as long as nobody has taken it on."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, small_number, with_headers
from core.crud import toasts
from core.crud.contested import Contested, contested_fields
from core.dynamo.errors import Conflict, DataError, NotFound, Replayed, Unavailable
from core.dynamo.items import new_id
from core.stores import idempotency
from quests import reading, repository, rules
from quests.forms import QuestForm
from quests.limits import limit
from quests.models import Quest
from quests.services import lifecycle
from quests.starting_points import STARTING_POINTS

TEMPLATE = "quests/form.html"


@requires("quests.quest.create")
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest) -> HttpResponse:
    if request.method != "POST":
        return _new_page(request, QuestForm(initial=_beginning(request.GET.get("from", ""))))
    form = QuestForm(request.POST)
    if not form.is_valid():
        form.focus_first_error()
        return _new_page(request, form, status=422)
    key = new_id()
    try:
        limit("create", request.user.sub)
        once = idempotency.once(request, answer={"key": key})
        lifecycle.create(request.user, form.fields_of(), key=key, once=once)
    except Replayed as earlier:
        key = earlier.answer["key"]
    except Unavailable:
        raise
    except DataError as error:
        form.add_refusal(error)
        return _new_page(request, form, status=error.status_code, headers=error.headers)
    toasts.add(request, _("Your quest is on the board."))
    return go(request, reverse("quests:quest-record", args=[key]))


@requires("quests.quest.view")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, key: str) -> HttpResponse:
    if request.method != "POST":
        quest = lifecycle.allowed(request.user, key, "edit", None)
        return _edit_page(request, quest, QuestForm(initial=QuestForm.initial_of(quest)))
    form = QuestForm(request.POST)
    seen = request.POST.get("version", "")
    try:
        if not form.is_valid():
            quest = lifecycle.allowed(request.user, key, "edit", idempotency.once(request))
            form.focus_first_error()
            return _edit_page(request, quest, form, status=422)
        limit("edit", request.user.sub)
        lifecycle.edit(
            request.user,
            key,
            form.fields_of(),
            seen_version=small_number(seen),
            once=idempotency.once(request),
        )
    except Replayed:
        pass
    except (NotFound, Unavailable):
        raise
    except DataError as error:
        stored = repository.quests.get(key, strong=True)
        is_stale = isinstance(error, Conflict)
        if not is_stale:
            form.add_refusal(error)
        # The person has now seen what is stored: pressing Save again means their own version.
        return _edit_page(
            request,
            stored,
            form,
            status=error.status_code,
            contested=contested_fields(form, form.initial_of(stored)) if is_stale else None,
            headers=error.headers,
        )
    toasts.add(request, _("Saved."))
    return go(request, reverse("quests:quest-record", args=[key]))


def _beginning(name: str) -> dict[str, Any]:
    chosen = STARTING_POINTS.get(name)
    return QuestForm.usual() | (chosen._asdict() if chosen else {})


def _new_page(
    request: SignedInRequest, form: QuestForm, *, status: int = 200, headers: dict[str, str] | None = None
) -> HttpResponse:
    points = reading.people([request.user.sub]).points(request.user.sub)
    context = {
        "form": form,
        "starting_points": STARTING_POINTS.items(),
        "chosen": request.GET.get("from", ""),
        "cost": rules.COST_OF_A_QUEST,
        # The first quest opens an account that is missing, with the points to begin with.
        "points": rules.STARTING_POINTS if points is None else points,
    }
    return _answer(request, context, status, headers)


def _edit_page(
    request: SignedInRequest,
    quest: Quest,
    form: QuestForm,
    *,
    status: int = 200,
    contested: list[Contested] | None = None,
    headers: dict[str, str] | None = None,
) -> HttpResponse:
    context = {"form": form, "quest": quest, "contested": contested}
    return _answer(request, context, status, headers)


def _answer(
    request: SignedInRequest, context: dict[str, Any], status: int, headers: dict[str, str] | None
) -> HttpResponse:
    return with_headers(render(request, TEMPLATE, context, status=status), headers)
