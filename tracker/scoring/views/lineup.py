"""Views of a game's line-up: the form, which also works without JavaScript, and substitutions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go
from core.crud import toasts
from core.dynamo.errors import Conflict, DataError, Invalid, KeyReused, NotFound, Replayed, Text
from core.dynamo.queries import every
from core.stores import idempotency
from tracker import repository
from tracker.games.models import COMING, FINAL, IN_PROGRESS, MAYBE, NOT_COMING, Game
from tracker.games.presenters import Card
from tracker.games.views.game import OpenGamePage, opened
from tracker.navigation import frame
from tracker.roster.models import Player
from tracker.rules import box_scores, lineups, season_rules
from tracker.rules.lineups import Entry
from tracker.rules.positions import IN_A_LINE_UP
from tracker.scoring import game_writing
from tracker.scoring.forms.lineup import NOBODY_COMES, SubstituteForm, TypedLineup
from tracker.scoring.services import lineup as service

# The choices of a default line-up.
COMING_ONES, LAST_GAME, EMPTY = "coming", "last", "empty"
BEGINNINGS: tuple[tuple[str, Text], ...] = (
    (COMING_ONES, gettext_lazy("Who is coming")),
    (LAST_GAME, gettext_lazy("The last game")),
    (EMPTY, gettext_lazy("Nobody")),
)


@dataclass(frozen=True)
class Batter:
    """A player of the form, in the order or on the bench."""

    player: Player
    position: str = ""
    said: str = ""
    # The place changes by substitution only, because somebody has batted in it.
    is_locked: bool = False
    # The name of the substitute who bats here now.
    now: str = ""
    problem: str = ""


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def lineup(request: SignedInRequest, game: str) -> HttpResponse:
    if request.method != "POST":
        found = _managed(request, game)
        return _page(request, found, _beginning(request, found))
    typed = TypedLineup.posted(request.POST)
    seen = request.POST.get("seen", "")
    if "do" in request.POST:
        return _page(request, _managed(request, game), typed.pressed(request.POST["do"]), seen=seen)
    try:
        service.save(request.user, game, typed.entries(), seen=seen, once=idempotency.once(request))
    except Replayed:
        pass
    except (Conflict, Invalid, KeyReused) as error:
        found = _managed(request, game)
        if not isinstance(error.current, Game):
            return _page(request, found, typed, seen=seen, problem=error)
        stored = error.current
        # The conflict is on the page, so saving again overwrites: the form carries the new fingerprint.
        seen = game_writing.fingerprint(stored, service.SHOWN)
        return _page(request, found, typed, seen=seen, problem=error, theirs=_names(found, stored.lineup))
    toasts.add(request, _("The line-up is saved."))
    return go(request, reverse("tracker:game", args=[game]))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def substitute(request: SignedInRequest, game: str) -> HttpResponse:
    """Make a substitution, or take back the last one (`take_back`)."""
    found = _managed(request, game)
    address = reverse("tracker:score" if _is_from_scoring(request) else "tracker:lineup", args=[game])
    if request.method != "POST":
        return HttpResponseRedirect(address)
    once = idempotency.once(request)
    form = _substitute_form(found, request.POST)
    try:
        if "take_back" in request.POST:
            service.take_back(request.user, game, once=once)
        elif form.is_valid():
            slot, player = form.cleaned_data["slot"], form.cleaned_data["player"]
            if player == NOBODY_COMES[0]:
                service.leave(request.user, game, slot, once=once)
            else:
                service.substitute(request.user, game, slot, player, once=once)
        else:
            form.focus_first_error()
            return _page(request, found, TypedLineup.of(found.game.lineup or ()), form=form, status=422)
    except Replayed:
        pass
    except (Conflict, Invalid, KeyReused) as error:
        form.add_refusal(error)
        form.focus_first_error()
        typed = TypedLineup.of(found.game.lineup or ())
        return _page(request, found, typed, form=form, status=error.status_code)
    is_back = "take_back" in request.POST
    toasts.add(request, _("The substitution is taken back.") if is_back else _("The substitution is made."))
    return go(request, address)


def _is_from_scoring(request: SignedInRequest) -> bool:
    """Whether the request comes from the scoring screen, to which it then returns."""
    asked = request.POST if request.method == "POST" else request.GET
    return asked.get("back") == "score"


def _managed(request: SignedInRequest, game: str) -> OpenGamePage:
    """The game, for those who may manage it; NotFound in personal teams, which have no line-ups."""
    found = opened(request, game)
    found.access.ensure("manage_games")
    if found.access.team.is_personal:
        raise NotFound
    return found


# --- What the form begins with ------------------------------------------------------------------------------


def _beginning(request: SignedInRequest, found: OpenGamePage) -> TypedLineup:
    """The initial line-up: the stored one; without one those who are coming, else that of the last game."""
    asked = request.GET.get("from", "")
    if found.game.lineup and (not asked or found.story.at_bats):
        return TypedLineup.of(found.game.lineup)
    players, answers = found.roster.players, found.story.answers
    if asked == EMPTY:
        return TypedLineup.of(())
    last = _last_lineup(found.game)
    coming = lineups.of_those_coming(players, answers, last)
    if asked == LAST_GAME or (not asked and not coming):
        return TypedLineup.of(lineups.like_last(players, last))
    return TypedLineup.of(coming)


def _last_lineup(game: Game) -> Sequence[Entry]:
    """The line-up of the newest other game that has one, preferably not after this game."""
    games = every(lambda **options: repository.games.of_team(game.team_id, newest_first=True, **options))
    others = [each for each in games if each.id != game.id and each.lineup]
    if game.scheduled_start:
        before = [
            each for each in others if each.scheduled_start and each.scheduled_start <= game.scheduled_start
        ]
        others = before or others
    return others[0].lineup if others else ()


# --- The page -----------------------------------------------------------------------------------------------


def _page(
    request: SignedInRequest,
    found: OpenGamePage,
    typed: TypedLineup,
    *,
    seen: str | None = None,
    problem: DataError | None = None,
    theirs: list[str] | None = None,
    form: SubstituteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    game = found.game
    batting = _batters(found, typed, problem)
    context: dict[str, Any] = frame(found.access, "games") | {
        "game": game,
        "card": Card(game),
        "batting": batting,
        "bench": _bench(found, typed),
        "typed": typed,
        "positions": IN_A_LINE_UP.items(),
        "fewest": season_rules.of_game(game, found.roster.season(game.season_id)).fewest_batters,
        "most": lineups.MOST,
        "seen": game_writing.fingerprint(game, service.SHOWN) if seen is None else seen,
        "problem": problem,
        "theirs": theirs,
        "mine": [batter.player.name for batter in batting],
        "beginnings": BEGINNINGS if not found.story.at_bats else (),
        "is_over": game.status == FINAL,
        "is_live": game.status == IN_PROGRESS,
        "is_saved": bool(game.lineup),
        "form": form or _substitute_form(found),
        "is_from_scoring": _is_from_scoring(request),
        "may_take_back": lineups.can_take_back(game, found.story.at_bats),
    }
    status = problem.status_code if problem else status
    return render(request, "tracker/scoring/lineup.html", context, status=status)


def _batters(found: OpenGamePage, typed: TypedLineup, problem: DataError | None) -> list[Batter]:
    """The batting order of the form, without players who are no longer on the roster."""
    fixed = lineups.locked(found.game, found.story.at_bats)
    said, now = _said(found), _order_now(found)
    names = dict(zip(now, _named(found, now), strict=True))
    empty = _empty_slots(found)

    def now_in(place: int, player_id: str) -> str:
        if place in empty:
            return _("nobody")
        return names[now[place - 1]] if place in fixed and now[place - 1] != player_id else ""

    players = ((place, found.roster.player(each)) for place, each in enumerate(typed.order, start=1))
    return [
        Batter(
            player,
            position=typed.positions.get(player.id, ""),
            said=said.get(player.id, ""),
            is_locked=place in fixed,
            now=now_in(place, player.id),
            problem=str(problem) if problem and problem.field == player.id else "",
        )
        for place, player in players
        if player is not None
    ]


def _bench(found: OpenGamePage, typed: TypedLineup) -> list[Batter]:
    """The players who can be put in, those who are coming first."""
    said, now = _said(found), _order_now(found)
    fixed = lineups.locked(found.game, found.story.at_bats)
    came_in = {player for place, player in enumerate(now, start=1) if place in fixed}
    waiting = [
        Batter(
            player,
            position=typed.positions.get(player.id, lineups.usual_position(player)),
            said=said.get(player.id, ""),
        )
        for player in found.roster.players
        if player.plays and player.id not in typed.order and player.id not in came_in
    ]
    coming = {each.player_id for each in found.story.answers if each.answer == COMING}
    return sorted(waiting, key=lambda each: each.player.id not in coming)


def _said(found: OpenGamePage) -> dict[str, str]:
    words = {COMING: _("coming"), MAYBE: _("maybe"), NOT_COMING: _("not coming")}
    return {each.player_id: words.get(each.answer, "") for each in found.story.answers}


def _names(found: OpenGamePage, lineup: Sequence[Entry]) -> list[str]:
    return _named(found, TypedLineup.of(lineup).order)


def _named(found: OpenGamePage, order: Sequence[str]) -> list[str]:
    names = {player.id: player.name for player in found.roster.players}
    return [names.get(player, _("Somebody who left")) for player in order]


def _order_now(found: OpenGamePage) -> list[str]:
    return box_scores.order_now(found.game, found.story.at_bats)


def _empty_slots(found: OpenGamePage) -> set[int]:
    return box_scores.empty_slots(found.game, found.story.at_bats, len(found.story.at_bats))


def _substitute_form(found: OpenGamePage, data: Any = None) -> SubstituteForm:
    now = _order_now(found)
    empty = _empty_slots(found)
    names = [
        _("nobody, %(name)s left") % {"name": name} if place in empty else name
        for place, name in enumerate(_named(found, now), start=1)
    ]
    slots = [(place, f"{place}. {name}") for place, name in enumerate(names, start=1)]
    batting = [player for place, player in enumerate(now, start=1) if place not in empty]
    bench = [player for player in found.roster.players if player.plays and player.id not in batting]
    return SubstituteForm(data, slots=slots, bench=bench)
