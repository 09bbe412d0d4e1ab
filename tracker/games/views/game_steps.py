"""Views that change a game: edit, state, forfeit, delete and restore."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import requires
from core.crud.form_page import ActionPage, FormPage
from core.crud.forms import RefusableForm
from core.crud.toasts import Undo
from core.dynamo.errors import NotFound, Text
from tracker.games.forms import DeleteForm, ForfeitForm, GameForm, StepForm
from tracker.games.models import SCORES, Game
from tracker.games.presenters import Card
from tracker.games.services import game_removal, games
from tracker.games.views.game import page_of
from tracker.navigation import team_context
from tracker.rules import game_states, season_rules
from tracker.scoring import game_writing
from tracker.statistics import queries
from tracker.statistics.queries import ReadGame

F = TypeVar("F", bound=RefusableForm)


class GamePage(FormPage[F]):
    """A form page of a game; requires the right to manage the games of its team."""

    def load(self) -> None:
        self.game_id: str = self.kwargs["game"]
        self.found = self.read()
        self.found.access.ensure("manage_games")

    def read(self) -> ReadGame:
        return queries.game(self.request.user, self.game_id, strong=True)

    def context(self) -> Mapping[str, Any]:
        game = self.found.game
        return team_context(self.found.access, "games") | {"game": game, "card": Card(game)}

    def success_url(self) -> str:
        return reverse("tracker:game", args=[self.game_id])


@requires("tracker.team.view")
class EditGame(GamePage[GameForm]):
    form_class = GameForm
    template = "tracker/games/game_form.html"
    success_message = gettext_lazy("Saved.")

    def get_object(self) -> Game:
        if self.problem is None:
            return self.found.game
        current = self.problem.current
        return current if isinstance(current, Game) else self.read().game

    def initial(self) -> Mapping[str, Any]:
        return GameForm.initial_of(self.object)

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"seasons": self.found.roster.seasons, "without": games.not_entered(self.found.story)}

    def bound_form(self) -> GameForm:
        return GameForm(self.request.POST, initial=self.initial(), **self.form_kwargs())

    def save(self) -> None:
        values, seen = self.form.fields_of(), self.request.POST.get("seen", "")
        games.edit(self.request.user, self.game_id, values, seen=seen, once=self.once)

    def context(self) -> Mapping[str, Any]:
        # The conflict is on the page, so saving again overwrites: the form carries the new fingerprint.
        is_sent = self.form.is_bound and self.contested is None
        shown = game_writing.fingerprint(self.object, games.FIELDS)
        seen = self.request.POST.get("seen", "") if is_sent else shown
        return {**super().context(), "seen": seen, "follows": games.derived_scores(self.found.story)}


@requires("tracker.team.view")
class MoveGame(GamePage[StepForm]):
    """Take the game to another state, by a form if the step needs the date or the scores."""

    form_class = StepForm
    template = "tracker/games/game_step.html"

    def load(self) -> None:
        super().load()
        sent = self.request.POST if self.request.method == "POST" else self.request.GET
        self.end = sent.get("status", "").upper()
        self.step = game_states.step(self.found.game.status, self.end)

    def check(self) -> None:
        if self.step is None:
            raise NotFound
        self.found.access.ensure(self.step.needs)

    def initial(self) -> Mapping[str, Any]:
        return {name: int(getattr(self.found.game, name) or 0) for name in SCORES}

    def form_kwargs(self) -> Mapping[str, Any]:
        """Without a step that the person may take the form asks nothing, and the service says why."""
        may_take = self.step is not None and self.found.access.may(self.step.needs)
        return {"asks": games.asked_by(self.step, self.found.story) if self.step and may_take else ()}

    def save(self) -> None:
        games.move(self.request.user, self.game_id, self.end, fields=self.form.cleaned_data, once=self.once)

    def context(self) -> Mapping[str, Any]:
        return {**super().context(), "step": self.step}

    def show(self, status: int = 200) -> HttpResponse:
        if self.problem is None or self.form.fields:
            return super().show(status)
        context = page_of(self.request, self.read()) | {
            "problem": self.problem,
            "is_without_lineup": isinstance(self.problem, games.NeedsLineup),
        }
        return render(self.request, "tracker/games/game.html", context, status=status)

    def message(self) -> Text:
        return self.step.done if self.step else _("Saved.")


@requires("tracker.team.view")
class ForfeitGame(GamePage[ForfeitForm]):
    """End the game as a forfeit."""

    form_class = ForfeitForm
    template = "tracker/games/game_forfeit.html"
    success_message = gettext_lazy("Game forfeited.")

    def load(self) -> None:
        super().load()
        if self.found.access.team.is_personal:
            raise NotFound

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"game": self.found.game}

    def save(self) -> None:
        winner = self.form.cleaned_data["winner"]
        games.forfeit(self.request.user, self.game_id, winner=winner, once=self.once)

    def context(self) -> Mapping[str, Any]:
        game = self.found.game
        league = season_rules.of_game(game, self.found.roster.season(game.season_id))
        return {**super().context(), "innings": league.innings}


@requires("tracker.team.view")
class DeleteGame(GamePage[DeleteForm]):
    form_class = DeleteForm
    template = "tracker/games/game_delete.html"
    success_message = gettext_lazy("Game deleted.")
    trash_id = ""

    def save(self) -> None:
        user, confirmed = self.request.user, self.form.cleaned_data["confirmed"]
        self.trash_id = game_removal.delete(user, self.game_id, confirmed=confirmed, once=self.once)

    def undo(self) -> Undo | None:
        address = reverse("tracker:game-restore", args=[self.game_id])
        return Undo(address, {"trash": self.trash_id}) if self.trash_id else None

    def context(self) -> Mapping[str, Any]:
        return {**super().context(), "count": len(self.found.story.at_bats)}

    def success_url(self) -> str:
        return reverse("tracker:games", args=[self.found.game.team_id])


@requires("tracker.team.view")
class RestoreGame(ActionPage):
    is_without_season = False

    def save(self) -> None:
        user, trash_id = self.request.user, self.request.POST.get("trash", "")
        back = game_removal.restore(user, self.kwargs["game"], trash_id, once=self.once)
        self.is_without_season = back.is_without_season

    def message(self) -> Text:
        if self.is_without_season:
            return _("Game restored without its season, which has been deleted.")
        return _("Game restored.")

    def success_url(self) -> str:
        return reverse("tracker:game", kwargs=self.kwargs)
