"""What waits in the streams, by their checkpoints: for `manage.py streams status`."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from core.dynamo.streams import positions, source
from core.dynamo.streams.changes import Change
from core.dynamo.streams.handlers import concerns_somebody
from core.dynamo.streams.positions import Position
from core.dynamo.streams.source import IteratorExpired, Shard, ShardGone, Trimmed

# Checkpoints stay behind changes that concern nobody. So much is looked through for one that does.
MOST_READS = 50
# DynamoDB may answer with nothing although there is more.
MOST_EMPTY_READS = 3


class WaitingChange(NamedTuple):
    """The oldest change of a shard that has a handler and was not handled."""

    table: str
    number: str
    event: str
    at: datetime


def lost(tables: Iterable[str]) -> Iterator[Position]:
    """The shards of which changes were lost in the last week."""
    return (position for table in tables for position in positions.of_table(table) if position.lost)


def waiting(tables: Iterable[str]) -> Iterator[WaitingChange]:
    for table in tables:
        for shard in source.shards_of(source.stream_of(table)):
            position = positions.position_of(shard)
            if not position.finished and (change := _next_in(shard, position.checkpoint)):
                yield WaitingChange(table, change.sequence_number, change.event, change.at)


def _next_in(shard: Shard, checkpoint: str | None) -> Change | None:
    try:
        return next(filter(concerns_somebody, _changes_after(shard, checkpoint)), None)
    except Trimmed:
        # The worker tells of what is gone; the oldest that is kept waits.
        return _next_in(shard, None) if checkpoint else None
    except (IteratorExpired, ShardGone):
        return None


def _changes_after(shard: Shard, checkpoint: str | None) -> Iterator[Change]:
    iterator: str | None = source.iterator_after(shard, checkpoint)
    empty = 0
    for _read in range(MOST_READS):
        if iterator is None or empty == MOST_EMPTY_READS:
            return
        changes, iterator = source.read(shard, iterator)
        empty = 0 if changes else empty + 1
        yield from changes
