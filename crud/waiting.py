"""What waits for a person's action. Apps say it here from their `resources.py`; the first page shows it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from accounts.rights import may
from accounts.user import User
from crud.listing import Badge
from dynamo.errors import Text

# What the first page can spare of its requests for all sources together.
MOST_REQUESTS = 2


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

    def is_for(self, user: User, scope: str) -> bool:
        return (not self.right or may(user, self.right)) and self.scope in ("", scope)


_sources: list[_Registered] = []


def waiting(*, requests: int, right: str = "", scope: str = "") -> Callable[[Source], Source]:
    """Register a function that names what waits for a person, and how many requests it makes at most.

    It is asked for those who have the right, and with a scope only where that scope's activity is shown.
    Where a person's sources would cost too much together, those registered last are left out.
    """
    if requests > MOST_REQUESTS:
        raise ValueError(f"What waits for a person may cost at most {MOST_REQUESTS} requests in all.")

    def register(source: Source) -> Source:
        _sources.append(_Registered(source, requests, right, scope))
        return source

    return register


def requests_for(user: User, scope: str) -> int:
    return sum(each.requests for each in _sources_for(user, scope))


def waiting_for(user: User, scope: str) -> Iterator[Task]:
    for each in _sources_for(user, scope):
        yield from each.source(user)


def _sources_for(user: User, scope: str) -> Iterator[_Registered]:
    left = MOST_REQUESTS
    for each in _sources:
        if each.is_for(user, scope) and each.requests <= left:
            left -= each.requests
            yield each
