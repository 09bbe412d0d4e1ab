"""The line-up of a game and its substitutions."""

from django.http import HttpResponse

from api import answers
from api.operations import Operations
from api.tracker import documents
from api.tracker import game_schemas as schemas
from api.tracker.bodies import named
from core.accounts.rights import SignedInRequest
from core.dynamo.errors import Replayed
from core.stores import idempotency
from tracker import repository
from tracker.games.models import Game
from tracker.scoring.services import lineup

part = Operations("Softball line-ups")
# The fields of the form by their names in the body.
NAMES = {"battingOrder": "slot", "playerId": "player"}


@part.change("PUT", "/games/{game}/lineup", right="tracker.team.view", answer=schemas.TrackerGame)
def save_tracker_lineup(request: SignedInRequest, game: str, body: schemas.LineupBody) -> HttpResponse:
    """Save the line-up; If-Match is the version of the game. Places in which somebody has batted stay."""
    version = answers.seen_version(request)
    entries = [each.model_dump() | {"position": each.position or ""} for each in body.lineup]
    # The service names a player.
    places = {f"lineup/{place}": each.playerId for place, each in enumerate(body.lineup)}
    try:
        with answers.precondition(), named(places, otherwise="lineup"):
            once = idempotency.once(request)
            saved = lineup.save(request.user, game, entries, seen=version, once=once)
    except Replayed:
        saved = repository.games.of(game, strong=True)
    return _answer(saved)


@part.act(
    "POST", "/games/{game}/substitutions", right="tracker.team.view", answer=schemas.TrackerGame, is_once=True
)
def substitute_tracker_player(
    request: SignedInRequest, game: str, body: schemas.SubstitutionBody
) -> HttpResponse:
    """Put in somebody else from the next play on, or leave the place empty."""
    user, place, player, once = request.user, body.battingOrder, body.playerId, idempotency.once(request)
    try:
        # The service names the field or the player.
        with named(NAMES), named({"playerId": player} if player else {}):
            if player is None:
                saved = lineup.leave(user, game, place, once=once)
            else:
                saved = lineup.substitute(user, game, place, player, once=once)
    except Replayed:
        saved = repository.games.of(game, strong=True)
    return _answer(saved)


@part.act(
    "DELETE",
    "/games/{game}/substitutions/last",
    right="tracker.team.view",
    answer=schemas.TrackerGame,
    is_once=True,
)
def take_back_tracker_substitution(request: SignedInRequest, game: str) -> HttpResponse:
    """Take back the last substitution, unless its place has batted since."""
    try:
        saved = lineup.take_back(request.user, game, once=idempotency.once(request))
    except Replayed:
        saved = repository.games.of(game, strong=True)
    return _answer(saved)


def _answer(game: Game) -> HttpResponse:
    return answers.answer(documents.document(game, documents.GAME), version=game.seen_version)
