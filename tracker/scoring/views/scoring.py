"""The scoring screen: record the next play, undo, redo, and the opponent's runs."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import is_htmx, small_number
from core.crud.forms import RefusableForm
from core.crud.http import page_or_partial
from core.dynamo.attributes import now
from core.dynamo.errors import DataError, Invalid
from tracker import policy, repository
from tracker.games.models import Game
from tracker.rules import batting, box_scores, plays, season_rules
from tracker.scoring import game_writing, presenters, rules
from tracker.scoring.forms.plays import OpponentForm, TurnForm, form_for
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.limits import RECORDING
from tracker.scoring.models import AtBat
from tracker.scoring.presenters import Names, Situation
from tracker.scoring.rules import Overtaken
from tracker.scoring.services import scoring
from tracker.scoring.views.plays import (
    F,
    PlayPage,
    ScoringPage,
    Unconfirmed,
    summary_of,
)

TEMPLATE = "tracker/scoring/score.html"
# What stays typed if something else has changed before this turn.
KEPT = ("result", "hit_type", "hit_x", "hit_y")


@requires("tracker.team.view")
@require_safe
def score(request: SignedInRequest, game: str) -> HttpResponse:
    """Four requests: session, game, surroundings (team, membership, box score), roster."""
    opened = game_writing.allowed(request.user, game, rules.RIGHT)
    return page_or_partial(request, TEMPLATE, "score", screen(opened))


@requires("tracker.team.view")
@require_safe
def changes(request: SignedInRequest, game: str) -> HttpResponse:
    """Polled by the open page; 204 while it shows the newest revision of the box score."""
    found = repository.games.of(game, strong=True)
    team, membership, box = repository.games.surroundings(found, request.user.sub, strong=True)
    policy.granted(request.user, team, membership).ensure(rules.RIGHT)
    if box is not None and str(int(box.revision)) == request.GET.get("seen"):
        return HttpResponse(status=204)
    return score(request, game)


class ScreenPage(ScoringPage[F]):
    """An entry on the scoring screen, which for HTMX is the answer."""

    template = TEMPLATE
    partial = "score"
    # Plays that somebody else recorded instead.
    meanwhile: Sequence[AtBat] = ()
    # Whether the list of the opponent's earlier innings is open.
    is_earlier = False

    def get(self, _request: SignedInRequest, **_parts: Any) -> HttpResponse:
        """Without JavaScript a refused entry is at this URL, which somebody may reload."""
        return HttpResponseRedirect(self.success_url())

    def done(self) -> HttpResponse:
        if not is_htmx(self.request):
            return HttpResponseRedirect(self.success_url())
        self.typed, self.focus = None, self.focus or "batter"
        return self.show()

    def context(self) -> Mapping[str, Any]:
        own = screen(self.opened, self.typed, self.problem, self.meanwhile)
        return {"focus": self.focus, "is_earlier": self.is_earlier, **own}


class NextPage(ScreenPage[F]):
    """Records what comes next. Five requests: session, rate limit, two strong reads, one transaction; with
    HTMX the roster too."""

    def load(self) -> None:
        # Not in `save`: who records too fast costs no reads, and of a 429 the page keeps what was chosen.
        RECORDING.ensure(self.request.user.sub)
        super().load()

    @property
    def as_shown(self) -> dict[str, Any]:
        """How many plays the page showed, and in which situation."""
        posted = self.request.POST
        seen = small_number(posted.get("seen", ""))
        return {"seen": seen, "situation_hash": posted.get("situation")}

    def record(self, fields: Mapping[str, Any]) -> scoring.Written:
        return scoring.record(self.request.user, self.opened, fields, **self.as_shown, once=self.once)

    def refuse(self, error: DataError) -> HttpResponse:
        self.meanwhile = (isinstance(error, Overtaken) and error.current) or ()
        return super().refuse(error)


@requires("tracker.team.view")
class RecordPlay(PlayPage, NextPage[TurnForm]):
    def check(self) -> None:
        super().check()
        rules.ensure_next(self.opened, **self.as_shown)

    def write(self, fields: Mapping[str, Any]) -> scoring.Written:
        return self.record(fields)


@requires("tracker.team.view")
class EndHalfInning(NextPage[RefusableForm]):
    """End the half-inning before three outs, because of the time limit or by agreement."""

    form_class = RefusableForm
    result = batting.HALF_INNING_ENDED

    def save(self) -> None:
        self.opened = self.record({"result": self.result}).opened


@requires("tracker.team.view")
class EmptyPlace(EndHalfInning):
    """Record the out for a place whose batter left without a substitute."""

    result = batting.EMPTY_PLACE


@requires("tracker.team.view")
class UndoPlay(ScreenPage[RefusableForm]):
    """Undo the last plate appearance; `RedoPlay` restores it."""

    form_class = RefusableForm
    verb = staticmethod(scoring.undo)

    def save(self) -> None:
        at_bat_id = self.request.POST.get("at_bat", "")
        self.opened = self.verb(self.request.user, self.opened, at_bat_id, once=self.once).opened


@requires("tracker.team.view")
class RedoPlay(UndoPlay):
    verb = staticmethod(scoring.redo)


@requires("tracker.team.view")
class SetOpponentRuns(ScreenPage[OpponentForm]):
    form_class = OpponentForm

    def correct(self) -> HttpResponse:
        self.problem = Invalid(rules.UNUSABLE_RUNS)
        return self.show(422)

    def save(self) -> None:
        typed, user = self.form.cleaned_data, self.request.user
        inning, runs, seen = typed["inning"], typed["runs"], typed["was"]
        self.opened = scoring.set_opponent_runs(
            user, self.opened, inning, runs, seen_runs=seen, once=self.once
        ).opened
        self.is_earlier = inning < len(self.opened.game.opponent_by_inning or ())
        self.focus = "opponent-more" if seen is None and runs is not None else "opponent"


# --- The screen ---------------------------------------------------------------------------------------------


def screen(
    opened: OpenGame,
    typed: QueryDict | None = None,
    problem: DataError | None = None,
    meanwhile: Sequence[AtBat] = (),
) -> dict[str, Any]:
    """The context of the scoring screen; `meanwhile` was recorded by somebody else instead of `typed`."""
    game, at_bats = opened.game, opened.story.at_bats
    players = repository.teams.roster(game.team_id).players
    situation = Situation(game, at_bats, len(at_bats), players)
    name_of, box = situation.name_of, situation.box
    form = _next_form(situation, typed, problem, is_recorded=bool(meanwhile))
    opponent = presenters.opponent_innings(game)
    redoable = game.undone[-1] if game.undone else None
    profiles = repository.profiles.with_ids([each.scored_by for each in meanwhile if each.scored_by])
    scorers = {user_id: profile.name for user_id, profile in profiles.items()}
    context = presenters.board(game, at_bats, box, name_of) | {
        "team": opened.access.team,
        "seen": len(at_bats),
        "situation_hash": plays.situation_hash(game, at_bats),
        "revision": int(opened.box.revision) if opened.box else 0,
        "situation": situation,
        "batter": _at_bat(situation),
        "on_deck": name_of(situation.on_deck) if situation.on_deck else "",
        "last": at_bats[-1] if at_bats else None,
        "undo": presenters.title_of(at_bats[-1], name_of) if at_bats else "",
        "redoable": redoable,
        "redo": presenters.play_title(redoable["result"], name_of(redoable["playerId"])) if redoable else "",
        "form": form,
        "has_ended": situation.has_lineup and presenters.has_ended(game, box),
        **_time_limit(game),
        "empty_place": _empty_place(situation),
        "is_short": situation.has_lineup and situation.batters_left < situation.rules.fewest_batters,
        "is_half_begun": box.innings_begun == box.inning,
        # The opponent's last recorded inning; number 0 before the first.
        "opponent": opponent[-1] if opponent else presenters.Inning(0, None, None),
        "earlier": opponent[:-1],
        "refused": None if isinstance(problem, Unconfirmed) else problem,
        "meanwhile": [
            (presenters.title_of(each, name_of), scorers.get(each.scored_by, _("Someone")))
            for each in meanwhile
        ],
        "waiting": [
            (name_of(each["playerId"]), int(each["battingOrder"]))
            for each in box_scores.waiting(game, at_bats)
        ],
        "preview_address": reverse("tracker:preview", args=[game.id]),
    }
    if isinstance(problem, Overtaken):
        context["came_in"] = () if meanwhile else _came_in(opened, name_of)
        if typed:
            player = name_of(typed.get("player", ""))
            context["typed"] = presenters.play_title(typed.get("result", ""), player)
    elif isinstance(problem, Unconfirmed):
        context |= {"focus": "preview", **summary_of(opened, form, situation)}
    return context


def _next_form(
    situation: Situation, typed: QueryDict | None, problem: DataError | None, *, is_recorded: bool
) -> TurnForm:
    """An empty form for the next turn, or the refused one, unless that was for another batter."""
    if typed is None:
        return form_for(situation)
    if isinstance(problem, Overtaken):
        if is_recorded or typed.get("player") != situation.batter:
            return form_for(situation)
        # The entries of runners were for other bases, so only these fields are kept.
        return form_for(situation, None, {name: typed.get(name) for name in KEPT})
    form = form_for(situation, typed)
    if isinstance(problem, Invalid) and form.is_valid():
        form.add_refusal(problem)
    return form


def _came_in(opened: OpenGame, name_of: Names) -> list[tuple[str, str]]:
    """Names of the substitutes since the last play, each with the player who left."""
    at_bats = opened.story.at_bats
    came = box_scores.replacements_in(opened.game, at_bats, len(at_bats))
    return [(name_of(each.comes), name_of(each.leaves)) for each in came if each.after == len(at_bats)]


def _time_limit(game: Game) -> dict[str, Any]:
    """The context of the time limit; empty if the rules have none or the game has no start."""
    minutes = season_rules.from_stored(game.rules).time_limit
    if minutes is None or game.started_at is None:
        return {}
    until = game.started_at + timedelta(minutes=minutes)
    return {"time_limit": until, "is_time_over": now() >= until}


def _at_bat(situation: Situation) -> str:
    if situation.is_place_empty:
        return _("Nobody, place %(place)d") % {"place": situation.box.next_slot}
    return situation.name_of(situation.batter) if situation.batter else ""


def _empty_place(situation: Situation) -> str:
    """The summary of the out for an empty place; empty if it is not the turn of one."""
    if not situation.is_place_empty:
        return ""
    (after,) = situation.next_plays([situation.next_appearance(batting.EMPTY_PLACE)])
    return presenters.summary(*after, situation.name_of)
