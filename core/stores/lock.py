"""A distributed lock, for changes in other services that no conditional write of DynamoDB can guard."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from uuid import uuid4

from pynamodb.attributes import UnicodeAttribute

from core.dynamo import transactions
from core.dynamo.attributes import TimestampAttribute, now
from core.dynamo.errors import Conflict, DataError, Text
from core.stores.models import StoreItem

# Longer than the slowest change with all its attempts; after a crash the lock expires.
LONGEST_HOLD = timedelta(seconds=45)


class Lock(StoreItem):
    holder = UnicodeAttribute()
    until = TimestampAttribute()


class AlreadyLocked(Conflict):
    """Somebody else holds the lock."""


@contextmanager
def lock(name: str, *, busy: Text) -> Iterator[None]:
    """Hold the lock of this name; without waiting, others get `AlreadyLocked` with the message `busy`."""
    until = now() + LONGEST_HOLD
    mine = Lock(pk=f"TURN#{name}", sk="TURN", holder=str(uuid4()), until=until, ttl=until)
    is_free = Lock.pk.does_not_exist() | (Lock.until < now()) | (Lock.holder == mine.holder)
    transactions.send(transactions.put(mine, condition=is_free, refused=lambda _stored: AlreadyLocked(busy)))
    try:
        yield
    finally:
        # If it cannot be released it expires.
        with suppress(DataError):
            is_mine = Lock.holder == mine.holder
            transactions.send(transactions.delete(Lock, mine.raw_key(), condition=is_mine))
