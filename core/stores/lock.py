"""One at a time, for what cannot be checked and changed in one step because DynamoDB does not keep it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from uuid import uuid4

from pynamodb.attributes import UnicodeAttribute

from core.dynamo import transactions
from core.dynamo.attributes import TimestampAttribute, now
from core.dynamo.errors import Conflict, DataError, Text
from core.stores.models import StoreItem

# Longer than the slowest change takes with all its attempts; after a crash the turn passes on by itself.
LONGEST_TURN = timedelta(seconds=45)


class Turn(StoreItem):
    holder = UnicodeAttribute()
    until = TimestampAttribute()


class Busy(Conflict):
    """Somebody else has the turn."""


@contextmanager
def turn(name: str, *, busy: Text) -> Iterator[None]:
    """Hold the only turn of this name; whoever comes meanwhile is told `busy` and may try again."""
    until = now() + LONGEST_TURN
    mine = Turn(pk=f"TURN#{name}", sk="TURN", holder=str(uuid4()), until=until, ttl=until)
    is_free = Turn.pk.does_not_exist() | (Turn.until < now()) | (Turn.holder == mine.holder)
    transactions.send(transactions.put(mine, condition=is_free, refused=lambda _stored: Busy(busy)))
    try:
        yield
    finally:
        # If it cannot be given back it ends by itself.
        with suppress(DataError):
            is_mine = Turn.holder == mine.holder
            transactions.send(transactions.delete(Turn, mine.raw_key(), condition=is_mine))
