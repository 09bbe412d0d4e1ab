"""Items that a web request will need, read together with its session.

An address names its record before anybody has asked who is there. `expect` notes that; the first strong `get`
of the request, which is that of the session, brings them along by one BatchGet, and the strong read that asks
for one of them finds it here. Each is found once: whoever reads it again asks DynamoDB.
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
    # None stands for an item that does not exist.
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
    """That of the web request being answered; commands have none."""
    return _current.get()


def forget() -> None:
    """After a write nothing is as it was read before."""
    ahead = _current.get()
    if ahead is not None:
        ahead.found.clear()


def expect(wanted: Iterable[Wanted]) -> None:
    ahead = _current.get()
    if ahead is not None:
        ahead.expected = list(wanted)
