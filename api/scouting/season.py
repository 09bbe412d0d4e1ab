"""The settings of a year, and the games that forms ask about."""

from typing import Any

from django.http import HttpResponse

from api import answers
from api.operations import Operations
from api.scouting import schemas
from core.accounts.rights import SignedInRequest
from core.dynamo.errors import NotFound, Replayed
from core.stores import idempotency
from scouting import keys
from scouting.games import definition
from scouting.settings import services as settings
from scouting.settings.models import NO_LOCK, Settings

part = Operations("Scouting season")


@part.get("/config", right="scouting.form.create", answer=schemas.Config)
def get_current_config(request: SignedInRequest) -> HttpResponse:
    """The current year and event. A change is seen here after half a minute at the latest."""
    current = settings.active().settings
    return answers.answer(_config(current, is_current=True))


@part.get("/config/{int:year}", right="scouting.settings.view", answer=schemas.Config, etag=True)
def get_config(request: SignedInRequest, year: int) -> HttpResponse:
    """The settings of a year."""
    # Which year is the current one changes without a new version of this one, so it is never "not modified".
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    return _answer(settings.of_year(keys.year_in(str(year)), strong=True))


@part.change("PUT", "/config/{int:year}", right="scouting.settings.update", answer=schemas.Config)
def save_config(request: SignedInRequest, year: int, body: schemas.ConfigBody) -> HttpResponse:
    """Save the settings of a year, which becomes the current one. For the first time, If-Match is "0"."""
    keys.year_in(str(year))
    version = answers.seen_version(request)
    try:
        with answers.precondition():
            settings.choose(
                request.user,
                year,
                event=None if body.event == NO_LOCK else body.event,
                locked=body.locked,
                game_year=body.gameYear,
                seen_version=version,
                once=idempotency.once(request),
            )
    except Replayed:
        settings.forget()
    return _answer(settings.of_year(year, strong=True))


@part.get("/games/{int:year}", right="scouting.form.create", answer=schemas.Game)
def get_game(request: SignedInRequest, year: int) -> HttpResponse:
    """What stand and pit forms of a year ask: keys of answers, kinds, choices, limits and points."""
    game = settings.game(year)
    if game is None:
        raise NotFound
    return answers.answer(definition.to_json(game))


def _answer(stored: Settings) -> HttpResponse:
    is_current = int(settings.active().settings.year) == int(stored.year)
    return answers.answer(_config(stored, is_current=is_current), version=stored.seen_version)


def _config(stored: Settings, *, is_current: bool) -> dict[str, Any]:
    return {
        "year": int(stored.year),
        "event": stored.active_event or NO_LOCK,
        "locked": bool(stored.locked),
        "gameYear": int(stored.game_year) if stored.game_year else None,
        "isCurrent": is_current,
        "createdAt": stored.created_at,
        "updatedAt": stored.updated_at,
        "version": stored.seen_version,
    }
