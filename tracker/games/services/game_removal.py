"""Deleting and restoring a game with its plate appearances, answers and box score."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo import transactions, trash
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, Missing, NotFound
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.items import RawItem, StoredModel
from core.dynamo.transactions import Operation, Transaction
from core.dynamo.trash import TrashedItem
from tracker import policy, repository
from tracker.games.models import Game
from tracker.items import Row
from tracker.rules import box_scores
from tracker.scoring import game_writing
from tracker.scoring.game_writing import OpenGame, Seen
from tracker.scoring.models import AtBat
from tracker.statistics import appearances

T = TypeVar("T")

# The attribute of the trashed image that holds the items of the game's partition.
PARTS = "_parts"
# One transaction takes a hundred operations: these, the counters of all players, and the game's own.
PARTS_PER_TRANSACTION = 60


class NotConfirmed(Conflict):
    """The game has plate appearances, and the person has not confirmed that they are deleted too."""

    message = _(
        "Plate appearances have been recorded in this game. Confirm that you want to delete them too."
    )


def delete(
    user: User,
    game_id: str,
    *,
    confirmed: bool = False,
    seen: Seen = None,
    once: IdempotencyKey | None = None,
) -> str:
    """Delete a game with its parts; returns the trash id, with which `restore` brings it back."""
    opened = game_writing.allowed(user, game_id, "manage_games")
    story = opened.story
    game_writing.refuse_unseen(story.game, (), seen, once)
    if story.at_bats and not confirmed:
        refuse(NotConfirmed(current=story.game, field="confirmed"), once)
    parts: list[StoredModel] = [*story.at_bats, *story.answers, *story.taken_out.values()]
    first, *others = _in_batches(parts)
    transaction = Transaction()
    trash_id = _trash(transaction, opened, parts)
    repository.games.delete(story.game, actor=user.actor, for_ever=True, once=once, transaction=transaction)
    if opened.box is not None:
        transaction.add(repository.boxes.remove(opened.box))
    appearances.count(transaction, story.at_bats, -1, refused=_no_player)
    transaction.add(*_removals(first))
    transaction.commit()
    # The game is gone, so the remaining parts of a very long game are unreachable until they are deleted.
    for rest in others:
        transactions.commit(*_removals(rest))
    return trash_id


class Restored(NamedTuple):
    game: Game
    # The season was deleted meanwhile, so the game has none now.
    is_without_season: bool = False


def restore(
    user: User, game_id: str, trash_id: str | None = None, *, once: IdempotencyKey | None = None
) -> Restored:
    """Restore a game with its parts, as last deleted or from one image in the trash; without its season if
    that was deleted meanwhile."""
    entity = repository.games.entity
    if trash_id is None:
        trashed = trash.of_record(entity, repository.games.key(game_id))
    else:
        trashed = trash.find(entity, trash_id)
    image = dict(trashed.record) if trashed else {}
    if trashed is None or image["gameId"]["S"] != game_id:
        refuse(NotFound(), once)
    policy.allowed(user, image["teamId"]["S"], "manage_games")
    parts = [part["M"] for part in image.pop(PARTS, {"L": []})["L"]]
    game: Game = Game.from_raw_data(image)
    try:
        return Restored(_bring_back(user, trashed, game, parts, once))
    except Missing as gone:
        if gone.field != "season_id":
            raise
        game = Game.from_raw_data({name: value for name, value in image.items() if name != "seasonId"})
        return Restored(_bring_back(user, trashed, game, parts, once), is_without_season=True)


def _bring_back(
    user: User, trashed: TrashedItem, game: Game, parts: Sequence[RawItem], once: IdempotencyKey | None
) -> Game:
    """Write the game in the last transaction, so that a game is never visible with some of its parts."""
    at_bats = [AtBat.from_raw_data(part) for part in parts if part["SK"]["S"].startswith("ATBAT#")]
    first, *others = _in_batches(parts)
    not_yet = transactions.check(
        Game, game.raw_key(), transactions.absent(Game), refused=lambda _: NotFound()
    )
    # Parts without their game are unreachable and not counted, so a retry may put them again.
    for rest in others:
        transactions.commit(not_yet, *(transactions.put_raw(Row, part) for part in rest))
    transaction = Transaction()
    restored = repository.games.put_back(game, actor=user.actor, once=once, transaction=transaction)
    transaction.add(trash.remove(trashed))
    box = box_scores.stored_box(restored, at_bats, revision=1)
    transaction.add(*repository.boxes.replace(box, seen=None))
    appearances.count(transaction, at_bats, +1, refused=_no_player)
    transaction.add(*(transactions.put_raw(Row, part) for part in first))
    transaction.commit()
    return restored


def _trash(transaction: Transaction, opened: OpenGame, parts: Sequence[StoredModel]) -> str:
    """Add the trash item, one image of the game with its parts; returns the trash id."""
    game, moment = opened.game, now()
    images = [{"M": dict(part.stored)} for part in parts]
    kept = trash.put(
        entity=repository.games.entity,
        key=repository.games.key_of(game),
        label=repository.games.label_of(game),
        actor=opened.access.user.actor,
        at=moment,
        image={**game.stored, PARTS: {"L": images}},
    )
    transaction.add(kept)
    return str(kept.key["SK"]["S"])


def _removals(parts: Iterable[StoredModel]) -> list[Operation]:
    # No condition: the deletes of game and box score in the same transaction fail if a part has changed.
    return [transactions.delete(type(part), part.raw_key()) for part in parts]


def _no_player(_stored: RawItem | None) -> Exception:
    return Conflict(_("Someone who batted in this game is no longer on the roster."))


def _in_batches(parts: Sequence[T]) -> list[Sequence[T]]:
    """Batches for one transaction each; at least one, which may be empty."""
    starts = range(0, len(parts) or 1, PARTS_PER_TRANSACTION)
    return [parts[start : start + PARTS_PER_TRANSACTION] for start in starts]
