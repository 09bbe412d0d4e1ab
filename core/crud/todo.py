"""Tasks that wait for a person. Each app registers its sources in its `desk.py`; Home shows the tasks.

Home has a small budget of DynamoDB requests for sources; the others are called by a second request right
after it. A source is called only for those who have its right. `tests/desk/test_todo.py` checks the budgets
for every role.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from core.accounts.rights import may_to_some
from core.accounts.user import User
from core.crud.listing import Badge
from core.dynamo.errors import Text

# DynamoDB requests for one person: on Home itself, and in the request right after it.
MOST_AT_ONCE, MOST_LATER = 2, 34
# Of one kind of thing: a long list of one kind hides no other.
SHOWN = 12


@dataclass(frozen=True)
class Task:
    """Something to do: its page, its kind, and since when it waits."""

    title: str
    address: str
    kind: Text
    at: datetime
    badge: Badge | None = None


Source = Callable[[User], Iterable[Task]]


@dataclass(frozen=True)
class Registered:
    source: Source
    requests: int
    right: str
    asks_others: bool

    def is_for(self, user: User) -> bool:
        return not self.right or may_to_some(user, self.right)


_sources: list[Registered] = []


def task_source(*, requests: int, right: str = "", asks_others: bool = False) -> Callable[[Source], Source]:
    """Register a function that yields the tasks of a person, with the most DynamoDB requests that it makes.

    It is called for those who have the right, to all records or to some. One function may yield several kinds
    of tasks, so that they share reads. `asks_others`: it asks another service, so never on Home itself.
    """

    def register(source: Source) -> Source:
        _sources.append(Registered(source, requests, right, asks_others))
        return source

    return register


def at_once(user: User) -> list[Registered]:
    """The sources, in their order, that fit into the request budget of Home."""
    chosen, left = [], MOST_AT_ONCE
    for each in _sources:
        if each.is_for(user) and not each.asks_others and each.requests <= left:
            left -= each.requests
            chosen.append(each)
    return chosen


def later(user: User) -> list[Registered]:
    """All other sources."""
    before = at_once(user)
    return [each for each in _sources if each.is_for(user) and each not in before]


def tasks(sources: Iterable[Registered], user: User) -> Iterator[Task]:
    for each in sources:
        counts: Counter[str] = Counter()
        for task in each.source(user):
            kind = str(task.badge or task.kind)
            counts[kind] += 1
            if counts[kind] <= SHOWN:
                yield task
