"""What waits for a person's action. Apps say it here from their `resources.py`; the first page shows it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

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
_sources: list[tuple[Source, int]] = []


def waiting(*, requests: int) -> Callable[[Source], Source]:
    """Register a function that names what waits for a person, and how many requests it makes at most."""
    if requests_of_all() + requests > MOST_REQUESTS:
        raise ValueError(f"What waits for a person may cost at most {MOST_REQUESTS} requests in all.")

    def register(source: Source) -> Source:
        _sources.append((source, requests))
        return source

    return register


def requests_of_all() -> int:
    return sum(requests for _source, requests in _sources)


def waiting_for(user: User) -> Iterator[Task]:
    for source, _requests in _sources:
        yield from source(user)
