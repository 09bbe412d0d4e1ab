"""The plays of a game: the next one, a forgotten one, corrections, undo and redo, the opponent's runs."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import quote

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from ninja import Query

from api import answers
from api.forms import valid
from api.lists import ItemQuery, ListQuery, PageOf, listing
from api.operations import PREFIX, InvalidFields, Operations
from api.tracker import documents
from api.tracker import play_schemas as schemas
from api.tracker.bodies import named, wrong
from api.tracker.entries import NAMES, entered
from api.tracker.lists import slices
from core.accounts.rights import SignedInRequest
from core.dynamo.errors import Conflict, Invalid, Replayed
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.stores import idempotency
from tracker import policy, repository
from tracker.games.repository import GameStory
from tracker.rules import batting, box_scores, plays
from tracker.rules.replay import Box
from tracker.scoring import game_writing, presenters, rules
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.limits import RECORDING
from tracker.scoring.presenters import Situation
from tracker.scoring.services import scoring

part = Operations("Softball plays")
# Plays that are nobody's turn: they have no fields but their result.
FIXED = batting.NOT_TURNS - {batting.BETWEEN_TURNS}
OF_A_TURN = _("Nobody bats in this play.")
NOTHING_TO_CORRECT = _("This play has nothing to correct. Delete it.")


@part.get(
    "/games/{game}/atbats", right="tracker.team.view", answer=list[schemas.AtBat] | PageOf[schemas.AtBat]
)
def list_at_bats(request: SignedInRequest, game: str, query: Query[ListQuery]) -> HttpResponse:
    """The plays of a game in their order."""
    story = _story(request, game, strong=query.strong)
    found = list(zip(story.at_bats, _box(story).plays, strict=True))
    return listing(
        request,
        query,
        slices(found, lambda each: str(each[0].id)),
        lambda each: documents.at_bat(*each, query.only),
    )


@part.get("/games/{game}/atbats/{at_bat}", right="tracker.team.view", answer=schemas.AtBat, etag=True)
def get_at_bat(request: SignedInRequest, game: str, at_bat: str, query: Query[ItemQuery]) -> HttpResponse:
    """A play."""
    # Inning and outs change with a correction of an earlier one.
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    story = _story(request, game, strong=query.strong)
    story.at_bat(at_bat)
    return _answer(story, at_bat, query.only)


@part.get("/games/{game}/situation", right="tracker.team.view", answer=schemas.Situation)
def get_situation(request: SignedInRequest, game: str) -> HttpResponse:
    """Inning, outs, bases and batter, and what the next play is based on."""
    return _situation(game_writing.allowed(request.user, game, "view"))


@part.post("/games/{game}/atbats", right="tracker.team.view", answer=schemas.AtBat)
def record_at_bat(request: SignedInRequest, game: str, body: schemas.AtBatBody) -> HttpResponse:
    """Record the next play of a game that is played. 409 if it is not as you have seen it."""
    RECORDING.ensure(request.user.sub)
    opened, once = _opened(request, game), idempotency.once(request)
    based_on: dict[str, Any] = {"seen": body.seen, "situation_hash": body.situation}

    def record() -> scoring.Written:
        with _situation_first(opened, once, lambda: rules.ensure_next(opened, **based_on)):
            fields = _fields(opened, body, plays.place_of(opened.story.at_bats, scoring.id_for(once)))
        with _refused():
            return scoring.record(request.user, opened, fields, **based_on, once=once)

    return _made(opened, once, record)


@part.post("/games/{game}/atbats/{at_bat}/before", right="tracker.team.view", answer=schemas.AtBat)
def insert_at_bat(
    request: SignedInRequest, game: str, at_bat: str, body: schemas.InsertedAtBat
) -> HttpResponse:
    """Insert a play that was forgotten before another; everything that follows is counted again."""
    opened, once = _opened(request, game), idempotency.once(request)

    def insert() -> scoring.Written:
        index = plays.place_of(opened.story.at_bats, scoring.id_for(once), at_bat)
        with _situation_first(opened, once, lambda: opened.story.at_bat(at_bat)):
            fields = _fields(opened, body, index)
        with _refused():
            return scoring.insert(request.user, opened, at_bat, fields, once=once)

    return _made(opened, once, insert)


@part.change("PUT", "/games/{game}/atbats/{at_bat}", right="tracker.team.view", answer=schemas.AtBat)
def correct_at_bat(
    request: SignedInRequest, game: str, at_bat: str, body: schemas.AtBatChange
) -> HttpResponse:
    """Correct a play in any state of the game. What is left out stays; null is as usual."""
    version, opened, once = answers.seen_version(request), _opened(request, game), idempotency.once(request)
    stored = opened.story.at_bat(at_bat)
    if stored.result in FIXED:
        raise Conflict(NOTHING_TO_CORRECT)
    try:
        if stored.seen_version != version:
            refuse(answers.VersionChanged(), once)
        index = opened.story.at_bats.index(stored)
        form, names = entered(body, _situation_at(opened, index), stored)
        fields = valid(form, names).fields_of()
        with _as_read(), _refused():
            opened = scoring.correct(
                request.user, opened, at_bat, fields, seen_version=version, once=once
            ).opened
    except Replayed:
        opened = _opened(request, game)
    return _answer(opened.story, at_bat)


@part.delete("/games/{game}/atbats/{at_bat}", right="tracker.team.view")
def remove_at_bat(request: SignedInRequest, game: str, at_bat: str) -> HttpResponse:
    """Take a play out, in any state of the game; everything that follows is counted again."""
    opened = _opened(request, game)
    version = answers.version_to_delete(request, lambda: opened.story.at_bat(at_bat))
    with _as_read():
        scoring.remove(request.user, opened, at_bat, seen_version=version)
    return answers.no_content()


@part.act(
    "POST",
    "/games/{game}/atbats/{at_bat}/restore",
    right="tracker.team.view",
    answer=schemas.AtBat,
    is_once=True,
)
def restore_at_bat(request: SignedInRequest, game: str, at_bat: str) -> HttpResponse:
    """Bring a play back to its place."""
    once = idempotency.once(request)
    return _answer(scoring.restore(request.user, game, at_bat, once=once).opened.story, at_bat)


@part.act("POST", "/games/{game}/undo", right="tracker.team.view", answer=schemas.Situation, is_once=True)
def undo_at_bat(request: SignedInRequest, game: str, body: schemas.PlayBody) -> HttpResponse:
    """Take back the last play. 409 if others have recorded something after it."""
    once = idempotency.once(request)
    return _situation(scoring.undo(request.user, game, body.atBatId, once=once).opened)


@part.act("POST", "/games/{game}/redo", right="tracker.team.view", answer=schemas.Situation, is_once=True)
def redo_at_bat(request: SignedInRequest, game: str, body: schemas.PlayBody) -> HttpResponse:
    """Record again what was undone last. 409 once something else was recorded."""
    once = idempotency.once(request)
    return _situation(scoring.redo(request.user, game, body.atBatId, once=once).opened)


@part.act(
    "PUT",
    "/games/{game}/opponent/{int:inning}",
    right="tracker.team.view",
    answer=schemas.Situation,
    is_once=True,
)
def save_opponent_runs(
    request: SignedInRequest, game: str, inning: int, body: schemas.OpponentBody
) -> HttpResponse:
    """Enter the opponent's runs in an inning. 409 if others have changed those that you have read."""
    once = idempotency.once(request)
    with _refused():
        written = scoring.set_opponent_runs(
            request.user, game, inning, body.runs, seen_runs=body.was, once=once
        )
    return _situation(written.opened)


