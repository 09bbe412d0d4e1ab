"""How far the streams are behind, as log lines in CloudWatch's embedded metric format.

`OldestChangeAge` is the age of the oldest change that was not handled, in seconds, and `PutAside` the number
of changes that were put aside. Both are of all tables together, because CloudWatch charges for each metric of
each table; the line names the table. STORE_METRICS switches it on.
"""

import threading
import time
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from core.common.logs import events
from core.dynamo.attributes import now
from core.dynamo.streams.changes import Change
from core.dynamo.streams.source import Shard

NAMESPACE = "DynamoDBStreams"
METRICS = [{"Name": "OldestChangeAge", "Unit": "Seconds"}, {"Name": "PutAside", "Unit": "Count"}]
FLUSH_SECONDS = 60

_lock = threading.Lock()
_put_aside = 0


class Age(NamedTuple):
    """The age of a change, and its table; nothing waits where it is zero."""

    age: timedelta = timedelta(0)
    table: str = ""


class Waiting:
    """The oldest change of each shard that a worker has not handled."""

    def __init__(self) -> None:
        self._since: dict[Shard, datetime] = {}
        self._oldest = Age()
        self._last_flush = time.monotonic()

    def waits(self, shard: Shard, at: datetime) -> None:
        """A change of this time is the next to be handled."""
        self._since[shard] = at
        self._oldest = max(self._oldest, _age(shard.stream.table, at))

    def cannot_be_read(self, shard: Shard) -> None:
        """The shard cannot be read, so from now on a change may wait in it."""
        self.waits(shard, self._since.get(shard) or now())

    def is_handled(self, shard: Shard) -> None:
        self._since.pop(shard, None)

    def flush_if_due(self) -> None:
        if time.monotonic() - self._last_flush >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the age of the oldest that has waited since the last line."""
        oldest = max([self._oldest, *(_age(shard.stream.table, at) for shard, at in self._since.items())])
        self._oldest, self._last_flush = Age(), time.monotonic()
        write(oldest)


def age_of(change: Change) -> Age:
    return _age(change.table, change.at)


def count_put_aside() -> None:
    global _put_aside
    with _lock:
        _put_aside += 1


def write(oldest: Age) -> None:
    """Write one line with this age and what was put aside since the last one."""
    global _put_aside
    with _lock:
        put_aside, _put_aside = _put_aside, 0
    if not settings.STORE_METRICS:
        return
    directive = {"Namespace": NAMESPACE, "Dimensions": [[]], "Metrics": METRICS}
    about = {"Timestamp": time.time_ns() // 1_000_000, "CloudWatchMetrics": [directive]}
    seconds = round(oldest.age.total_seconds(), 3)
    events.info("stream metrics", _aws=about, table=oldest.table, OldestChangeAge=seconds, PutAside=put_aside)


def _age(table: str, at: datetime) -> Age:
    return Age(max(now() - at, timedelta(0)), table)
