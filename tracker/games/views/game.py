"""The page of a game, its history, and the actions answer and share."""

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import is_htmx
from core.crud import toasts
from core.crud.form_page import ActionPage, FormPage
from core.crud.http import page_or_partial
from core.dynamo import history
from core.dynamo.errors import Text
from tracker import policy, repository
from tracker.games import game_history
from tracker.games.forms import AnswerForm
from tracker.games.models import COMING, FINAL, IN_PROGRESS, MAYBE, NOT_COMING, SCHEDULED, Answer, Game
from tracker.games.presenters import AnswerCard, Card
from tracker.games.services import availability, games
from tracker.navigation import team_context
from tracker.roster.models import Player
from tracker.rules import game_states
from tracker.statistics import queries
from tracker.statistics.queries import ReadGame, name_of

IN_HISTORY = 50
NOBODY = ""
YOU_SAID: dict[str, Text] = {
    COMING: gettext_lazy("You are coming."),
    MAYBE: gettext_lazy("You may be coming."),
    NOT_COMING: gettext_lazy("You are not coming."),
}
CHANGES = {
    "create": gettext_lazy("added to the schedule"),
    "update": gettext_lazy("changed"),
    "start": gettext_lazy("started"),
    "enter_result": gettext_lazy("result entered"),
    "postpone": gettext_lazy("postponed"),
    "reschedule": gettext_lazy("new date set"),
    "finish": gettext_lazy("finished"),
    "suspend": gettext_lazy("suspended"),
    "reopen": gettext_lazy("reopened"),
    "line_up": gettext_lazy("line-up changed"),
    "substitute": gettext_lazy("substitution"),
    "take_back": gettext_lazy("substitution undone"),
    "forfeit": gettext_lazy("forfeited"),
    "leave": gettext_lazy("batter left the order"),
    "share": gettext_lazy("shared by a link"),
    "unshare": gettext_lazy("no longer shared"),
    "restore": gettext_lazy("restored"),
    "score": gettext_lazy("play by play"),
    "opponent": gettext_lazy("opponent's runs"),
    "undo": gettext_lazy("last play undone"),
    "redo": gettext_lazy("play recorded again"),
}


@dataclass(frozen=True)
class Attendee:
    """A player with their answer, and whether this person may change it."""

    player: Player
    answer: Answer | None
    is_mine: bool
    may_answer: bool

    @property
    def is_typed(self) -> bool:
        """Whether the full form is shown, with a note; people have it for their own answer only."""
        return self.is_mine and self.may_answer

    @property
    def said(self) -> str:
        return str(self.answer.answer) if self.answer else ""


@requires("tracker.team.view")
@require_safe
def game(request: SignedInRequest, game: str) -> HttpResponse:
    return render(
        request, "tracker/games/game.html", page_of(request, queries.game(request.user, game, strong=True))
    )


@requires("tracker.team.view")
class AnswerGame(FormPage[AnswerForm]):
    """Save an answer, from the game's page or from Home; responds with the partial of that page for HTMX."""

    form_class = AnswerForm
    template = "tracker/games/game.html"
    partial = "coming"
    swaps_invalid = True
    team_id = ""

    @property
    def is_from_home(self) -> bool:
        """From the home of the tracker, or from Home, which is across domains."""
        return self.request.POST.get("from") in ("home", "desk")

    def get(self, _request: SignedInRequest, **_parts: Any) -> HttpResponseBase:
        return HttpResponseRedirect(reverse("tracker:game", kwargs=self.kwargs))

    def save(self) -> None:
        typed, user, game = self.form.cleaned_data, self.request.user, self.kwargs["game"]
        player, value, note = typed["player"], typed["answer"], typed["note"]
        self.team_id = availability.answer(user, game, player, value, note=note, once=self.once).team_id

    def show(self, status: int = 200) -> HttpResponse:
        found = queries.game(self.request.user, self.kwargs["game"], strong=True)
        problem = self.form.first_error()
        if not (self.is_from_home and is_htmx(self.request)):
            context = page_of(self.request, found) | {"problem": problem}
            return page_or_partial(self.request, self.template, self.partial, context, status=status)
        player = self.form.cleaned_data.get("player", "")
        answer = next((each.answer for each in found.story.answers if each.player_id == player), "")
        question = AnswerCard(Card(found.game), player, answer)
        context = {"question": question, "problem": problem, "from": self.request.POST["from"]}
        return render(self.request, "tracker/games/answer.html", context, status=status)

    def done(self) -> HttpResponse:
        if self.is_from_home:
            toasts.add(self.request, YOU_SAID[self.form.cleaned_data["answer"]])
        return self.show() if is_htmx(self.request) else HttpResponseRedirect(self.success_url())

    def success_url(self) -> str:
        if self.request.POST.get("from") == "desk":
            return reverse("home")
        if self.is_from_home:
            return reverse("tracker:home") + (f"#answer-{self.team_id}" if self.team_id else "")
        return reverse("tracker:game", kwargs=self.kwargs) + "#coming"