# --- Reading ------------------------------------------------------------------------------------------------


def _story(request: SignedInRequest, game: str, *, strong: bool) -> GameStory:
    story = repository.games.story(game, strong=strong)
    policy.access(request.user, story.game.team_id)
    return story


def _opened(request: SignedInRequest, game: str) -> OpenGame:
    return game_writing.allowed(request.user, game, rules.RIGHT)


def _box(story: GameStory) -> Box:
    return box_scores.box_of(story.game, story.at_bats)


def _situation_at(opened: OpenGame, index: int) -> Situation:
    """The situation before a play; without a line-up with the players, of whom the owner bats."""
    game = opened.game
    players = None if game.lineup else repository.teams.roster(game.team_id).players
    return Situation(game, opened.story.at_bats, index, players)


# --- Recording ----------------------------------------------------------------------------------------------


def _fields(opened: OpenGame, body: schemas.InsertedAtBat, index: int) -> dict[str, Any]:
    """What was sent, as the form of the page checks it."""
    if body.result not in FIXED:
        form, names = entered(body, _situation_at(opened, index))
        return valid(form, names).fields_of()
    sent = body.model_dump(exclude_none=True).keys() & (schemas.AtBatChange.model_fields.keys() - {"result"})
    for name in sorted(sent):
        raise wrong(name, OF_A_TURN)
    return {"result": body.result}


