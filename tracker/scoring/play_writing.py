"""Writes of plate appearances, each with the new box score in one transaction."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo import transactions, trash
from core.dynamo.errors import (
    AlreadyExists,
    Conflict,
    DataError,
    Invalid,
    KeyReused,
    NotFound,
    Replayed,
)
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import RawItem, new_id
from core.dynamo.transactions import Transaction
from tracker import repository
from tracker.games.models import Game
from tracker.rules import box_scores, plays
from tracker.scoring import game_writing
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.models import AtBat, TakenOut
from tracker.scoring.rules import (
    VERB,
    Changed,
    NotLive,
    Overtaken,
    Told,
    Unusable,
    WrittenBefore,
    read_entry,
)
from tracker.statistics import appearances

# A game has two or three scorekeepers, so more conflicts in a row are reported.
MOST_TRIES = 8
# The most request ids that `TakenOut` keeps, and the most plays that can be redone.
MOST_REMEMBERED = 100


@dataclass(frozen=True)
class Written:
    """The game after a write, computed without another read, and the plate appearance that was written."""

    opened: OpenGame
    at_bat: AtBat | None = None


def id_for(once: IdempotencyKey | None) -> str:
    """An id derived from user, route and idempotency key: a replay has the same, another user never does."""
    if once is None:
        return new_id()
    return str(uuid5(uuid5(NAMESPACE_URL, f"{once.sub} {once.route}"), once.key))


def carry_out(
    user: User, game_id: str, change: Callable[[OpenGame], Written], once: IdempotencyKey | None
) -> Written:
    """Read the game and run `change`; again after a conflict. A replay returns the game as it is now."""
    for _try in range(MOST_TRIES):
        opened = game_writing.opened(user, game_id, VERB)
        try:
            return change(opened)
        except WrittenBefore:
            raise
        except Replayed:
            # The same request was carried out before: show the game as it is now.
            return Written(game_writing.opened(user, game_id, VERB))
        except (Overtaken, NotLive, Changed, NotFound) as refusal:
            return _unless_done_before(opened, refusal, once)
        except (Conflict, AlreadyExists):
            continue
    raise Conflict


def _unless_done_before(opened: OpenGame, refusal: DataError, once: IdempotencyKey | None) -> Written:
    """Raise the refusal, unless the request is a replay, refused because of its own earlier write."""
    if once is not None:
        try:
            once.check()
        except Replayed:
            return Written(opened)
        except KeyReused:
            pass
    raise refusal


def sent_again(opened: OpenGame, earlier: AtBat, told: Told) -> Written:
    """The answer to a replay of `record` or `insert`, recognised by the id of the plate appearance.

    That works after the idempotency row has expired too. WrittenBefore if the request has changed.
    """
    at_bats = opened.story.at_bats
    index = at_bats.index(earlier)
    # A form that is invalid now was valid at the first request.
    with suppress(Unusable):
        fields = read_entry(told, opened, index)
        player = fields["player_id"] if earlier.is_turn and "player_id" in fields else earlier.player_id
        if (earlier.result, earlier.player_id) != (fields["result"], player):
            raise WrittenBefore(current=at_bats[index:])
    return Written(opened, earlier)


def stays_out(opened: OpenGame, once: IdempotencyKey | None) -> Written:
    """The answer to a replay whose plate appearance was removed since; KeyReused if the request differs."""
    if once is not None:
        with suppress(Replayed):
            once.check()
    return Written(opened)


def add(
    opened: OpenGame,
    at_bat_id: str,
    index: int,
    number: float,
    facts: Mapping[str, Any],
    once: IdempotencyKey | None,
    *,
    fields: Mapping[str, Any] | None = None,
) -> Written:
    told = opened.story.at_bats
    before = box_scores.box_of(opened.game, told, until=index)
    at_bat = AtBat.in_game(
        opened.game,
        at_bat_id,
        number=number,
        inning=before.inning,
        outs=before.outs,
        scored_by=opened.access.user.sub,
        **facts,
    )
    transaction = Transaction()
    created = repository.at_bats.create(
        at_bat, actor=opened.access.user.actor, verb="record", once=once, transaction=transaction
    )
    count(transaction, created, 1)
    return write(opened, transaction, [*told[:index], created, *told[index:]], created, fields=fields)


def take_out(
    opened: OpenGame,
    at_bat: AtBat,
    once: IdempotencyKey | None,
    *,
    verb: str = "score",
    fields: Mapping[str, Any] | None = None,
) -> Written:
    told = opened.story.at_bats
    transaction = Transaction()
    repository.at_bats.delete(at_bat, actor=opened.access.user.actor, once=once, transaction=transaction)
    count(transaction, at_bat, -1)
    _remember(transaction, opened, at_bat, once)
    after = [each for each in told if each is not at_bat]
    return write(opened, transaction, after, at_bat, verb=verb, fields=fields)


def bring_back(
    opened: OpenGame, at_bat_id: str, once: IdempotencyKey | None, *, verb: str = "score"
) -> Written:
    trashed = trash.of_record(repository.at_bats.entity, repository.at_bats.key(opened.game.id, at_bat_id))
    if trashed is None:
        raise NotFound
    told = opened.story.at_bats
    number = plays.free_number(told, float(AtBat.from_raw_data(trashed.record).number))
    transaction = Transaction()
    back = repository.at_bats.restore(
        trashed.trash_id,
        actor=opened.access.user.actor,
        fields={"number": number},
        once=once,
        transaction=transaction,
    )
    count(transaction, back, 1)
    _remember(transaction, opened, back, once)
    left = [each for each in opened.game.undone or () if each["atBatId"] != at_bat_id]
    fields = {"undone": left or None} if opened.game.undone else {}
    return write(opened, transaction, plays.in_order([*told, back]), back, verb=verb, fields=fields)


def undone_with(opened: OpenGame, at_bat: AtBat) -> list[dict[str, Any]]:
    entry = {"atBatId": at_bat.id, "playerId": at_bat.player_id, "result": at_bat.result}
    return [*(opened.game.undone or ()), entry][-MOST_REMEMBERED:]


def write(
    opened: OpenGame,
    transaction: Transaction,
    after: list[AtBat],
    at_bat: AtBat,
    *,
    verb: str = "score",
    fields: Mapping[str, Any] | None = None,
) -> Written:
    game = game_writing.write(opened, fields or {}, verb=verb, at_bats=after, transaction=transaction)
    if opened.box is not None and game.version == opened.game.version:
        transaction.add(repository.games.check_unchanged(opened.game))
    transaction.commit()
    return Written(as_written(opened, game, after), at_bat)


def as_written(opened: OpenGame, game: Game, after: list[AtBat]) -> OpenGame:
    box = box_scores.stored_box(game, after, revision=opened.revision)
    return replace(opened, story=replace(opened.story, game=game, at_bats=after), box=box)


def _remember(transaction: Transaction, opened: OpenGame, at_bat: AtBat, once: IdempotencyKey | None) -> None:
    """Add the `TakenOut` item with this request's id; the box score's condition prevents lost updates."""
    before = opened.story.taken_out.get(at_bat.id)
    requests = [*(before.requests if before else ()), *([id_for(once)] if once else ())]
    kept = TakenOut.about(opened.game.id, at_bat.id, requests=requests[-MOST_REMEMBERED:])
    transaction.add(transactions.put(kept))


def is_done(opened: OpenGame, at_bat_id: str, once: IdempotencyKey | None) -> bool:
    """Whether this request removed or restored the plate appearance before, however long ago."""
    taken_out = opened.story.taken_out.get(at_bat_id)
    return once is not None and taken_out is not None and id_for(once) in taken_out.requests


def count(transaction: Transaction, at_bat: AtBat, by: int) -> None:
    appearances.count(transaction, [at_bat], by, refused=_no_player)


def _no_player(_stored: RawItem | None) -> Exception:
    return Invalid(_("This player is no longer on the roster."), field="player")
