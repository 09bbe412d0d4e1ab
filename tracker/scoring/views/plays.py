"""Views of one recorded plate appearance: correct, insert before it, remove, restore."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, small_number
from core.crud import toasts, verbs
from core.crud.http import page_or_partial
from core.crud.toasts import Undo
from core.dynamo import history
from core.dynamo.errors import DataError, Invalid
from core.stores import idempotency
from tracker import repository
from tracker.rules import batting, box_scores
from tracker.scoring import game_writing, presenters, rules
from tracker.scoring.forms.plays import PlayForm
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.rules import Changed, Overtaken, Unconfirmed, Unusable
from tracker.scoring.services import scoring
from tracker.scoring.views.play_form import (
    form_for,
    owner_of,
    posted_play,
    preview_part,
    situation_of,
    summary_of,
)

TEMPLATE = "tracker/scoring/play.html"


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def at_bat(request: SignedInRequest, game: str, at_bat: str) -> HttpResponse:
    if request.method != "POST":
        return _page(request, game_writing.opened(request.user, game, rules.VERB), at_bat)
    try:
        scoring.correct(
            request.user,
            game,
            at_bat,
            posted_play(request, is_correction=True),
            seen_version=small_number(request.POST.get("version", "")),
            once=idempotency.once(request),
        )
    except Unconfirmed:
        opened = game_writing.opened(request.user, game, rules.VERB)
        return _page(request, opened, at_bat, is_unconfirmed=True)
    except (Changed, Invalid) as error:
        return _page(request, game_writing.opened(request.user, game, rules.VERB), at_bat, refused=error)
    toasts.add(request, _("Corrected. Everything that follows was counted again."))
    return go(request, reverse("tracker:score", args=[game]))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def insert(request: SignedInRequest, game: str, at_bat: str) -> HttpResponse:
    """Insert a forgotten plate appearance before this one."""
    if request.method != "POST":
        opened = game_writing.opened(request.user, game, rules.VERB)
        return _page(request, opened, at_bat, is_new=True)
    try:
        scoring.insert(request.user, game, at_bat, posted_play(request), once=idempotency.once(request))
    except Unconfirmed:
        opened = game_writing.opened(request.user, game, rules.VERB)
        return _page(request, opened, at_bat, is_unconfirmed=True, is_new=True)
    except (Overtaken, Invalid) as error:
        opened = game_writing.opened(request.user, game, rules.VERB)
        return _page(request, opened, at_bat, refused=error, is_new=True)
    toasts.add(request, _("Inserted. Everything that follows was counted again."))
    return go(request, reverse("tracker:score", args=[game]))


@requires("tracker.team.view")
@require_POST
def preview(request: SignedInRequest, game: str, at_bat: str) -> HttpResponse:
    """The partial with a one-line summary of the correction."""
    opened = game_writing.opened(request.user, game, rules.VERB)
    index = opened.story.at_bats.index(opened.story.at_bat(at_bat))
    return preview_part(request, opened, index, is_correction=True)


@requires("tracker.team.view")
@require_POST
def insert_preview(request: SignedInRequest, game: str, at_bat: str) -> HttpResponse:
    opened = game_writing.opened(request.user, game, rules.VERB)
    index = opened.story.at_bats.index(opened.story.at_bat(at_bat))
    return preview_part(request, opened, index)


@requires("tracker.team.view")
@require_POST
def remove(request: SignedInRequest, game: str, at_bat: str) -> HttpResponse:
    seen = small_number(request.POST.get("version", ""))
    try:
        scoring.remove(request.user, game, at_bat, seen_version=seen, once=idempotency.once(request))
    except Changed as error:
        toasts.add(request, error.message)
        return go(request, reverse("tracker:at-bat", args=[game, at_bat]))
    toasts.add(
        request, _("It was taken out."), undo=Undo(reverse("tracker:at-bat-restore", args=[game, at_bat]))
    )
    return go(request, reverse("tracker:score", args=[game]))


@requires("tracker.team.view")
@require_POST
def restore(request: SignedInRequest, game: str, at_bat: str) -> HttpResponse:
    scoring.restore(request.user, game, at_bat, once=idempotency.once(request))
    toasts.add(request, _("It is back in its place."))
    return go(request, reverse("tracker:score", args=[game]))


def _page(
    request: SignedInRequest,
    opened: OpenGame,
    at_bat_id: str,
    *,
    refused: DataError | None = None,
    is_new: bool = False,
    is_unconfirmed: bool = False,
) -> HttpResponse:
    """Five requests: session, game, surroundings, roster, and the history of the plate appearance."""
    stored = opened.story.at_bat(at_bat_id)
    index = opened.story.at_bats.index(stored)
    roster = repository.teams.roster(opened.game.team_id)
    name_of = presenters.names_of(roster.players)
    situation = situation_of(opened, index, name_of, roster.players)
    initial = {} if is_new else PlayForm.initial_of(stored, situation)
    if not situation.has_lineup:
        initial["player"] = owner_of(roster)
    form = form_for(situation, request.POST if refused or is_unconfirmed else None, initial=initial)
    if refused is not None and form.is_valid() and not isinstance(refused, Unusable | Changed):
        form.add_refusal(refused)
    context: dict[str, Any] = {
        "team": opened.access.team,
        "game": opened.game,
        "box": situation.box,
        "situation": situation,
        "stored": stored,
        "told": presenters.told_of(stored, name_of),
        "number": index + 1,
        "form": form,
        "is_new": is_new,
        # It has no fields to correct; it can only be removed.
        "is_fixed": not is_new and stored.result in batting.NOT_TURNS - {batting.BETWEEN_TURNS},
        "contested": refused if isinstance(refused, Changed) else None,
        "history": [] if is_new else _history(repository.at_bats.key_of(stored)),
        "preview_address": reverse(
            "tracker:at-bat-insert-preview" if is_new else "tracker:at-bat-preview",
            args=[opened.game.id, at_bat_id],
        ),
        "focus": "preview" if is_unconfirmed else "",
    }
    if is_unconfirmed:
        context |= summary_of(opened, form, index, name_of, is_correction=not is_new)
    elif not is_new and not form.is_bound and situation.has_lineup:
        (stored_play,) = situation.next_plays([box_scores.appearance_of(stored)])
        context |= {
            "summary": presenters.summary(*stored_play, name_of),
            "shown": presenters.summary(*stored_play, str),
        }
    status = 200 if refused is None else 409 if isinstance(refused, Changed) else 422
    return page_or_partial(request, TEMPLATE, "play", context, status=status)


def _history(key: str) -> list[tuple[str, Any]]:
    return [
        (
            verbs.sentence(
                entry.verb, who=format_html("<strong>{}</strong>", entry.actor_name), what=_("it")
            ),
            entry.at,
        )
        for entry in history.entries(repository.at_bats.entity, key, strong=True).items
    ]
