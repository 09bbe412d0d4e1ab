"""The checkpoint and the lease of each shard: one item per shard in the support table.

A worker takes the lease only for a batch that has something to handle. These items are in a stream
themselves, so a change of one must not cause another write.
"""

from datetime import timedelta
from functools import partial

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from core.dynamo import transactions
from core.dynamo.attributes import TimestampAttribute, now
from core.dynamo.items import RawItem
from core.dynamo.queries import every, get, query
from core.dynamo.streams.source import Shard
from core.dynamo.support_table import SupportItem

# After this time another worker takes over; the handler of one change must take less than half of it.
LEASE = timedelta(seconds=30)
# The position of a parent is read as long as its child shard exists, which is a day.
KEPT_FINISHED = timedelta(days=7)


class Position(SupportItem):
    checkpoint = UnicodeAttribute(null=True)
    finished = BooleanAttribute(default=False)
    holder = UnicodeAttribute(null=True)
    until = TimestampAttribute(null=True)
    # When it was noticed that changes of the shard were not read before DynamoDB forgot them.
    lost = TimestampAttribute(null=True)

    @property
    def table(self) -> str:
        return self.pk.partition("#")[2]

    @property
    def label(self) -> str:
        """The label of the stream."""
        return self.sk.partition("#")[0]

    @property
    def shard_id(self) -> str:
        return self.sk.partition("#")[2]


class LeaseTaken(Exception):
    """Another worker has the lease, or has moved the checkpoint."""


def position_of(shard: Shard) -> Position:
    key = _key(shard)
    return get(Position, key, strong=True) or Position(pk=key["PK"]["S"], sk=key["SK"]["S"])


def of_table(table: str) -> list[Position]:
    return every(partial(query, Position, _pk(table), strong=True))


def take_lease(position: Position, holder: str) -> None:
    """Take the lease, if the checkpoint is the one that was read."""
    actions: list[Action] = [Position.holder.set(holder), Position.until.set(now() + LEASE)]
    _write(position, actions, _as_seen(position, holder))
    position.until = now() + LEASE


def extend_lease(position: Position, holder: str) -> None:
    """Extend the lease when half of it has passed."""
    if position.until - now() < LEASE / 2:
        _write(position, [Position.until.set(now() + LEASE)], Position.holder == holder)
        position.until = now() + LEASE


def save_checkpoint(position: Position, holder: str, checkpoint: str | None, *, finished: bool) -> None:
    """Save how far the shard is handled, and release the lease."""
    actions = _released()
    if checkpoint is not None:
        actions.append(Position.checkpoint.set(checkpoint))
    if finished:
        actions += _finished()
    _write(position, actions, _as_seen(position, holder))
    position.checkpoint = checkpoint or position.checkpoint
    position.finished = finished


def begin(position: Position, holder: str) -> None:
    """Note a shard without a checkpoint, so that it is missed if it is gone before it was read."""
    _write(position, _released(), _as_seen(position, holder) & transactions.absent(Position))


def note_lost(position: Position, holder: str, *, finished: bool) -> None:
    """Changes were lost: of a shard that is gone the rest, of another one those before the oldest kept.

    Only one worker can note it. Without the checkpoint, which is too old, reading goes on with the oldest.
    """
    actions = [Position.lost.set(now()), *(_finished() if finished else [Position.checkpoint.remove()])]
    _write(position, actions, _as_seen(position, holder) & Position.finished.does_not_exist())


def _released() -> list[Action]:
    return [Position.holder.remove(), Position.until.remove()]


def _finished() -> list[Action]:
    return [Position.finished.set(True), Position.ttl.set(now() + KEPT_FINISHED)]


def _as_seen(position: Position, holder: str) -> Condition:
    is_free: Condition = (
        Position.holder.does_not_exist() | (Position.holder == holder) | (Position.until < now())
    )
    checkpoint = position.checkpoint
    unmoved: Condition = (
        Position.checkpoint == checkpoint if checkpoint else Position.checkpoint.does_not_exist()
    )
    condition: Condition = is_free & unmoved
    return condition


def _write(position: Position, actions: list[Action], condition: Condition) -> None:
    update = transactions.update(
        Position, position.raw_key(), actions, condition=condition, refused=lambda _stored: LeaseTaken()
    )
    transactions.send(update)


def name_of(shard: Shard) -> str:
    """The sort key of its position."""
    return f"{shard.stream.label}#{shard.id}"


def _key(shard: Shard) -> RawItem:
    return {"PK": {"S": _pk(shard.stream.table)}, "SK": {"S": name_of(shard)}}


def _pk(table: str) -> str:
    return f"STREAM#{table}"