@contextmanager
def _situation_first(
    opened: OpenGame, once: IdempotencyKey | None, check: Callable[[], object]
) -> Iterator[None]:
    """Fields depend on the situation: a retry is recognised, and another situation refused, before them."""
    try:
        yield
    except InvalidFields:
        if scoring.written_before(opened, once):
            raise Replayed({}) from None
        check()
        raise


@contextmanager
def _refused() -> Iterator[None]:
    """What is refused at no field cannot be recorded in the game as it is: 409."""
    try:
        with named(NAMES):
            yield
    except Invalid as error:
        if isinstance(error, InvalidFields):
            raise
        raise Conflict(error.message) from error


@contextmanager
def _as_read() -> Iterator[None]:
    """412 for a play that was changed since it was read."""
    try:
        yield
    except rules.Changed as error:
        raise answers.VersionChanged from error


def _made(opened: OpenGame, once: IdempotencyKey | None, make: Callable[[], scoring.Written]) -> HttpResponse:
    """201 with the play, or 200 for a retry."""
    key, status, story = scoring.id_for(once), 200, opened.story
    is_known = key in story.taken_out or plays.place_of(story.at_bats, key) < len(story.at_bats)
    with suppress(Replayed):
        if once and is_known:
            # With other contents, it is another request.
            once.check()
        written = make()
        story = written.opened.story
        if written.at_bat is not None and not is_known:
            key, status = written.at_bat.id, 201
    address = f"{PREFIX}/tracker/games/{quote(story.game.id, safe='')}/atbats/{key}"
    return _answer(story, key, status=status, location=address)


# --- Answers ------------------------------------------------------------------------------------------------


def _answer(story: GameStory, at_bat: str, only: tuple[str, ...] = (), **options: Any) -> HttpResponse:
    index = plays.place_of(story.at_bats, at_bat)
    if index == len(story.at_bats):
        raise rules.Overtaken(rules.TAKEN_BACK)
    stored = story.at_bats[index]
    document = documents.at_bat(stored, _box(story).plays[index], only)
    return answers.answer(document, version=stored.seen_version, **options)


def _situation(opened: OpenGame) -> HttpResponse:
    game, at_bats = opened.game, opened.story.at_bats
    found = Situation(game, at_bats, len(at_bats))
    box, has_lineup = found.box, found.has_lineup
    undone: Mapping[str, Any] = game.undone[-1] if game.undone else {}
    return answers.answer(
        {
            "gameId": game.id,
            "status": game.status,
            "seen": len(at_bats),
            "situation": plays.situation_hash(game, at_bats),
            "inning": box.inning,
            "outs": box.outs,
            "bases": {str(base): box.on_base.get(base) for base in (1, 2, 3)},
            "batter": found.batter,
            "onDeck": found.on_deck if has_lineup else None,
            "nextPlace": box.next_slot,
            "isPlaceEmpty": found.is_place_empty,
            "order": list(plays.slots_at(game, at_bats, len(at_bats))),
            "teamScore": int(game.team_score or 0),
            "opponentScore": int(game.opponent_score or 0),
            "runsByInning": list(box.runs_by_inning[: box.innings_begun]),
            "opponentByInning": [int(runs) for runs in game.opponent_by_inning or ()],
            "hasEnded": has_lineup and presenters.has_ended(game, box),
            "last": at_bats[-1].id if at_bats else None,
            "redoable": undone.get("atBatId"),
        }
    )
