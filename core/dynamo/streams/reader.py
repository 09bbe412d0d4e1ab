"""Reads one shard from its checkpoint and calls the handlers."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum

from core.dynamo.errors import Unavailable
from core.dynamo.streams import losses, positions, source
from core.dynamo.streams.changes import Change
from core.dynamo.streams.failures import handle_or_put_aside
from core.dynamo.streams.handlers import concerns_somebody
from core.dynamo.streams.metrics import Waiting
from core.dynamo.streams.positions import LeaseTaken
from core.dynamo.streams.source import Batch, IteratorExpired, Shard, ShardGone, Trimmed

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

    def __init__(self, shard: Shard, worker_id: str, stop: threading.Event, waiting: Waiting) -> None:
        self._shard = shard
        self._worker_id = worker_id
        self._stop = stop
        self._waiting = waiting
        self.is_gone = False
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
        except Unavailable:
            self._waiting.cannot_be_read(self._shard)
            raise
        except IteratorExpired:
            self._iterator = None
            return ReadResult.IRRELEVANT
        except Trimmed:
            losses.report_trimmed(self._position, self._worker_id, self._last_seen)
            self._reset_to_checkpoint()
            return ReadResult.IRRELEVANT
        except ShardGone:
            self.is_gone, self._iterator = True, None
            return ReadResult.NOTHING
        except LeaseTaken:
            self._reset_to_checkpoint()
            return ReadResult.ANOTHER_WORKER
        self._iterator = batch.next_iterator
        self._waiting.is_handled(self._shard)
        return found

    def _process(self, batch: Batch) -> ReadResult:
        is_end = batch.next_iterator is None
        if batch.changes:
            self._waiting.waits(self._shard, batch.changes[0].at)
        if any(map(concerns_somebody, batch.changes)):
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
                self._waiting.waits(self._shard, change.at)
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
