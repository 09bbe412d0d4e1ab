"""What waits for a person's action. Apps say it here from their `resources.py`; the first page shows it.

Nothing is left out: what the first page cannot ask for within its requests it asks for right after it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from accounts.rights import may
from accounts.user import User
from crud.listing import Badge
from dynamo.errors import Text

# What the first page can spare of its requests for all sources together, and what the request after it can.
MOST_REQUESTS, MOST_LATER = 2, 5
# Of one source: a long list of one kind hides no other.
SHOWN = 12


@dataclass(frozen=True)
class Task:
    """Something to do or to go on with: where, what kind of thing it is, and since when it waits."""

    title: str
    address: str
    kind: Text
    at: datetime
    badge: Badge | None = None


Source = Callable[[User], Iterable[Task]]


@dataclass(frozen=True)
class _Registered:
    source: Source
    requests: int
    right: str
    scope: str

    def is_for(self, user: User) -> bool:
        return not self.right or may(user, self.right)

    def tasks(self, user: User) -> Iterator[Task]:
        return islice(self.source(user), SHOWN)


_sources: list[_Registered] = []


def waiting(*, requests: int, right: str = "", scope: str = "") -> Callable[[Source], Source]:
    """Register a function that names what waits for a person, and how many requests it makes at most.

    It is asked for those who have the right. Where a person's sources would cost too much together, those
    registered last come later, and so do those of a scope whose activity is not shown.
    """
    if requests > MOST_REQUESTS:
        raise ValueError(f"A source of what waits for a person may make at most {MOST_REQUESTS} requests.")
    most = MOST_REQUESTS + MOST_LATER
    if requests + sum(each.requests for each in _sources) > most:
        raise ValueError(f"What waits for a person may cost at most {most} requests in all.")

    def register(source: Source) -> Source:
        _sources.append(_Registered(source, requests, right, scope))
        return source

    return register


def requests_for(user: User, scope: str) -> int:
    return sum(each.requests for each in _at_once(user, scope))


def waiting_for(user: User, scope: str) -> Iterator[Task]:
    """What the first page shows."""
    for each in _at_once(user, scope):
        yield from each.tasks(user)


def has_later(user: User, scope: str) -> bool:
    return any(_later(user, scope))


def later_for(user: User, scope: str) -> Iterator[Task]:
    """All that the first page could not ask for."""
    for each in _later(user, scope):
        yield from each.tasks(user)


def _at_once(user: User, scope: str) -> Iterator[_Registered]:
    left = MOST_REQUESTS
    for each in _sources:
        if each.is_for(user) and each.scope in ("", scope) and each.requests <= left:
            left -= each.requests
            yield each


def _later(user: User, scope: str) -> Iterator[_Registered]:
    at_once = list(_at_once(user, scope))
    return (each for each in _sources if each.is_for(user) and each not in at_once)
