"""Services for scoring. Each writes plate appearances and the game's new box score in one transaction."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from uuid import NAMESPACE_URL, uuid5

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo import transactions, trash
from core.dynamo.errors import AlreadyExists, Conflict, KeyReused, NotFound, Replayed
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.items import new_id
from core.dynamo.transactions import Transaction
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS, Game
from tracker.rules import box_scores, plays
from tracker.rules.replay import Box, Play
from tracker.scoring import game_writing, rules
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.models import AtBat, TakenOut
from tracker.statistics import appearances

# A game has two or three scorekeepers, so more conflicts in a row are reported.
MOST_TRIES = 8
# The most request ids that `TakenOut` keeps, and the most plays that can be redone.
MOST_REMEMBERED = 100

P = ParamSpec("P")
Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Written:
    """The game after a write, computed without another read, and the plate appearance that was written."""

    opened: OpenGame
    at_bat: AtBat | None = None


def _retried(
    verb: Callable[Concatenate[OpenGame, P], Written],
) -> Callable[Concatenate[User, str | OpenGame, P], Written]:
    """The verb for a game by its id, or as the caller has read it: repeated after a conflict with the game
    as it is then. A replay returns the game as it is now."""

    @wraps(verb)
    def retrying(user: User, game: str | OpenGame, /, *args: P.args, **kwargs: P.kwargs) -> Written:
        opened = game if isinstance(game, OpenGame) else game_writing.allowed(user, game, rules.RIGHT)
        for _try in range(MOST_TRIES):
            try:
                return verb(opened, *args, **kwargs)
            except rules.WrittenBefore:
                raise
            except Replayed:
                # The same request was carried out before: show the game as it is now.
                return Written(game_writing.allowed(user, opened.game.id, rules.RIGHT))
            except (rules.Overtaken, rules.NotLive, rules.Changed, NotFound) as refusal:
                try:
                    refuse(refusal, cast(IdempotencyKey | None, kwargs.get("once")))
                except Replayed:
                    # Refused because of its own earlier write.
                    return Written(opened)
                except KeyReused:
                    raise refusal from None
            except (Conflict, AlreadyExists):
                opened = game_writing.allowed(user, opened.game.id, rules.RIGHT)
        raise Conflict

    return retrying


# --- Replays ------------------------------------------------------------------------------------------------


def id_for(once: IdempotencyKey | None) -> str:
    """An id derived from user, route and idempotency key: a replay has the same, another user never does."""
    if once is None:
        return new_id()
    return str(uuid5(uuid5(NAMESPACE_URL, f"{once.sub} {once.route}"), once.key))


def written_before(
    opened: OpenGame, once: IdempotencyKey | None, fields: Fields | None = None
) -> Written | None:
    """The answer to a replay of `record` or `insert`, recognised by the id of the plate appearance, so also
    after the idempotency row has expired. WrittenBefore or KeyReused if the request has changed.

    `fields` is None if the form is invalid now; at the first request it was valid.
    """
    if once is None:
        return None
    at_bats, at_bat_id = opened.story.at_bats, id_for(once)
    place = plays.place_of(at_bats, at_bat_id)
    if place < len(at_bats):
        earlier = at_bats[place]
        if fields is not None:
            player = fields.get("player_id", earlier.player_id) if earlier.is_turn else earlier.player_id
            if (earlier.result, earlier.player_id) != (fields["result"], player):
                raise rules.WrittenBefore(current=at_bats[place:])
        return Written(opened, earlier)
    if at_bat_id in opened.story.taken_out:
        with suppress(Replayed):
            once.check()
        return Written(opened)
    return None


def _is_done(opened: OpenGame, at_bat_id: str, once: IdempotencyKey | None) -> bool:
    """Whether this request removed or restored the plate appearance before, however long ago."""
    taken_out = opened.story.taken_out.get(at_bat_id)
    return once is not None and taken_out is not None and id_for(once) in taken_out.requests


# --- New plate appearances ----------------------------------------------------------------------------------


def preview(
    opened: OpenGame, fields: Fields, *, index: int | None = None, is_correction: bool = False
) -> tuple[Play, Box]:
    """The play that `record` would store, or at `index` `insert` or `correct`, and the box score after it."""
    game, at_bats = opened.game, opened.story.at_bats
    index = len(at_bats) if index is None else index
    facts = rules.checked(opened, fields, index, is_correction=is_correction)
    at_bat = AtBat.in_game(game, number=plays.number_after(at_bats[:index]), **facts)
    return box_scores.next_plays_of(game, at_bats, index, [box_scores.appearance_of(at_bat)])[0]


@_retried
def record(
    opened: OpenGame,
    fields: Fields,
    *,
    seen: int,
    situation_hash: str | None = None,
    once: IdempotencyKey | None = None,
) -> Written:
    """Record the next plate appearance. Overtaken unless the page was up to date.

    `seen` is how many plate appearances it showed; `situation_hash` is from `plays.situation_hash`.
    """
    if written := written_before(opened, once, fields):
        return written
    rules.ensure_next(opened, seen=seen, situation_hash=situation_hash)
    at_bats = opened.story.at_bats
    of_game = {"undone": None} if opened.game.undone else {}
    return _add(opened, len(at_bats), plays.number_after(at_bats), fields, once, of_game)


@_retried
def insert(opened: OpenGame, before: str, fields: Fields, *, once: IdempotencyKey | None = None) -> Written:
    """Insert a forgotten plate appearance before another; allowed in any state of the game."""
    if written := written_before(opened, once, fields):
        return written
    at_bats = opened.story.at_bats
    index = at_bats.index(opened.story.at_bat(before))
    return _add(opened, index, plays.number_before(at_bats, index), fields, once)


@_retried
def restore(opened: OpenGame, at_bat_id: str, *, once: IdempotencyKey | None = None) -> Written:
    """Restore a removed plate appearance at its former place."""
    if _is_done(opened, at_bat_id, once):
        return Written(opened)
    with suppress(NotFound):
        return Written(opened, opened.story.at_bat(at_bat_id))
    return _bring_back(opened, at_bat_id, once)


@_retried
def redo(opened: OpenGame, at_bat_id: str, *, once: IdempotencyKey | None = None) -> Written:
    """Restore the play that was undone last; repeatable until something else is recorded."""
    at_bats = opened.story.at_bats
    if _is_done(opened, at_bat_id, once) or plays.place_of(at_bats, at_bat_id) < len(at_bats):
        return Written(opened)
    undone = opened.game.undone or ()
    if not undone or undone[-1]["atBatId"] != at_bat_id:
        raise rules.Overtaken(rules.NOT_TO_REDO, current=[])
    return _bring_back(opened, at_bat_id, once, "redo")


# --- Corrections --------------------------------------------------------------------------------------------


@_retried
def correct(
    opened: OpenGame,
    at_bat_id: str,
    fields: Fields,
    *,
    seen_version: int,
    once: IdempotencyKey | None = None,
) -> Written:
    """Correct a plate appearance, in any state of the game."""
    at_bats = opened.story.at_bats
    at_bat = rules.as_seen(opened, at_bat_id, seen_version)
    facts = rules.checked(opened, fields, at_bats.index(at_bat), is_correction=True)
    transaction, actor = Transaction(), opened.access.user.actor
    corrected = repository.at_bats.update(
        at_bat, facts, actor=actor, verb="correct", once=once, transaction=transaction
    )
    if corrected is at_bat:
        return Written(opened, at_bat)
    appearances.count(transaction, [at_bat], -1)
    appearances.count(transaction, [corrected], 1)
    after = [corrected if each is at_bat else each for each in at_bats]
    return _write(opened, transaction, after, corrected)


@_retried
def remove(
    opened: OpenGame, at_bat_id: str, *, seen_version: int, once: IdempotencyKey | None = None
) -> Written:
    if _is_done(opened, at_bat_id, once):
        return Written(opened)
    return _take_out(opened, rules.as_seen(opened, at_bat_id, seen_version), once)


@_retried
def undo(opened: OpenGame, at_bat_id: str, *, once: IdempotencyKey | None = None) -> Written:
    """Remove the last plate appearance, whose id the page showed; repeatable."""
    at_bats = opened.story.at_bats
    place = plays.place_of(at_bats, at_bat_id)
    if _is_done(opened, at_bat_id, once) or place == len(at_bats):
        # Somebody else undid it, or this is a replay; in both cases it is done.
        return Written(opened)
    if newer := at_bats[place + 1 :]:
        raise rules.Overtaken(current=newer)
    last = at_bats[place]
    entry = {"atBatId": last.id, "playerId": last.player_id, "result": last.result}
    undone = [*(opened.game.undone or ()), entry][-MOST_REMEMBERED:]
    return _take_out(opened, last, once, "undo", {"undone": undone})


@_retried
def set_opponent_runs(
    opened: OpenGame,
    inning: int,
    runs: int | None,
    *,
    seen_runs: int | None,
    once: IdempotencyKey | None = None,
) -> Written:
    """Set the opponent's runs in an inning. `runs` None removes the last inning.

    `seen_runs` is the value that the page showed, None for a new inning; Overtaken if it has changed.
    """
    by_inning = [int(each) for each in opened.game.opponent_by_inning or ()]
    stored = by_inning[inning - 1] if 1 <= inning <= len(by_inning) else None
    if opened.game.status not in (IN_PROGRESS, FINAL):
        raise rules.NotLive
    if stored == runs:
        return Written(opened)
    if stored != seen_runs:
        message = _("Someone else has changed the opponent's runs in the meantime.")
        raise rules.Overtaken(message, current=[])
    after = rules.innings_with(by_inning, inning, runs)
    fields: dict[str, Any] = {"opponent_by_inning": after}
    if not opened.game.forfeited_to:
        fields["opponent_score"] = sum(after)
    game = game_writing.write(opened, fields, verb="opponent", once=once)
    return _written(opened, game, opened.story.at_bats)


# --- The transaction ----------------------------------------------------------------------------------------


def _add(
    opened: OpenGame,
    index: int,
    number: float,
    fields: Fields,
    once: IdempotencyKey | None,
    of_game: Fields | None = None,
) -> Written:
    at_bats = opened.story.at_bats
    before = box_scores.box_of(opened.game, at_bats, until=index)
    at_bat = AtBat.in_game(
        opened.game,
        id_for(once),
        number=number,
        inning=before.inning,
        outs=before.outs,
        scored_by=opened.access.user.sub,
        **rules.checked(opened, fields, index),
    )
    transaction = Transaction()
    created = repository.at_bats.create(
        at_bat, actor=opened.access.user.actor, verb="record", once=once, transaction=transaction
    )
    appearances.count(transaction, [created], 1)
    after = [*at_bats[:index], created, *at_bats[index:]]
    return _write(opened, transaction, after, created, of_game=of_game)


def _take_out(
    opened: OpenGame,
    at_bat: AtBat,
    once: IdempotencyKey | None,
    verb: str = "score",
    of_game: Fields | None = None,
) -> Written:
    transaction = Transaction()
    repository.at_bats.delete(at_bat, actor=opened.access.user.actor, once=once, transaction=transaction)
    appearances.count(transaction, [at_bat], -1)
    _remember(transaction, opened, at_bat, once)
    after = [each for each in opened.story.at_bats if each is not at_bat]
    return _write(opened, transaction, after, at_bat, verb=verb, of_game=of_game)


def _bring_back(
    opened: OpenGame, at_bat_id: str, once: IdempotencyKey | None, verb: str = "score"
) -> Written:
    key = repository.at_bats.key(opened.game.id, at_bat_id)
    trashed = trash.of_record(repository.at_bats.entity, key)
    if trashed is None:
        raise NotFound
    at_bats = opened.story.at_bats
    number = plays.free_number(at_bats, float(AtBat.from_raw_data(trashed.record).number))
    transaction = Transaction()
    back = repository.at_bats.restore(
        trashed.trash_id,
        actor=opened.access.user.actor,
        fields={"number": number},
        once=once,
        transaction=transaction,
    )
    appearances.count(transaction, [back], 1)
    _remember(transaction, opened, back, once)
    left = [each for each in opened.game.undone or () if each["atBatId"] != at_bat_id]
    of_game = {"undone": left or None} if opened.game.undone else {}
    after = sorted([*at_bats, back], key=lambda each: each.number)
    return _write(opened, transaction, after, back, verb=verb, of_game=of_game)


def _write(
    opened: OpenGame,
    transaction: Transaction,
    after: list[AtBat],
    at_bat: AtBat,
    *,
    verb: str = "score",
    of_game: Fields | None = None,
) -> Written:
    game = game_writing.write(opened, of_game or {}, verb=verb, at_bats=after, transaction=transaction)
    transaction.commit()
    return _written(opened, game, after, at_bat)


def _written(opened: OpenGame, game: Game, after: list[AtBat], at_bat: AtBat | None = None) -> Written:
    box = box_scores.stored_box(game, after, revision=game_writing.revision_after(opened.box))
    return Written(replace(opened, story=replace(opened.story, game=game, at_bats=after), box=box), at_bat)


def _remember(transaction: Transaction, opened: OpenGame, at_bat: AtBat, once: IdempotencyKey | None) -> None:
    """Add the `TakenOut` item with this request's id; the box score's condition prevents lost updates."""
    before = opened.story.taken_out.get(at_bat.id)
    requests = [*(before.requests if before else ()), *([id_for(once)] if once else ())]
    kept = TakenOut.about(opened.game.id, at_bat.id, requests=requests[-MOST_REMEMBERED:])
    transaction.add(transactions.put(kept))
