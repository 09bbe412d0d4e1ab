"""Views of the scoring screen: record the next play, preview, undo, redo, and the opponent's runs."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import is_htmx, small_number
from core.crud.http import page_or_partial
from core.dynamo.attributes import now
from core.dynamo.errors import DataError, Invalid, KeyReused
from core.stores import idempotency
from tracker import policy, repository
from tracker.games.models import IN_PROGRESS, Game
from tracker.roster.repository import Roster
from tracker.rules import batting, box_scores, plays, season_rules
from tracker.rules.replay import Appearance
from tracker.scoring import game_writing, presenters, rules
from tracker.scoring.forms.plays import OpponentForm, TurnForm
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.limits import RECORDING
from tracker.scoring.play_writing import Written
from tracker.scoring.presenters import Names, Situation
from tracker.scoring.rules import NotLive, Overtaken, Unconfirmed, Unusable
from tracker.scoring.services import scoring
from tracker.scoring.views.play_form import (
    form_for,
    owner_of,
    posted_play,
    preview_part,
    situation_of,
    summary_of,
)

TEMPLATE = "tracker/scoring/score.html"


@requires("tracker.team.view")
@require_safe
def score(request: SignedInRequest, game: str) -> HttpResponse:
    """Four requests: session, game, surroundings (team, membership, box score), roster."""
    return _page(request, game_writing.opened(request.user, game, rules.VERB))


@requires("tracker.team.view")
@require_safe
def changes(request: SignedInRequest, game: str) -> HttpResponse:
    """Polled by the open page; 204 while it shows the newest revision of the box score."""
    found = repository.games.of(game, strong=True)
    team, membership, box = repository.games.surroundings(found, request.user.sub, strong=True)
    policy.granted(request.user, team, membership).ensure(rules.VERB)
    if box is not None and str(int(box.revision)) == request.GET.get("seen"):
        return HttpResponse(status=204)
    return _page(request, game_writing.opened(request.user, game, rules.VERB))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def record(request: SignedInRequest, game: str) -> HttpResponse:
    """Five requests: session, rate limit, two strong reads, one transaction; with HTMX the roster too."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("tracker:score", args=[game]))
    RECORDING.ensure(request.user.sub)
    try:
        written = scoring.record(
            request.user,
            game,
            posted_play(request),
            seen=small_number(request.POST.get("seen", "")),
            situation=request.POST.get("situation"),
            once=idempotency.once(request),
        )
    except Overtaken as overtaken:
        return _refused(request, game, overtaken, meanwhile=overtaken.current)
    except Unconfirmed as unconfirmed:
        opened = game_writing.opened(request.user, game, rules.VERB)
        return _page(request, opened, typed=request.POST, summary=unconfirmed.summary, focus="preview")
    except (NotLive, Invalid, KeyReused) as error:
        return _refused(request, game, error)
    return _done(request, written)


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def end_half_inning(request: SignedInRequest, game: str) -> HttpResponse:
    """End the half-inning before three outs, because of the time limit or by agreement."""
    return _record_event(request, game, scoring.end_half_inning)


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def empty_place(request: SignedInRequest, game: str) -> HttpResponse:
    """Record the out for an empty place."""
    return _record_event(request, game, scoring.record_empty_place)


