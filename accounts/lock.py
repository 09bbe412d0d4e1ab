"""One administrator at a time: Cognito cannot check and change in one step, so such changes take turns."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from uuid import uuid4

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import UnicodeAttribute

from dynamo import transactions
from dynamo.attributes import TimestampAttribute, now
from dynamo.errors import Conflict, DataError
from dynamo.items import RawItem
from dynamo.support import SupportItem

# Longer than the slowest change takes with all its attempts; after a crash the turn passes on by itself.
LONGEST_TURN = timedelta(seconds=45)


class Turn(SupportItem):
    holder = UnicodeAttribute()
    until = TimestampAttribute()


class Busy(Conflict):
    message = _("Another administrator is changing rights at this very moment. Please try again.")


@contextmanager
def turn() -> Iterator[None]:
    """Hold the only turn; whoever comes meanwhile is told to try again."""
    until = now() + LONGEST_TURN
    mine = Turn(pk="LOCK#people", sk="LOCK", holder=str(uuid4()), until=until, ttl=until)
    is_free = Turn.pk.does_not_exist() | (Turn.until < now()) | (Turn.holder == mine.holder)
    transactions.send(transactions.put(mine, condition=is_free, refused=_busy))
    try:
        yield
    finally:
        # If it cannot be given back it ends by itself.
        with suppress(DataError):
            is_mine = Turn.holder == mine.holder
            transactions.send(transactions.delete(Turn, mine.raw_key(), condition=is_mine))


def _busy(_stored: RawItem | None) -> Exception:
    return Busy()