@requires("tracker.team.view")
class ShareGame(ActionPage):
    @property
    def is_shared(self) -> bool:
        return self.request.POST.get("shared") == "on"

    def save(self) -> None:
        games.share(self.request.user, self.kwargs["game"], shared=self.is_shared, once=self.once)

    def message(self) -> str:
        return _("Anyone with the link can follow the game.") if self.is_shared else _("Link turned off.")

    def success_url(self) -> str:
        return reverse("tracker:game", kwargs=self.kwargs) + "#share"


@requires("tracker.team.view")
@require_safe
def changes(request: SignedInRequest, game: str) -> HttpResponse:
    """The history of the game record: its states, its line-up, its score."""
    # Game and history are read strongly consistent, because each entry is undone on the game's state.
    found = repository.games.of(game, strong=True)
    access = policy.access(request.user, found.team_id)
    roster = repository.teams.roster(found.team_id)
    key = repository.games.key_of(found)
    entries = history.entries("tracker-game", key, limit=IN_HISTORY, strong=True).items
    changed = game_history.details(entries, found, partial(name_of, roster))
    context = team_context(access, "games") | {
        "card": Card(found),
        "entries": [(CHANGES.get(entry.verb, entry.verb), detail, entry) for entry, detail in changed],
    }
    return render(request, "tracker/games/game_history.html", context)


# --- What the page shows ------------------------------------------------------------------------------------


def page_of(request: SignedInRequest, read: ReadGame) -> dict[str, Any]:
    found, access = read.game, read.access
    may_manage = access.may("manage_games")
    return team_context(access, "games") | {
        "card": Card(found),
        "game": found,
        "season": read.roster.season(found.season_id),
        "steps": game_states.possible(access, found),
        "places": places(read),
        "needs_lineup": found.status == SCHEDULED and not found.lineup and not access.team.is_personal,
        "attendees": attendees(read),
        "tally": Counter(each.answer for each in read.story.answers),
        "may_manage": may_manage,
        "may_forfeit": may_manage
        and not access.team.is_personal
        and found.status in game_states.FORFEITED_FROM,
        "is_over": found.status == FINAL,
        "is_live": found.status == IN_PROGRESS,
        "has_story": bool(read.story.at_bats),
        "share_address": _live_address(request, found) if may_manage else "",
    }


def places(read: ReadGame) -> list[dict[str, Any]]:
    """The batting order, each place with its position and all players who were in it."""
    names = {player.id: player.name for player in read.roster.players} | {NOBODY: _("nobody")}
    found = read.game
    came: dict[int, list[str]] = {}
    for each in found.substitutions or ():
        comes = NOBODY if each.get("left") else each["playerId"]
        came.setdefault(int(each["battingOrder"]), []).append(comes)
    return [
        {
            "number": int(entry["battingOrder"]),
            "position": entry.get("position") or "",
            "players": [
                names.get(player, _("Someone who left"))
                for player in (entry["playerId"], *came.get(int(entry["battingOrder"]), ()))
            ],
        }
        for entry in sorted(found.lineup or (), key=lambda entry: int(entry["battingOrder"]))
    ]


def attendees(read: ReadGame) -> list[Attendee]:
    """The players who can play, the person first, sorted by answer; of a final game those who answered."""
    is_over = read.game.status == FINAL
    answered = {each.player_id: each for each in read.story.answers}
    sub, order = read.access.user.sub, (*availability.ANSWERS, "")
    found = [
        Attendee(
            player,
            answered.get(player.id),
            is_mine=player.user_id == sub,
            may_answer=not is_over and availability.may_answer_for(read.access, player),
        )
        for player in read.roster.players
        if (player.id in answered if is_over else player.plays)
    ]
    return sorted(found, key=lambda each: (not each.is_mine, order.index(each.said)))


def _live_address(request: SignedInRequest, found: Game) -> str:
    token = games.live_token(found)
    return request.build_absolute_uri(reverse("tracker:live", args=[token])) if token else ""
