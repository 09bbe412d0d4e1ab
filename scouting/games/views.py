"""The pages of a game definition, by year."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.dynamo.errors import NotFound
from scouting import keys
from scouting.analysis.ratings import OWN_POINTS
from scouting.form_page import ResendablePage
from scouting.forms.forms import PitEntry, StandEntry
from scouting.games import definition as definitions
from scouting.games import services as games
from scouting.games.definition import Game
from scouting.games.forms import GameForm, UploadForm
from scouting.games.models import StoredGame
from scouting.settings import services as settings

# The ranking of a new year's game, until leads enter its rules.
USUAL_RANKING = ("rp", OWN_POINTS)


@requires("scouting.settings.view")
@require_safe
def game(request: SignedInRequest, year: str) -> HttpResponse:
    """The questions as they appear in the forms."""
    number = keys.year_in(year)
    stored, shipped = settings.stored_game(number, strong=True), definitions.shipped(number)
    found = definitions.from_json(stored.definition) if stored else shipped
    if found is None:
        raise NotFound
    context = {"game": found, "is_changed": stored is not None, "is_shipped": shipped is not None}
    return render(request, "scouting/games/game.html", context | preview_of(found))


@requires("scouting.settings.view")
@require_safe
def download(request: SignedInRequest, year: str) -> HttpResponse:
    """The definition as a JSON file, which can be uploaded elsewhere."""
    found = settings.game(keys.year_in(year))
    if found is None:
        raise NotFound
    answer = JsonResponse(definitions.to_json(found), json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="game-{found.year}.json"'
    return answer


@requires("scouting.settings.update")
class EditGame(ResendablePage[Any]):
    """The editor of a definition. A new year starts with a copy of the newest game."""

    form_class: type[Any] = GameForm
    template = "scouting/games/edit.html"
    success_message = gettext_lazy("Saved. Forms already sent keep their values.")
    # The typed or uploaded definition.
    typed: Game | None = None

    def load(self) -> None:
        self.year = keys.year_in(self.kwargs["year"])
        self.begun_with = _beginning(self.year, self.object)

    def get_object(self) -> StoredGame | None:
        return settings.stored_game(self.year, strong=True)

    def initial(self) -> Mapping[str, Any]:
        return GameForm.initial_of_game(self.begun_with)

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"game": self.begun_with}

    @property
    def is_preview(self) -> bool:
        return "preview" in self.request.POST

    def save(self) -> None:
        self.typed = self.form.game()
        if not self.is_preview:
            self._store(self.typed)

    def _store(self, game: Game) -> None:
        games.save(self.request.user, game, seen_version=self.seen_version, once=self.once)

    def done(self) -> HttpResponse:
        return self.show() if self.is_preview else super().done()

    def compare(self) -> Game:
        return definitions.from_json(self.object.definition)

    def context(self) -> Mapping[str, Any]:
        is_preview = self.is_preview and self.typed is not None
        previewed = self.contested or (self.typed if is_preview else None)
        return {
            "year": self.year,
            "stored": self.object or StoredGame.of_year(self.year),
            "is_preview": is_preview,
            **(preview_of(previewed) if previewed else {}),
        }

    def success_url(self) -> str:
        return reverse("scouting:game", args=[self.year])


@requires("scouting.settings.update")
class UploadGame(EditGame):
    """Upload a definition: stored like a typed one; errors are shown in the editor."""

    http_method_names = ["post"]
    form_class = UploadForm
    takes_files = True
    is_preview = False
    upload_problem = ""

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"year": self.year}

    def correct(self) -> HttpResponse:
        """If the file cannot be read, the editor starts again with what is stored, and its version."""
        self.upload_problem = self.form.errors["file"][0]
        self.form = GameForm(initial=self.initial(), game=self.begun_with)
        self.contested = ()
        return self.show(422)

    def save(self) -> None:
        self.typed = self.form.cleaned_data["file"]
        # A refused definition is shown in the editor.
        self.form = GameForm(initial=GameForm.initial_of_game(self.typed), game=self.typed)
        self._store(self.typed)

    def context(self) -> Mapping[str, Any]:
        return {**super().context(), "upload_problem": self.upload_problem}


def _beginning(year: int, stored: StoredGame | None) -> Game:
    if stored:
        return definitions.from_json(stored.definition)
    known = definitions.shipped(year)
    if known or year in games.years_to_come():
        return known or replace(settings.newest_game(), year=year, name="", ranking=USUAL_RANKING)
    raise NotFound


def preview_of(game: Game) -> dict[str, Any]:
    """Preview of the forms, with ids of their own, as the page may have fields of the same names."""
    stand, pit = StandEntry(game=game), PitEntry(game=game)
    stand.auto_id, pit.auto_id = "preview-stand-%s", "preview-pit-%s"
    return {"steps": stand.steps, "sections": pit.sections}
