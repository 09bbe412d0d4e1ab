"""Changes whose handlers keep failing are stored for an operator, like a dead-letter queue."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial

from pynamodb.attributes import BinaryAttribute, BooleanAttribute, UnicodeAttribute

from core.dynamo import transactions
from core.dynamo.attributes import TimestampAttribute, now
from core.dynamo.errors import AlreadyExists, Unavailable
from core.dynamo.paging import MOST
from core.dynamo.queries import every, get, query, read_all
from core.dynamo.streams import large_images, metrics
from core.dynamo.streams.changes import Change
from core.dynamo.streams.handlers import discover, handle
from core.dynamo.support_table import SupportItem, pack, unpack

log = logging.getLogger(__name__)

ATTEMPTS = 5
FIRST_PAUSE = 0.2
LONGEST_REASON = 500
# A stream holds a change for a day. What could not be reached for half of it is put aside, before it is lost.
WAITS_AT_MOST = timedelta(hours=12)
# Two images may have 400 KB each, and an item holds 400 KB.
LARGEST_PART = 300 * 1024


class FailedPart(SupportItem):
    """The images of a failed change without a bucket: PK STREAMPART#<table>#<its number>, SK a number."""

    images = BinaryAttribute(legacy_encoding=False)


class FailedChange(SupportItem):
    """PK STREAMFAIL#<table>, SK the change's number in the stream."""

    event = UnicodeAttribute()
    at = TimestampAttribute()
    reason = UnicodeAttribute()
    has_expired = BooleanAttribute(attr_name="hasExpired")
    # The images, or those of them that fit, or their key in the bucket.
    images = BinaryAttribute(legacy_encoding=False, null=True)
    images_key = UnicodeAttribute(attr_name="imagesKey", null=True)

    @property
    def name(self) -> str:
        return f"{self.table}/{self.sk}"

    @property
    def table(self) -> str:
        return self.pk.partition("#")[2]

    @property
    def parts(self) -> list[FailedPart]:
        return every(partial(query, FailedPart, _pk_of_parts(self), strong=True))

    @property
    def change(self) -> Change:
        images = unpack(self._packed())
        return Change(
            table=self.table,
            event=self.event,
            sequence_number=self.sk,
            at=self.at,
            before=images.get("before", {}).get("M"),
            after=images.get("after", {}).get("M"),
            has_expired=self.has_expired,
        )

    def _packed(self) -> bytes:
        if self.images_key is None:
            return b"".join([self.images, *(part.images for part in self.parts)])
        if (bucket := large_images.bucket()) is None:
            raise Unavailable
        return bucket.read(self.images_key)


def handle_or_put_aside(change: Change, *, wait: Callable[[float], object] = time.sleep) -> None:
    """Handle a change; if its handler keeps failing, store it as failed so that the next changes go on.

    `Unavailable` is raised instead: while DynamoDB does not answer, the worker stops at this change.
    """
    for attempt in range(ATTEMPTS):
        try:
            return handle(change)
        except Unavailable as error:
            if now() - change.at < WAITS_AT_MOST:
                raise
            failure: Exception = error
            break
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


def by_name(name: str) -> FailedChange | None:
    table, _slash, number = name.rpartition("/")
    return get(FailedChange, {"PK": {"S": _pk(table)}, "SK": {"S": number}}, strong=True)


def retry(failure: FailedChange) -> None:
    """Handle it again and delete it with its images; an error of the handler is raised, and it stays."""
    discover()
    parts = failure.parts
    handle(failure.change)
    transactions.commit(*(transactions.delete(type(item), item.raw_key()) for item in (failure, *parts)))
    _forget_images(failure)


def reason_of(error: Exception) -> str:
    text = f"{type(error).__name__}: {error}"[:LONGEST_REASON]
    # A lone surrogate cannot be stored.
    return text.encode(errors="backslashreplace").decode()


def _put_aside(change: Change, error: Exception) -> None:
    """Store it; where it was put aside before, that stays."""
    failure = FailedChange(
        pk=_pk(change.table),
        sk=change.sequence_number,
        event=change.event,
        at=change.at,
        reason=reason_of(error),
        has_expired=change.has_expired,
    )
    parts = _keep_images(failure, change)
    is_new = transactions.absent(FailedChange)
    put = transactions.put(failure, condition=is_new, refused=lambda _stored: AlreadyExists())
    try:
        transactions.commit(put, *map(transactions.put, parts))
        metrics.count_put_aside()
    except AlreadyExists:
        _forget_images(failure)


def _keep_images(failure: FailedChange, change: Change) -> list[FailedPart]:
    """In the item, in the bucket where they are too large, or without one in more items."""
    images = {"before": change.before, "after": change.after}
    packed = pack({name: {"M": image} for name, image in images.items() if image})
    bucket = large_images.bucket()
    if len(packed) > LARGEST_PART and bucket is not None:
        with suppress(Unavailable):
            failure.images_key = bucket.write(packed, record=failure.name)
            return []
    failure.images, *others = (
        packed[start : start + LARGEST_PART] for start in range(0, len(packed), LARGEST_PART)
    )
    return [
        FailedPart(pk=_pk_of_parts(failure), sk=f"{number:03}", images=part)
        for number, part in enumerate(others, start=2)
    ]


def _forget_images(failure: FailedChange) -> None:
    bucket = large_images.bucket()
    if failure.images_key is not None and bucket is not None:
        bucket.delete(failure.images_key)


def _pk(table: str) -> str:
    return f"STREAMFAIL#{table}"


def _pk_of_parts(failed: FailedChange) -> str:
    return f"STREAMPART#{failed.table}#{failed.sk}"
