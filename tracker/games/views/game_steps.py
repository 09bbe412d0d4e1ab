"""Changing a game: its date and its scores, its state, and deleting it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go
from core.crud import toasts
from core.crud.conflicts import contested_fields
from core.crud.toasts import Undo
from core.dynamo.errors import Conflict, DataError, Invalid, KeyReused, NotFound, Replayed, Unavailable
from core.stores import idempotency
from tracker.games.forms.games import DeleteForm, ForfeitForm, GameForm, StepForm
from tracker.games.models import FINAL, IN_PROGRESS, Game
from tracker.games.presenters import Card
from tracker.games.repository import GameStory
from tracker.games.services import game_removal
from tracker.games.services import games as service
from tracker.games.views.game import Opened, opened, page_of
from tracker.navigation import frame
from tracker.rules import game_states, season_rules
from tracker.scoring import game_writing

SHOWN = (*service.PLANNED, *service.SCORES)


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, game: str) -> HttpResponse:
    found = opened(request, game)
    found.access.ensure("manage_games")
    without, seasons = _untyped(found.story), found.roster.seasons
    if request.method != "POST":
        form = GameForm(seasons=seasons, without=without, initial=GameForm.initial_of(found.game))
        return _edit_page(request, found, form)
    form = GameForm(request.POST, seasons=seasons, without=without, initial=GameForm.initial_of(found.game))
    if not form.is_valid():
        form.focus_first_error()
        return _edit_page(request, found, form, status=422, seen=request.POST.get("seen", ""))
    try:
        service.edit(
            request.user,
            game,
            form.fields_of(),
            seen=request.POST.get("seen", ""),
            once=idempotency.once(request),
        )
    except Replayed:
        pass
    except Conflict as error:
        stored = error.current if isinstance(error.current, Game) else opened(request, game).game
        contested = contested_fields(form, GameForm.initial_of(stored))
        # Pressing Save again means the own version: the person has now seen the other one.
        seen = game_writing.fingerprint(stored, SHOWN)
        return _edit_page(request, found, form, status=409, seen=seen, contested=contested)
    except DataError as error:
        if not _is_told(error):
            raise
        form.add_refusal(error)
        form.focus_first_error()
        return _edit_page(request, found, form, status=error.status_code, seen=request.POST.get("seen", ""))
    toasts.add(request, _("Saved."))
    return go(request, reverse("tracker:game", args=[game]))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def status(request: SignedInRequest, game: str) -> HttpResponse:
    """Take the game to another state; what the step asks for is typed on a page of its own."""
    found = opened(request, game)
    end = (request.POST if request.method == "POST" else request.GET).get("status", "").upper()
    step = game_states.step(found.game.status, end)
    if request.method != "POST":
        found.access.ensure("manage_games")
        if step is None:
            raise NotFound
        found.access.ensure(step.needs)
        return _step_page(request, found, step, _step_form(found, step))
    typed: Mapping[str, Any] = {}
    form = None
    if step is not None and found.access.may(step.needs):
        form = _step_form(found, step, request.POST)
        if not form.is_valid():
            form.focus_first_error()
            return _step_page(request, found, step, form, status=422)
        typed = form.cleaned_data
    try:
        service.move(request.user, game, end, fields=typed, once=idempotency.once(request))
    except Replayed:
        pass
    except DataError as error:
        if not _is_told(error):
            raise
        if step is not None and form is not None and form.fields:
            form.add_refusal(error)
            form.focus_first_error()
            return _step_page(request, found, step, form, status=error.status_code)
        context = page_of(request, opened(request, game)) | {
            "problem": error,
            "is_without_lineup": isinstance(error, service.NeedsLineup),
        }
        return render(request, "tracker/games/game.html", context, status=error.status_code)
    toasts.add(request, step.done if step else _("Saved."))
    return go(request, reverse("tracker:game", args=[game]))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def forfeit(request: SignedInRequest, game: str) -> HttpResponse:
    """One side has won without playing on."""
    found = opened(request, game)
    found.access.ensure("manage_games")
    if found.access.team.is_personal:
        raise NotFound
    form = ForfeitForm(request.POST if request.method == "POST" else None, game=found.game)
    if request.method != "POST" or not form.is_valid():
        return _forfeit_page(request, found, form)
    try:
        winner, once = form.cleaned_data["winner"], idempotency.once(request)
        service.forfeit(request.user, game, winner=winner, once=once)
    except Replayed:
        pass
    except Conflict as error:
        form.add_refusal(error)
        return _forfeit_page(request, found, form, status=409)
    toasts.add(request, _("The game is forfeited."))
    return go(request, reverse("tracker:game", args=[game]))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: SignedInRequest, game: str) -> HttpResponse:
    found = opened(request, game)
    found.access.ensure("manage_games")
    form = DeleteForm(request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        return _delete_page(request, found, form)
    try:
        trash_id = game_removal.delete(
            request.user, game, confirmed=form.cleaned_data["confirmed"], once=idempotency.once(request)
        )
    except Replayed:
        trash_id = ""
    except Conflict as error:
        form.add_refusal(error)
        return _delete_page(request, found, form, status=409)
    undo = Undo(reverse("tracker:game-restore", args=[game]), {"trash": trash_id}) if trash_id else None
    toasts.add(request, _("The game was deleted."), undo=undo)
    return go(request, reverse("tracker:games", args=[found.game.team_id]))


@requires("tracker.team.view")
@require_POST
def restore(request: SignedInRequest, game: str) -> HttpResponse:
    told = _("The game is back.")
    with suppress(Replayed):
        trash_id = request.POST.get("trash", "")
        back = game_removal.restore(request.user, game, trash_id, once=idempotency.once(request))
        if back.is_without_season:
            told = _("The game is back, without its season, which was deleted meanwhile.")
    toasts.add(request, told)
    return go(request, reverse("tracker:game", args=[game]))


def followed(story: GameStory) -> list[str]:
    """The scores that follow from what was written down, so that nobody types them."""
    told = [] if service.score_is_entered(story) else ["team_score"]
    return [*told, "opponent_score"] if service.opponent_score_follows(story.game) else told


def _untyped(story: GameStory) -> Sequence[str]:
    """Before the game there is no score to be typed."""
    is_played = story.game.status in (IN_PROGRESS, FINAL)
    return followed(story) if is_played else service.SCORES


def _is_told(error: DataError) -> bool:
    """Whether the page can say it; what is not there, and what cannot be reached, has a page of its own."""
    if isinstance(error, Unavailable):
        return False
    return error.field is not None or isinstance(error, Conflict | Invalid | KeyReused)


def _step_form(found: Opened, step: game_states.Step, data: Any = None) -> StepForm:
    without = followed(found.story) if step.asks_score else ()
    return StepForm(data, step=step, game=found.game, without=without)


def _edit_page(
    request: SignedInRequest,
    found: Opened,
    form: GameForm,
    *,
    status: int = 200,
    seen: str | None = None,
    contested: Any = (),
) -> HttpResponse:
    context = frame(found.access, "games") | {
        "form": form,
        "game": found.game,
        "card": Card(found.game),
        "seen": game_writing.fingerprint(found.game, SHOWN) if seen is None else seen,
        "contested": contested,
        "follows": followed(found.story),
    }
    return render(request, "tracker/games/game_form.html", context, status=status)


def _step_page(
    request: SignedInRequest, found: Opened, step: game_states.Step, form: StepForm, *, status: int = 200
) -> HttpResponse:
    context = frame(found.access, "games") | {
        "form": form,
        "step": step,
        "game": found.game,
        "card": Card(found.game),
    }
    return render(request, "tracker/games/game_step.html", context, status=status)


def _forfeit_page(
    request: SignedInRequest, found: Opened, form: ForfeitForm, *, status: int = 200
) -> HttpResponse:
    status = 422 if form.errors and status == 200 else status
    league = season_rules.of_game(found.game, found.roster.season(found.game.season_id))
    context = frame(found.access, "games") | {
        "form": form,
        "game": found.game,
        "card": Card(found.game),
        "innings": league.innings,
    }
    return render(request, "tracker/games/game_forfeit.html", context, status=status)


def _delete_page(
    request: SignedInRequest, found: Opened, form: DeleteForm, *, status: int = 200
) -> HttpResponse:
    context = frame(found.access, "games") | {
        "form": form,
        "game": found.game,
        "card": Card(found.game),
        "count": len(found.story.at_bats),
    }
    return render(request, "tracker/games/game_delete.html", context, status=status)
