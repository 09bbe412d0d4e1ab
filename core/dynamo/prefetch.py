"""Items that a web request will need, read together with its session by one BatchGet.

The URL names a record before the session is loaded. `expect` registers its key; the first strong `get` of the
request, which is that of the session, reads it too, and the strong `get` of the record takes it from here.
That works once per item: a second read goes to DynamoDB.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from core.dynamo.items import RawItem, StoredModel, Target

Wanted = tuple[type[StoredModel], RawItem]


@dataclass
class Prefetch:
    expected: list[Wanted] = field(default_factory=list)
    # None for an item that does not exist.
    found: dict[Target, RawItem | None] = field(default_factory=dict)


_current: ContextVar[Prefetch | None] = ContextVar("dynamo_prefetch", default=None)


@contextmanager
def request_prefetch() -> Iterator[None]:
    token = _current.set(Prefetch())
    try:
        yield
    finally:
        _current.reset(token)


def current() -> Prefetch | None:
    """Of the current web request; None in commands."""
    return _current.get()


def forget() -> None:
    """Drop what was prefetched: a write may have changed it."""
    prefetched = _current.get()
    if prefetched is not None:
        prefetched.found.clear()


def expect(wanted: Iterable[Wanted]) -> None:
    prefetched = _current.get()
    if prefetched is not None:
        prefetched.expected = list(wanted)
