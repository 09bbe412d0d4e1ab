"""Reads all streams on from where they were left, and gives what concerns somebody to its handlers."""

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
LOOK_FOR_SHARDS_SECONDS = 60.0
# What concerns nobody is noted now and then only: each note is itself a change in a stream.
NOTE_AFTER = 1_000


class ReadResult(Enum):
    """What one look into a shard brought."""

    NOTHING = "nothing"
    OTHERS = "what concerns nobody"
    SOMETHING = "something that was handled"
    ANOTHER_WORKER = "another worker"


class Stopped(Exception):
    """The worker was asked to end in the middle of a batch; what it has handled is noted."""


class Reader:
    """Reads one shard. `_last` is the last change that was looked at; the checkpoint may be behind it."""

    def __init__(self, shard: Shard, holder: str, stop: threading.Event) -> None:
        self._shard = shard
        self._holder = holder
        self._stop = stop
        self._place: str | None
        self._last: str | None
        self._begin_at_checkpoint()

    @property
    def is_finished(self) -> bool:
        return bool(self._position.finished)

    def read(self) -> ReadResult:
        """Look at the next changes, and handle them."""
        try:
            batch = source.read(self._shard, self._place or source.iterator_after(self._shard, self._last))
            found = self._take_in(batch)
        except IteratorExpired:
            self._place = None
            return ReadResult.OTHERS
        except LeaseTaken:
            self._begin_at_checkpoint()
            return ReadResult.ANOTHER_WORKER
        self._place = batch.next_place
        return found

    def _take_in(self, batch: Batch) -> ReadResult:
        is_end = batch.next_place is None
        if any(map(steps, batch.changes)):
            self._handle(batch.changes, is_end=is_end)
            return ReadResult.SOMETHING
        if batch.changes or is_end:
            self._pass_by(batch.changes, is_end=is_end)
            return ReadResult.OTHERS
        return ReadResult.NOTHING

    def _begin_at_checkpoint(self) -> None:
        self._position = positions.position_of(self._shard)
        self._last = self._position.checkpoint
        self._place = None
        self._passed_by = 0

    def _handle(self, changes: Sequence[Change], *, is_end: bool) -> None:
        positions.take(self._position, self._holder)
        try:
            for change in changes:
                self._wait(0)
                handle_or_put_aside(change, wait=self._wait)
                self._last = change.sequence_number
        except (Stopped, Unavailable):
            self._place = None
            # If this cannot be noted either, the lease ends by itself.
            with suppress(Unavailable):
                self._note(finished=False)
            raise
        self._note(finished=is_end)

    def _pass_by(self, changes: Sequence[Change], *, is_end: bool) -> None:
        if changes:
            self._last = changes[-1].sequence_number
        self._passed_by += len(changes)
        if is_end or self._passed_by >= NOTE_AFTER:
            self._note(finished=is_end)

    def _note(self, *, finished: bool) -> None:
        positions.advance(self._position, self._holder, self._last, finished=finished)
        self._passed_by = 0

    def _wait(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise Stopped
        positions.keep(self._position, self._holder)


class Worker:
    """Several may run at once: each shard is handled by one of them at a time."""

    def __init__(self, tables: Collection[str] = (), *, stop: threading.Event | None = None) -> None:
        self._tables = source.streamed_tables(tables)
        self._stop = stop or threading.Event()
        self._holder = str(uuid4())
        self._readers: dict[Shard, Reader] = {}
        self._next_look = 0.0
        self._outage: Unavailable | None = None

    def run(self, *, once: bool = False) -> None:
        """Until it is stopped; or once, until there is nothing more to read."""
        with suppress(Stopped):
            while not self._stop.is_set():
                found = self._round()
                pause = self._pause(found)
                if once and pause and ReadResult.ANOTHER_WORKER not in found:
                    break
                self._stop.wait(pause)
            if once and self._outage is not None:
                raise self._outage

    def _round(self) -> set[ReadResult]:
        """One look into every shard whose turn it is."""
        self._outage = None
        found: set[ReadResult] = set()
        with self._going_on_in_an_outage():
            if time.monotonic() >= self._next_look:
                self._look_for_shards()
        for reader in self._due():
            with self._going_on_in_an_outage():
                found.add(reader.read())
            if reader.is_finished:
                # Its children may be new.
                self._next_look = 0.0
        return found

    @contextmanager
    def _going_on_in_an_outage(self) -> Iterator[None]:
        """What one handler cannot reach now must not hold up the others."""
        try:
            yield
        except Unavailable as error:
            log.warning("A stream waits: %s", error)
            self._outage = error

    def _pause(self, found: set[ReadResult]) -> float:
        if ReadResult.SOMETHING in found:
            return 0
        if self._outage is not None:
            # What is noted in an outage comes by in a stream, too: it is no reason to go on at once.
            return OUTAGE_SECONDS
        return 0 if ReadResult.OTHERS in found else POLL_SECONDS

    def _look_for_shards(self) -> None:
        shards = [shard for table in self._tables for shard in source.shards_of(source.stream_of(table))]
        if set(shards) != set(self._readers):
            self._give_up_those_gone(shards)
        self._readers = {
            shard: self._readers.get(shard) or Reader(shard, self._holder, self._stop) for shard in shards
        }
        self._next_look = time.monotonic() + LOOK_FOR_SHARDS_SECONDS

    def _give_up_those_gone(self, shards: Sequence[Shard]) -> None:
        """DynamoDB forgets a shard after a day, whether or not somebody has read it."""
        for table in self._tables:
            for position in positions.unfinished_without(table, shards):
                with suppress(LeaseTaken):
                    positions.give_up(position, self._holder)
                    log.error(
                        "Changes of table %s may be lost: shard %s of its stream %s is gone and was read "
                        "up to %s only. docs/streams.md says how to make that good.",
                        table,
                        position.shard_id,
                        position.label,
                        position.checkpoint or "its beginning",
                    )

    def _due(self) -> list[Reader]:
        """Parents before their children: the changes of one item stay in their order."""
        readers = {shard: reader for shard, reader in self._readers.items() if not reader.is_finished}
        unfinished = {(shard.stream, shard.id) for shard in readers}
        return [reader for shard, reader in readers.items() if (shard.stream, shard.parent) not in unfinished]
