"""The stream worker: reads all streams from their checkpoints and calls the handlers."""

import logging
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from uuid import uuid4

from core.dynamo.errors import Unavailable
from core.dynamo.streams import positions, source
from core.dynamo.streams.changes import Change
from core.dynamo.streams.failures import handle_or_put_aside
from core.dynamo.streams.handlers import steps
from core.dynamo.streams.positions import LeaseTaken
from core.dynamo.streams.source import Batch, IteratorExpired, Shard

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
OUTAGE_SECONDS = 5.0
# On AWS a table gets new shards every few hours, and a busy one more often.
FIND_SHARDS_SECONDS = 60.0
# After so many changes without a handler the checkpoint is saved: each save is itself a change in a stream.
SAVE_AFTER = 1_000


class ReadResult(Enum):
    """The outcome of one read of a shard."""

    NOTHING = "nothing"
    IRRELEVANT = "what concerns nobody"
    HANDLED = "something that was handled"
    ANOTHER_WORKER = "another worker"


class Stopped(Exception):
    """The worker was asked to end within a batch; the checkpoint is saved."""


class Reader:
    """Reads one shard. `_last_seen` is the last change that was read; the checkpoint may be behind it."""

    def __init__(self, shard: Shard, holder: str, stop: threading.Event) -> None:
        self._shard = shard
        self._worker_id = holder
        self._stop = stop
        self._iterator: str | None
        self._last_seen: str | None
        self._reset_to_checkpoint()

    @property
    def is_finished(self) -> bool:
        return bool(self._position.finished)

    def read(self) -> ReadResult:
        """Read the next changes, and handle them."""
        try:
            batch = source.read(
                self._shard, self._iterator or source.iterator_after(self._shard, self._last_seen)
            )
            found = self._process(batch)
        except IteratorExpired:
            self._iterator = None
            return ReadResult.IRRELEVANT
        except LeaseTaken:
            self._reset_to_checkpoint()
            return ReadResult.ANOTHER_WORKER
        self._iterator = batch.next_iterator
        return found

    def _process(self, batch: Batch) -> ReadResult:
        is_end = batch.next_iterator is None
        if any(map(steps, batch.changes)):
            self._handle(batch.changes, is_end=is_end)
            return ReadResult.HANDLED
        if batch.changes or is_end:
            self._skip(batch.changes, is_end=is_end)
            return ReadResult.IRRELEVANT
        return ReadResult.NOTHING

    def _reset_to_checkpoint(self) -> None:
        self._position = positions.position_of(self._shard)
        self._last_seen = self._position.checkpoint
        self._iterator = None
        self._skipped = 0

    def _handle(self, changes: Sequence[Change], *, is_end: bool) -> None:
        positions.take_lease(self._position, self._worker_id)
        try:
            for change in changes:
                self._wait(0)
                handle_or_put_aside(change, wait=self._wait)
                self._last_seen = change.sequence_number
        except (Stopped, Unavailable):
            self._iterator = None
            # If this cannot be saved either, the lease expires.
            with suppress(Unavailable):
                self._save_position(finished=False)
            raise
        self._save_position(finished=is_end)

    def _skip(self, changes: Sequence[Change], *, is_end: bool) -> None:
        if changes:
            self._last_seen = changes[-1].sequence_number
        self._skipped += len(changes)
        if is_end or self._skipped >= SAVE_AFTER:
            self._save_position(finished=is_end)

    def _save_position(self, *, finished: bool) -> None:
        positions.save_checkpoint(self._position, self._worker_id, self._last_seen, finished=finished)
        self._skipped = 0

    def _wait(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise Stopped
        positions.extend_lease(self._position, self._worker_id)


class Worker:
    """Several may run at once: each shard is handled by one of them at a time."""

    def __init__(self, tables: Collection[str] = (), *, stop: threading.Event | None = None) -> None:
        self._tables = source.streamed_tables(tables)
        self._stop = stop or threading.Event()
        self._worker_id = str(uuid4())
        self._readers: dict[Shard, Reader] = {}
        self._next_shard_check = 0.0
        self._outage: Unavailable | None = None

    def run(self, *, once: bool = False) -> None:
        """Run until stopped; with `once`, until there is nothing more to read."""
        with suppress(Stopped):
            while not self._stop.is_set():
                found = self._read_shards()
                pause = self._pause(found)
                if once and pause and ReadResult.ANOTHER_WORKER not in found:
                    break
                self._stop.wait(pause)
            if once and self._outage is not None:
                raise self._outage

    def _read_shards(self) -> set[ReadResult]:
        """Read once from every open shard."""
        self._outage = None
        found: set[ReadResult] = set()
        with self._survive_outage():
            if time.monotonic() >= self._next_shard_check:
                self._find_shards()
        for reader in self._open_readers():
            with self._survive_outage():
                found.add(reader.read())
            if reader.is_finished:
                # It may have new children.
                self._next_shard_check = 0.0
        return found

    @contextmanager
    def _survive_outage(self) -> Iterator[None]:
        """Log `Unavailable` and go on with the other shards."""
        try:
            yield
        except Unavailable as error:
            log.warning("A stream waits: %s", error)
            self._outage = error

    def _pause(self, found: set[ReadResult]) -> float:
        if ReadResult.HANDLED in found:
            return 0
        if self._outage is not None:
            # Also if changes were read: they may be the checkpoints that were saved in the outage.
            return OUTAGE_SECONDS
        return 0 if ReadResult.IRRELEVANT in found else POLL_SECONDS

    def _find_shards(self) -> None:
        shards = [shard for table in self._tables for shard in source.shards_of(source.stream_of(table))]
        if set(shards) != set(self._readers):
            self._report_lost_shards(shards)
        self._readers = {
            shard: self._readers.get(shard) or Reader(shard, self._worker_id, self._stop) for shard in shards
        }
        self._next_shard_check = time.monotonic() + FIND_SHARDS_SECONDS

    def _report_lost_shards(self, shards: Sequence[Shard]) -> None:
        """DynamoDB forgets a shard after a day, whether or not somebody has read it."""
        for table in self._tables:
            for position in positions.unfinished_without(table, shards):
                with suppress(LeaseTaken):
                    positions.mark_lost(position, self._worker_id)
                    log.error(
                        "Changes of table %s may be lost: shard %s of its stream %s is gone and was read "
                        "up to %s only. docs/streams.md says how to make that good.",
                        table,
                        position.shard_id,
                        position.label,
                        position.checkpoint or "its beginning",
                    )

    def _open_readers(self) -> list[Reader]:
        """The shards to read: children only after their parent, to keep the order of an item's changes."""
        readers = {shard: reader for shard, reader in self._readers.items() if not reader.is_finished}
        unfinished = {(shard.stream, shard.id) for shard in readers}
        return [reader for shard, reader in readers.items() if (shard.stream, shard.parent) not in unfinished]
