"""The stream worker: reads all streams from their checkpoints and calls the handlers."""

import logging
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from uuid import uuid4

from core.dynamo.errors import Unavailable
from core.dynamo.streams import losses, source
from core.dynamo.streams.metrics import Waiting
from core.dynamo.streams.reader import Reader, ReadResult, Stopped
from core.dynamo.streams.source import Shard

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
OUTAGE_SECONDS = 5.0
# On AWS a table gets new shards every few hours, and a busy one more often.
FIND_SHARDS_SECONDS = 60.0


class Worker:
    """Several may run at once: each shard is handled by one of them at a time."""

    def __init__(self, tables: Collection[str] = (), *, stop: threading.Event | None = None) -> None:
        self._tables = source.streamed_tables(tables)
        self._stop = stop or threading.Event()
        self._worker_id = str(uuid4())
        self._readers: dict[Shard, Reader] = {}
        self._next_shard_check = 0.0
        self._outage: Unavailable | None = None
        self._waiting = Waiting()

    def run(self, *, once: bool = False) -> None:
        """Run until stopped; with `once`, until there is nothing more to read."""
        with suppress(Stopped):
            while not self._stop.is_set():
                found = self._read_shards()
                pause = self._pause(found)
                if self._readers:
                    self._waiting.flush_if_due()
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
            if reader.is_finished or reader.is_gone:
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
            losses.report(self._tables, shards, self._worker_id)
        for gone in self._readers.keys() - set(shards):
            self._waiting.is_handled(gone)
        self._readers = {shard: self._readers.get(shard) or self._reader_of(shard) for shard in shards}
        self._next_shard_check = time.monotonic() + FIND_SHARDS_SECONDS

    def _reader_of(self, shard: Shard) -> Reader:
        return Reader(shard, self._worker_id, self._stop, self._waiting)

    def _open_readers(self) -> list[Reader]:
        """The shards to read: children only after their parent, to keep the order of an item's changes."""
        readers = {shard: reader for shard, reader in self._readers.items() if not reader.is_finished}
        unfinished = {(shard.stream, shard.id) for shard in readers}
        return [reader for shard, reader in readers.items() if (shard.stream, shard.parent) not in unfinished]
