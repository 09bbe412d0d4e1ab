"""Changes whose handlers keep failing are stored for an operator, like a dead-letter queue."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from pynamodb.attributes import BinaryAttribute, BooleanAttribute, UnicodeAttribute

from core.dynamo import transactions
from core.dynamo.attributes import TimestampAttribute
from core.dynamo.errors import Unavailable
from core.dynamo.paging import MOST
from core.dynamo.queries import every, query, read_all
from core.dynamo.streams.changes import Change
from core.dynamo.streams.handlers import handle
from core.dynamo.support_table import SupportItem, pack, unpack

log = logging.getLogger(__name__)

ATTEMPTS = 5
FIRST_PAUSE = 0.2
LONGEST_REASON = 500
# Two images may have 400 KB each, and an item holds 400 KB.
LARGEST_PART = 300 * 1024


class FailedPart(SupportItem):
    """The images of a failed change beyond its own item: PK STREAMPART#<table>#<its number>, SK a number."""

    images = BinaryAttribute(legacy_encoding=False)


class FailedChange(SupportItem):
    """PK STREAMFAIL#<table>, SK the change's number in the stream."""

    event = UnicodeAttribute()
    at = TimestampAttribute()
    reason = UnicodeAttribute()
    has_expired = BooleanAttribute(attr_name="hasExpired")
    images = BinaryAttribute(legacy_encoding=False)

    @property
    def table(self) -> str:
        return self.pk.partition("#")[2]

    @property
    def parts(self) -> list[FailedPart]:
        return every(partial(query, FailedPart, _pk_of_parts(self), strong=True))

    @property
    def change(self) -> Change:
        images = unpack(b"".join([self.images, *(part.images for part in self.parts)]))
        return Change(
            table=self.table,
            event=self.event,
            sequence_number=self.sk,
            at=self.at,
            before=images.get("before", {}).get("M"),
            after=images.get("after", {}).get("M"),
            has_expired=self.has_expired,
        )


def handle_or_put_aside(change: Change, *, wait: Callable[[float], object] = time.sleep) -> None:
    """Handle a change; if its handler keeps failing, store it as failed so that the next changes go on.

    `Unavailable` is raised instead: while DynamoDB does not answer, the worker stops at this change.
    """
    for attempt in range(ATTEMPTS):
        try:
            return handle(change)
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a handler raises, the next change waits
            failure = error
            if attempt + 1 < ATTEMPTS:
                wait(FIRST_PAUSE * 2**attempt)
    log.error("Change %s of table %s was put aside", change.sequence_number, change.table, exc_info=failure)
    _put_aside(change, failure)
    return None


def failed(tables: Iterable[str]) -> Iterator[FailedChange]:
    """The failed changes of these tables, oldest first per table."""
    for table in tables:
        yield from read_all(partial(query, FailedChange, _pk(table), strong=True), limit=MOST)


def retry(failure: FailedChange) -> None:
    """Handle it again and delete it; an error of the handler is raised, and it stays."""
    parts = failure.parts
    handle(failure.change)
    transactions.commit(*(transactions.delete(type(item), item.raw_key()) for item in (failure, *parts)))


def reason_of(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:LONGEST_REASON]


def _put_aside(change: Change, error: Exception) -> None:
    images = {"before": change.before, "after": change.after}
    packed = pack({name: {"M": image} for name, image in images.items() if image})
    first, *others = (packed[start : start + LARGEST_PART] for start in range(0, len(packed), LARGEST_PART))
    failed = FailedChange(
        pk=_pk(change.table),
        sk=change.sequence_number,
        event=change.event,
        at=change.at,
        reason=reason_of(error),
        has_expired=change.has_expired,
        images=first,
    )
    parts = [
        FailedPart(pk=_pk_of_parts(failed), sk=f"{number:03}", images=part)
        for number, part in enumerate(others, start=2)
    ]
    transactions.commit(*map(transactions.put, (failed, *parts)))


def _pk(table: str) -> str:
    return f"STREAMFAIL#{table}"


def _pk_of_parts(failed: FailedChange) -> str:
    return f"STREAMPART#{failed.table}#{failed.sk}"
