"""Says which changes nobody has read before DynamoDB forgot them: a stream keeps them for a day."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from core.dynamo.streams import positions
from core.dynamo.streams.positions import LeaseTaken, Position
from core.dynamo.streams.source import Shard

log = logging.getLogger(__name__)

HOW_TO_MEND = (
    "Once the streams have caught up, run `manage.py guards repair`, `manage.py search rebuild` and "
    "`manage.py media check --repair`; docs/streams.md says more."
)


def report(tables: Iterable[str], shards: Sequence[Shard], worker_id: str) -> None:
    """Log the shards that are gone before they were read to their end, each once."""
    for table in tables:
        stored = positions.of_table(table)
        there = [shard for shard in shards if shard.stream.table == table]
        for position in _gone(stored, there):
            reached = position.checkpoint or "its beginning"
            _tell(position, worker_id, f"is gone and was read up to {reached} only", finished=True)
        for shard in _beginning_here(stored, there):
            position = positions.position_of(shard)
            if any(known.label == position.label for known in stored):
                _tell(position, worker_id, "comes after one that is gone and that nobody has read")
            else:
                # The first worker of this stream: nobody was to read what came before.
                with suppress(LeaseTaken):
                    positions.begin(position, worker_id)


def report_trimmed(position: Position, worker_id: str, reached: str | None) -> None:
    """Log that a shard was trimmed behind this change; the next that is kept can be read."""
    _tell(position, worker_id, f"was read up to {reached or 'its beginning'}, and what came next is gone")


def _gone(stored: Iterable[Position], there: Iterable[Shard]) -> Iterator[Position]:
    """The shards that are not there any more, and were not read to their end."""
    names = {positions.name_of(shard) for shard in there}
    return (position for position in stored if not position.finished and position.sk not in names)


def _beginning_here(stored: Iterable[Position], there: Sequence[Shard]) -> Iterator[Shard]:
    """The shards that nobody has noted, and neither their parent, which is gone."""
    noted = {position.sk for position in stored}
    listed = {(shard.stream, shard.id) for shard in there}
    for shard in there:
        if shard.parent is None or (shard.stream, shard.parent) in listed:
            continue
        parent = shard._replace(id=shard.parent)
        if noted.isdisjoint({positions.name_of(shard), positions.name_of(parent)}):
            yield shard


def _tell(position: Position, worker_id: str, what: str, *, finished: bool = False) -> None:
    with suppress(LeaseTaken):
        positions.note_lost(position, worker_id, finished=finished)
        log.error(
            "Changes of table %s may be lost: shard %s of its stream %s %s. %s",
            position.table,
            position.shard_id,
            position.label,
            what,
            HOW_TO_MEND,
        )
