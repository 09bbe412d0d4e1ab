"""The games: what the forms ask for, by year."""

import json
from dataclasses import replace
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, small_number
from core.crud import toasts
from core.dynamo.errors import AlreadyExists, Conflict, Invalid, KeyReused, NotFound, Replayed, TooLarge
from core.stores import idempotency
from scouting.analysis.ratings import OWN_POINTS
from scouting.forms.forms import PitEntry, StandEntry
from scouting.games import definition as definitions
from scouting.games import services as games
from scouting.games.definition import Game
from scouting.games.forms import GameForm, UploadForm
from scouting.games.models import StoredGame
from scouting.settings import services as settings

LARGEST_FILE = 200_000
# What every year's game ranks by first, until somebody has read its rules.
USUAL_RANKING = ("rp", OWN_POINTS)


@requires("scouting.settings.view")
@require_safe
def game(request: SignedInRequest, year: str) -> HttpResponse:
    """The questions as the forms ask them."""
    number = year_in(year)
    stored, shipped = settings.stored_game(number, strong=True), definitions.shipped(number)
    found = definitions.from_json(stored.definition) if stored else shipped
    if found is None:
        raise NotFound
    context = {"game": found, "is_changed": stored is not None, "is_shipped": shipped is not None}
    return render(request, "scouting/games/game.html", context | preview_of(found))


@requires("scouting.settings.view")
@require_safe
def download(request: SignedInRequest, year: str) -> HttpResponse:
    """The definition as a file, such as one that is uploaded elsewhere."""
    found = settings.game(year_in(year))
    if found is None:
        raise NotFound
    answer = JsonResponse(definitions.to_json(found), json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="game-{found.year}.json"'
    return answer


@requires("scouting.settings.update")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, year: str) -> HttpResponse:
    """The questions as rows. The game of a new year begins as a copy of the newest one."""
    begun_with, page = _opened(year_in(year))
    if request.method != "POST":
        return _editor(request, page, GameForm(game=begun_with))
    page["version"] = small_number(request.POST.get("version", ""))
    form = GameForm(request.POST, game=begun_with)
    if form.wants_help():
        return _editor(request, page, form)
    if not form.is_valid():
        form.focus_first_error()
        return _editor(request, page, form, status=422)
    if "preview" in request.POST:
        return _editor(request, page | preview_of(form.game()) | {"is_preview": True}, form)
    return _save(request, page, form, form.game())


@requires("scouting.settings.update")
@require_POST
def upload(request: SignedInRequest, year: str) -> HttpResponse:
    """A definition out of a file: saved like a typed one, or told what is wrong with it."""
    number = year_in(year)
    begun_with, page = _opened(number)
    uploaded = UploadForm(request.POST, request.FILES)
    try:
        if not uploaded.is_valid():
            raise Invalid(_("Choose a file."))
        read = _read(uploaded.cleaned_data["file"], number)
    except Invalid as error:
        page["upload_problem"] = error.message
        return _editor(request, page, GameForm(game=begun_with), status=422)
    page["version"] = small_number(request.POST.get("version", ""))
    return _save(request, page, GameForm(game=read), read)


def _opened(year: int) -> tuple[Game, dict[str, Any]]:
    """What the editor begins with, and the page around it."""
    stored = settings.stored_game(year, strong=True)
    return _beginning(year, stored), {"year": year, "version": stored.seen_version if stored else 0}


def _beginning(year: int, stored: StoredGame | None) -> Game:
    if stored:
        return definitions.from_json(stored.definition)
    known = definitions.shipped(year)
    if known or year in games.years_to_come():
        return known or replace(settings.newest_game(), year=year, name="", ranking=USUAL_RANKING)
    raise NotFound


def _read(file: "UploadedFile[Any]", year: int) -> Game:
    if (file.size or 0) > LARGEST_FILE:
        raise Invalid(_("This file is too large."))
    try:
        told = json.loads(file.read())
    except (ValueError, RecursionError) as error:
        raise Invalid(_("This file is not JSON.")) from error
    if not isinstance(told, dict):
        raise Invalid(_("This game definition cannot be read."))
    return definitions.from_json(told | {"year": year})


def _save(request: SignedInRequest, page: dict[str, Any], form: GameForm, typed: Game) -> HttpResponse:
    try:
        games.save(request.user, typed, seen_version=page["version"], once=idempotency.once(request))
    except Replayed:
        pass
    except KeyReused as error:
        form.add_error(
            None, _("You have sent this form before, with other contents. Save again if you mean it.")
        )
        return _editor(request, page, form, status=error.status_code)
    except TooLarge as error:
        form.add_refusal(error)
        return _editor(request, page, form, status=error.status_code)
    except (Conflict, AlreadyExists) as error:
        theirs = definitions.from_json(error.current.definition)
        page |= {"version": error.current.seen_version, "theirs": theirs, **preview_of(theirs)}
        return _editor(request, page, form, status=409)
    toasts.add(request, _("Saved. Forms that were sent keep their values."))
    return go(request, reverse("scouting:game", args=[typed.year]))


def _editor(
    request: SignedInRequest, page: dict[str, Any], form: GameForm, *, status: int = 200
) -> HttpResponse:
    return render(request, "scouting/games/edit.html", page | {"form": form}, status=status)


def year_in(text: str) -> int:
    """Of an address: four digits."""
    if not (text.isascii() and text.isdecimal() and len(text) == 4):
        raise NotFound
    return int(text)


def preview_of(game: Game) -> dict[str, Any]:
    """The forms as scouts see them; the page may have fields of the same names."""
    stand, pit = StandEntry(game), PitEntry(game)
    stand.auto_id, pit.auto_id = "preview-stand-%s", "preview-pit-%s"
    return {"steps": stand.steps, "sections": pit.sections}