def _record_event(request: SignedInRequest, game: str, verb: Callable[..., Written]) -> HttpResponse:
    """Record a play that has no fields to enter."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("tracker:score", args=[game]))
    RECORDING.ensure(request.user.sub)
    try:
        written = verb(
            request.user,
            game,
            seen=small_number(request.POST.get("seen", "")),
            situation=request.POST.get("situation"),
            once=idempotency.once(request),
        )
    except (Overtaken, NotLive, Invalid, KeyReused) as error:
        opened = game_writing.opened(request.user, game, rules.VERB)
        meanwhile = error.current if isinstance(error, Overtaken) else ()
        return _page(request, opened, refused=error, meanwhile=meanwhile)
    return _done(request, written)


@requires("tracker.team.view")
@require_POST
def preview(request: SignedInRequest, game: str) -> HttpResponse:
    """The partial with a one-line summary, requested whenever a choice changes. It writes nothing."""
    opened = game_writing.opened(request.user, game, rules.VERB)
    return preview_part(request, opened, len(opened.story.at_bats))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def undo(request: SignedInRequest, game: str) -> HttpResponse:
    """Undo the last plate appearance; `redo` restores it."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("tracker:score", args=[game]))
    at_bat_id = request.POST.get("at_bat", "")
    try:
        written = scoring.undo(request.user, game, at_bat_id, once=idempotency.once(request))
    except Overtaken as overtaken:
        return _page(request, game_writing.opened(request.user, game, rules.VERB), refused=overtaken)
    return _done(request, written)


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def redo(request: SignedInRequest, game: str) -> HttpResponse:
    """Restore the play that was undone last."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("tracker:score", args=[game]))
    at_bat_id = request.POST.get("at_bat", "")
    try:
        written = scoring.redo(request.user, game, at_bat_id, once=idempotency.once(request))
    except (Overtaken, Invalid) as error:
        return _page(request, game_writing.opened(request.user, game, rules.VERB), refused=error)
    return _done(request, written)


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def opponent(request: SignedInRequest, game: str) -> HttpResponse:
    """Set the opponent's runs in an inning."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("tracker:score", args=[game]))
    form = OpponentForm(request.POST)
    if not form.is_valid():
        opened = game_writing.opened(request.user, game, rules.VERB)
        return _page(request, opened, refused=Unusable(rules.UNUSABLE_RUNS))
    told = form.cleaned_data
    try:
        written = scoring.set_opponent_runs(
            request.user,
            game,
            told["inning"],
            told["runs"],
            was=told["was"],
            once=idempotency.once(request),
        )
    except (Overtaken, Invalid) as error:
        return _page(request, game_writing.opened(request.user, game, rules.VERB), refused=error)
    is_new = told["was"] is None and told["runs"] is not None
    is_earlier = told["inning"] < len(written.opened.game.opponent_by_inning or ())
    focus = "opponent-more" if is_new else "opponent"
    return _done(request, written, focus=focus, is_earlier=is_earlier)


# --- The page ----------------------------------------------------------------------------------------------


def _done(
    request: SignedInRequest, written: Written, *, focus: str = "batter", is_earlier: bool = False
) -> HttpResponse:
    if is_htmx(request):
        return _page(request, written.opened, focus=focus, is_earlier=is_earlier)
    return HttpResponseRedirect(reverse("tracker:score", args=[written.opened.game.id]))


def _refused(request: SignedInRequest, game: str, error: DataError, *, meanwhile: Any = None) -> HttpResponse:
    """The page with the reason, and with the entered values as far as they still apply."""
    opened = game_writing.opened(request.user, game, rules.VERB)
    return _page(request, opened, typed=request.POST, refused=error, meanwhile=meanwhile or ())


def _page(
    request: SignedInRequest,
    opened: OpenGame,
    *,
    typed: Mapping[str, Any] | None = None,
    refused: DataError | None = None,
    meanwhile: Any = (),
    summary: str = "",
    focus: str = "",
    is_earlier: bool = False,
) -> HttpResponse:
    game, at_bats = opened.game, opened.story.at_bats
    roster = repository.teams.roster(game.team_id)
    name_of = presenters.names_of(roster.players)
    situation = situation_of(opened, len(at_bats), name_of, roster.players)
    box = situation.box
    form = _next_form(situation, roster, typed, refused, is_overtaken=bool(meanwhile))
    scorers = repository.profiles.with_ids([each.scored_by for each in meanwhile if each.scored_by])
    context: dict[str, Any] = {
        "team": opened.access.team,
        "game": game,
        "box": box,
        "seen": len(at_bats),
        "stands": plays.situation(game, at_bats),
        "revision": opened.revision - 1,
        "is_live": game.status == IN_PROGRESS,
        "situation": situation,
        "batter": _at_bat(situation),
        "on_deck": name_of(situation.on_deck) if situation.on_deck else "",
        "bases": presenters.bases(game, box, name_of),
        "outs": range(box.outs),
        "line_score": presenters.line_score(game, box),
        "innings": presenters.by_inning(at_bats, box, name_of),
        "last": presenters.told_of(at_bats[-1], name_of) if at_bats else "",
        "last_id": at_bats[-1].id if at_bats else "",
        "redo": _to_redo(game, name_of),
        "redo_id": game.undone[-1]["atBatId"] if game.undone else "",
        "form": form,
        "has_ended": situation.has_lineup and presenters.has_ended(game, box),
        "half": presenters.half(game, box),
        **_time_limit(game),
        "is_place_empty": situation.has_lineup and situation.is_place_empty,
        "empty_place": _empty_place(situation),
        "is_short": situation.has_lineup and situation.batters_left < situation.rules.fewest_batters,
        "is_half_begun": box.innings_begun == box.inning,
        "opponent": presenters.opponent_inning(game),
        "earlier": presenters.earlier_innings(game),
        "is_earlier": is_earlier,
        "refused": refused if not isinstance(refused, Unusable) or not form.is_bound else None,
        "meanwhile": [
            (presenters.told_of(each, name_of), _name(scorers.get(each.scored_by or "")))
            for each in meanwhile
        ],
        "came_in": _came_in(opened, name_of) if isinstance(refused, Overtaken) and not meanwhile else (),
        "waiting": [
            (name_of(each["playerId"]), int(each["battingOrder"]))
            for each in box_scores.waiting(game, at_bats)
        ],
        "typed": _typed(typed, name_of) if isinstance(refused, Overtaken) else "",
        "focus": focus,
        "preview_address": reverse("tracker:preview", args=[game.id]),
    }
    if summary:
        context |= summary_of(opened, form, len(at_bats), name_of)
    status = refused.status_code if refused else 200
    # 422 instead of 400, because HTMX swaps it in.
    return page_or_partial(request, TEMPLATE, "score", context, status=422 if status == 400 else status)


