"""A stream whose shards split, end and are forgotten, as on AWS; the local engine has one that stays."""

from dataclasses import dataclass, field
from datetime import datetime

import pytest

from core.dynamo.attributes import now
from core.dynamo.streams import Change, source
from core.dynamo.streams.source import Batch, Shard, ShardGone, Stream, Trimmed
from tests.core.dynamo.streamed_changes import TABLE

LABEL = "2026-11-16T00:00:00.000"


@dataclass
class FakeShard:
    """`forgotten` of its changes are no longer kept; more may follow until it is closed."""

    shard: Shard
    changes: list[Change] = field(default_factory=list)
    is_closed: bool = False
    forgotten: int = 0


class FakeStreams:
    """At the seam of `core.dynamo.streams.source`. A place in a shard is a number of changes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, at_once: int = 100) -> None:
        self._stream = Stream(TABLE, f"arn:aws:dynamodb:eu-central-1:1:table/{TABLE}/stream/{LABEL}")
        self._shards: dict[str, FakeShard] = {}
        self._at_once = at_once
        self._number = 0
        monkeypatch.setattr(source, "shards_of", self._shards_of)
        monkeypatch.setattr(source, "iterator_after", self._iterator_after)
        monkeypatch.setattr(source, "read", self._read)

    def shard(self, name: str) -> Shard:
        return self._shards[name].shard

    def open(self, name: str, *keys: str, parent: str | None = None) -> None:
        """A new shard with changes of these keys, listed before the others: AWS promises no order."""
        self._shards = {name: FakeShard(Shard(self._stream, name, parent))} | self._shards
        self.add(name, *keys)

    def add(self, name: str, *keys: str, at: datetime | None = None, event: str = "INSERT") -> None:
        for key in keys:
            self._number += 1
            change = Change(TABLE, event, f"{self._number:03}", at or now(), None, {"id": {"S": key}})
            self._shards[name].changes.append(change)

    def close(self, *names: str) -> None:
        for name in names:
            self._shards[name].is_closed = True

    def split(self, name: str, *children: str) -> None:
        self.close(name)
        for child in children:
            self.open(child, parent=name)

    def forget(self, name: str) -> None:
        """A day after it was closed a shard is not listed any more."""
        del self._shards[name]

    def trim(self, name: str, number: int) -> None:
        """So many of its changes are older than a day."""
        self._shards[name].forgotten = number

    def _shards_of(self, _stream: Stream) -> list[Shard]:
        return [each.shard for each in self._shards.values()]

    def _iterator_after(self, shard: Shard, number: str | None) -> str:
        fake = self._of(shard)
        if number is None:
            return str(fake.forgotten)
        place = [change.sequence_number for change in fake.changes].index(number) + 1
        if place <= fake.forgotten:
            raise Trimmed
        return str(place)

    def _read(self, shard: Shard, iterator: str) -> Batch:
        fake, start = self._of(shard), int(iterator)
        if start < fake.forgotten:
            raise Trimmed
        end = start + self._at_once
        is_end = fake.is_closed and end >= len(fake.changes)
        changes = fake.changes[start:end]
        return Batch(changes, None if is_end else str(start + len(changes)))

    def _of(self, shard: Shard) -> FakeShard:
        if shard.id not in self._shards:
            raise ShardGone
        return self._shards[shard.id]
