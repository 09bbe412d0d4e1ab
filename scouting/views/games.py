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

from accounts.rights import SignedInRequest, requires
from crud.http import go
from crud.toasts import tell
from dynamo.errors import AlreadyExists, Conflict, Invalid, NotFound, Replayed
from scouting import game as definitions
from scouting.forms import PitEntry, StandEntry
from scouting.game import Game
from scouting.game_forms import GameForm, UploadForm
from scouting.models import StoredGame
from scouting.services import games, settings
from stores import idempotency

LARGEST_FILE = 200_000


@requires("scouting.settings.view")
@require_safe
def game(request: SignedInRequest, year: str) -> HttpResponse:
    """The questions as the forms ask them."""
    found = settings.game(year_in(year))
    if found is None:
        raise NotFound
    return render(request, "scouting/game.html", {"game": found, **preview_of(found)})


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
    number = year_in(year)
    stored = settings.stored_game(number, strong=request.method == "POST")
    begun_with = _beginning(number, stored)
    page = {"year": number, "version": stored.seen_version if stored else 0}
    if request.method != "POST":
        return _editor(request, page, GameForm(game=begun_with))
    seen = request.POST.get("version", "")
    page["version"] = int(seen) if seen.isdecimal() else 0
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
    stored = settings.stored_game(number, strong=True)
    page = {"year": number, "version": stored.seen_version if stored else 0}
    form = GameForm(game=_beginning(number, stored))
    uploaded = UploadForm(request.POST, request.FILES)
    try:
        if not uploaded.is_valid():
            raise Invalid(_("Choose a file."))
        read = _read(uploaded.cleaned_data["file"], number)
    except Invalid as error:
        return _editor(request, page | {"upload_problem": error.message}, form, status=422)
    seen = request.POST.get("version", "")
    page["version"] = int(seen) if seen.isdecimal() else 0
    return _save(request, page, GameForm(game=read), read)


def _beginning(year: int, stored: StoredGame | None) -> Game:
    if stored:
        return definitions.from_json(stored.definition)
    known = definitions.shipped(year)
    if known or year in games.years_to_come():
        return known or replace(settings.newest_game(), year=year, name="", ranking=())
    raise NotFound


def _read(file: "UploadedFile[Any]", year: int) -> Game:
    if (file.size or 0) > LARGEST_FILE:
        raise Invalid(_("This file is too large."))
    try:
        told = json.loads(file.read())
    except ValueError as error:
        raise Invalid(_("This file is not JSON.")) from error
    if not isinstance(told, dict):
        raise Invalid(_("This game definition cannot be read."))
    return definitions.from_json(told | {"year": year})


def _save(request: SignedInRequest, page: dict[str, Any], form: GameForm, typed: Game) -> HttpResponse:
    try:
        games.save(request.user, typed, seen_version=page["version"], once=idempotency.once(request))
    except Replayed:
        pass
    except (Conflict, AlreadyExists) as error:
        theirs = definitions.from_json(error.current.definition)
        page |= {"version": error.current.seen_version, "theirs": theirs, **preview_of(theirs)}
        return _editor(request, page, form, status=409)
    tell(request, _("Saved. Forms that were sent keep their values."))
    return go(request, reverse("scouting:game", args=[typed.year]))


def _editor(
    request: SignedInRequest, page: dict[str, Any], form: GameForm, *, status: int = 200
) -> HttpResponse:
    return render(request, "scouting/game_edit.html", page | {"form": form}, status=status)


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
