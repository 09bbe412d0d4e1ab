"""Views of a game's line-up: the form, which also works without JavaScript, and substitutions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import SignedInRequest, requires
from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import DataError, NotFound, Text
from core.dynamo.queries import every
from tracker import repository
from tracker.games.models import COMING, FINAL, IN_PROGRESS, MAYBE, NOT_COMING, Game
from tracker.games.presenters import Card
from tracker.navigation import team_context
from tracker.roster.models import Player
from tracker.rules import box_scores, lineups, season_rules
from tracker.rules.lineups import Entry
from tracker.rules.positions import IN_A_LINE_UP
from tracker.scoring import game_writing
from tracker.scoring.forms.lineup import NOBODY_COMES, LineupForm, SubstituteForm, TypedLineup
from tracker.scoring.services import lineup as services
from tracker.statistics import queries
from tracker.statistics.queries import ReadGame

# The choices of a default line-up.
COMING_ONES, LAST_GAME, EMPTY = "coming", "last", "empty"
BEGINNINGS: tuple[tuple[str, Text], ...] = (
    (COMING_ONES, gettext_lazy("Who is coming")),
    (LAST_GAME, gettext_lazy("The last game")),
    (EMPTY, gettext_lazy("Nobody")),
)
ANSWERS: Mapping[str, Text] = {
    COMING: gettext_lazy("coming"),
    MAYBE: gettext_lazy("maybe"),
    NOT_COMING: gettext_lazy("not coming"),
}

F = TypeVar("F", bound=RefusableForm)


@dataclass(frozen=True)
class Row:
    """A player of the form, in the order or on the bench."""

    player: Player
    position: str = ""
    answer: Text = ""
    # The place changes by substitution only, because somebody has batted in it.
    is_locked: bool = False
    # The name of the substitute who bats here now.
    now: str = ""
    problem: str = ""


class LineupPage(FormPage[F]):
    """The page with the forms of the line-up and of a substitution, for those who may manage the game."""

    template = "tracker/scoring/lineup.html"

    @cached_property
    def found(self) -> ReadGame:
        """The game; NotFound in personal teams, which have no line-ups."""
        found = queries.game(self.request.user, self.kwargs["game"], strong=True)
        found.access.ensure("manage_games")
        if found.access.team.is_personal:
            raise NotFound
        return found

    @property
    def is_from_scoring(self) -> bool:
        """Whether the request comes from the scoring screen, to which it then returns."""
        sent = self.request.POST if self.request.method == "POST" else self.request.GET
        return sent.get("back") == "score"

    def page(self, typed: TypedLineup, form: SubstituteForm, problem: DataError | None) -> dict[str, Any]:
        found, game, at_bats = self.found, self.found.game, self.found.story.at_bats
        batting, bench = _rows(found, typed, problem)
        return team_context(found.access, "games") | {
            "game": game,
            "card": Card(game),
            "batting": batting,
            "bench": bench,
            "typed": typed,
            "positions": IN_A_LINE_UP.items(),
            "fewest": season_rules.of_game(game, found.roster.season(game.season_id)).fewest_batters,
            "most": lineups.MOST_PLAYERS,
            "seen": game_writing.fingerprint(game, services.FIELDS),
            "problem": problem,
            "beginnings": BEGINNINGS if not at_bats else (),
            "is_over": game.status == FINAL,
            "is_live": game.status == IN_PROGRESS,
            "is_saved": bool(game.lineup),
            "form": form,
            "is_from_scoring": self.is_from_scoring,
            "may_take_back": lineups.can_take_back(game, at_bats),
        }


@requires("tracker.team.view")
class EditLineup(LineupPage[LineupForm]):
    form_class = LineupForm
    success_message = gettext_lazy("Line-up saved.")

    def save(self) -> None:
        lineup, seen = self.form.typed.entries(), self.request.POST.get("seen", "")
        services.save(self.request.user, self.kwargs["game"], lineup, seen=seen, once=self.once)

    def context(self) -> Mapping[str, Any]:
        form = SubstituteForm(**_substitutions(self.found))
        if not self.form.is_bound:
            return self.page(_beginning(self.found, self.request.GET.get("from", "")), form, None)
        page = self.page(self.form.typed, form, self.problem) | {"seen": self.request.POST.get("seen", "")}
        stored = self.problem.current if self.problem else None
        if isinstance(stored, Game):
            # The conflict is on the page, so saving again overwrites: the form carries the new fingerprint.
            page["seen"] = game_writing.fingerprint(stored, services.FIELDS)
            page["mine"] = [row.player.name for row in page["batting"]]
            page["theirs"] = _names(self.found, TypedLineup.of(stored.lineup).order)
        return page

    def success_url(self) -> str:
        return reverse("tracker:game", args=[self.kwargs["game"]])


@requires("tracker.team.view")
class Substitute(LineupPage[SubstituteForm]):
    """Make a substitution, or take back the last one (`take_back`)."""

    form_class = SubstituteForm

    @property
    def is_back(self) -> bool:
        return "take_back" in self.request.POST

    def get(self, _request: SignedInRequest, **_parts: Any) -> HttpResponse:
        return HttpResponseRedirect(self.success_url())

    def form_kwargs(self) -> Mapping[str, Any]:
        return _substitutions(self.found)

    def save(self) -> None:
        user, game, typed = self.request.user, self.kwargs["game"], self.form.cleaned_data
        if self.is_back:
            services.take_back(user, game, once=self.once)
        elif typed["player"] == NOBODY_COMES[0]:
            services.leave(user, game, typed["slot"], once=self.once)
        else:
            services.substitute(user, game, typed["slot"], typed["player"], once=self.once)

    def context(self) -> Mapping[str, Any]:
        return self.page(TypedLineup.of(self.found.game.lineup or ()), self.form, None)

    def message(self) -> Text:
        return _("Substitution undone.") if self.is_back else _("Substitution made.")

    def success_url(self) -> str:
        address = "tracker:score" if self.is_from_scoring else "tracker:lineup"
        return reverse(address, args=[self.found.game.id])


# --- What the form begins with ------------------------------------------------------------------------------


def _beginning(found: ReadGame, choice: str) -> TypedLineup:
    """The initial line-up: the stored one; without one those who are coming, else that of the last game."""
    if found.game.lineup and (not choice or found.story.at_bats):
        return TypedLineup.of(found.game.lineup)
    if choice == EMPTY:
        return TypedLineup.of(())
    players, last = found.roster.players, _last_lineup(found.game)
    said_yes = {answer.player_id for answer in found.story.answers if answer.answer == COMING}
    coming = lineups.beginning(players, said_yes, last)
    if choice == LAST_GAME or (not choice and not coming):
        return TypedLineup.of(lineups.beginning(players, {entry["playerId"] for entry in last}, last))
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


# --- The players --------------------------------------------------------------------------------------------


def _rows(found: ReadGame, typed: TypedLineup, problem: DataError | None) -> tuple[list[Row], list[Row]]:
    """The batting order of the form, without those who left the roster; and the bench: the players who can
    be put in, those who are coming first."""
    game, at_bats = found.game, found.story.at_bats
    fixed = lineups.locked(game, at_bats)
    empty = box_scores.empty_slots(game, at_bats, len(at_bats))
    now = dict(enumerate(box_scores.order_now(game, at_bats), start=1))
    names = dict(zip(now, _names(found, now.values()), strict=True))
    answers = {each.player_id: each.answer for each in found.story.answers}

    def row(player: Player, usual: str = "", **fields: Any) -> Row:
        answer = ANSWERS.get(answers.get(player.id, ""), "")
        return Row(player, typed.positions.get(player.id, usual), answer, **fields)

    def now_in(place: int, player_id: str) -> str:
        if place in empty:
            return _("nobody")
        return names[place] if place in fixed and now[place] != player_id else ""

    batting = [
        row(
            player,
            is_locked=place in fixed,
            now=now_in(place, player.id),
            problem=str(problem) if problem and problem.field == player.id else "",
        )
        for place, player in enumerate(map(found.roster.player, typed.order), start=1)
        if player is not None
    ]
    gone = {*typed.order, *(player for place, player in now.items() if place in fixed)}
    bench = [
        row(player, lineups.usual_position(player))
        for player in found.roster.players
        if player.plays and player.id not in gone
    ]
    return batting, sorted(bench, key=lambda each: answers.get(each.player.id) != COMING)


def _names(found: ReadGame, player_ids: Iterable[str]) -> list[str]:
    names = {player.id: player.name for player in found.roster.players}
    return [names.get(player_id, _("Someone who left")) for player_id in player_ids]


def _substitutions(found: ReadGame) -> dict[str, Any]:
    """The choices of `SubstituteForm`."""
    game, at_bats = found.game, found.story.at_bats
    now = box_scores.order_now(game, at_bats)
    empty = box_scores.empty_slots(game, at_bats, len(at_bats))
    names = [
        _("nobody, %(name)s left") % {"name": name} if place in empty else name
        for place, name in enumerate(_names(found, now), start=1)
    ]
    batting = [player for place, player in enumerate(now, start=1) if place not in empty]
    return {
        "slots": [(place, f"{place}. {name}") for place, name in enumerate(names, start=1)],
        "bench": [player for player in found.roster.players if player.plays and player.id not in batting],
    }