def _next_form(
    situation: Situation,
    roster: Roster,
    typed: Mapping[str, Any] | None,
    refused: DataError | None,
    *,
    is_overtaken: bool,
) -> TurnForm:
    """An empty form for the next turn, or the refused one, unless that was for another batter."""
    form = form_for(situation, initial={} if situation.has_lineup else {"player": owner_of(roster)})
    if typed is None:
        return form
    if isinstance(refused, Overtaken):
        if is_overtaken or typed.get("player") != situation.batter:
            return form
        # The entries of runners were for other bases, so only these fields are kept.
        kept = {name: typed.get(name) for name in ("result", "hit_type", "hit_x", "hit_y")}
        return form_for(situation, initial={**form.initial, **kept})
    form = form_for(situation, typed)
    if not isinstance(refused, Unusable) and isinstance(refused, Invalid) and form.is_valid():
        form.add_refusal(refused)
    return form


def _came_in(opened: OpenGame, name_of: Names) -> list[tuple[str, str]]:
    """Names of the substitutes since the last play, each with the player who left."""
    at_bats = opened.story.at_bats
    came = box_scores.replacements_in(opened.game, at_bats, len(at_bats))
    return [(name_of(each.comes), name_of(each.leaves)) for each in came if each.after == len(at_bats)]


def _typed(typed: Mapping[str, Any] | None, name_of: Names) -> str:
    """The refused entry as text."""
    if not typed:
        return ""
    return presenters.told(str(typed.get("result", "")), name_of(str(typed.get("player", ""))))


def _time_limit(game: Game) -> dict[str, Any]:
    """The context of the time limit; empty if the rules have none or the game has no start."""
    minutes = season_rules.from_stored(game.rules).time_limit
    if minutes is None or game.started_at is None:
        return {}
    until = game.started_at + timedelta(minutes=minutes)
    return {"time_limit": until, "is_time_over": now() >= until}


def _at_bat(situation: Situation) -> str:
    if situation.has_lineup and situation.is_place_empty:
        return _("Nobody, place %(place)d") % {"place": situation.box.next_slot}
    return situation.name_of(situation.batter) if situation.batter else ""


def _empty_place(situation: Situation) -> str:
    """The summary of the out for an empty place; empty if it is not the turn of one."""
    if not situation.has_lineup or not situation.is_place_empty:
        return ""
    slot = situation.box.next_slot
    out = Appearance(situation.next_number, slot, situation.batter or "", batting.EMPTY_PLACE)
    ((play, box),) = situation.next_plays([out])
    return presenters.summary(play, box, situation.name_of)


def _to_redo(game: Game, name_of: Names) -> str:
    """The play that `redo` would restore, as text."""
    if not game.undone:
        return ""
    last = game.undone[-1]
    return presenters.told(last["result"], name_of(last["playerId"]))


def _name(profile: Any) -> str:
    return str(profile.name) if profile else _("Somebody")
