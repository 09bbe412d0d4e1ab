"""What Home shows a person: highlights, tasks and dates. Each app registers its sources in its `desk.py`.

Home makes at most MOST_REQUESTS DynamoDB requests, the session included. It runs the sources that are certain
to fit, those that come first before the others; a second request right after it runs the rest. A source runs
only for those who have its right. `tests/desk/test_home_requests.py` counts the requests of every role.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.accounts.rights import may_to_some
from core.accounts.user import User
from core.crud.listing import Badge
from core.dynamo import deadline
from core.dynamo.errors import Text

MOST_REQUESTS = 6
# Of one kind of task: a long list of one kind hides no other.
SHOWN = 12
MOST_DATES = 8
OPEN = _("Open")


@dataclass(frozen=True)
class Task:
    """Something to do: the page where it is done, the verb of its button, and since when it waits.

    `template` renders a form in place of the button; it gets the task, and what it needs in `data`.
    """

    title: str
    address: str
    kind: Text
    at: datetime
    badge: Badge | None = None
    action: Text = OPEN
    template: str = ""
    data: Any = None


@dataclass(frozen=True)
class Highlight:
    """What is on now, or what comes next, with the button that most people need then."""

    label: Text
    title: str
    address: str
    action: Text
    icon: str
    details: Sequence[Text] = ()
    is_live: bool = False


@dataclass(frozen=True)
class ComingDate:
    """Something with a date in the next days, or on now."""

    title: str
    address: str
    kind: Text
    starts: datetime
    details: Text = ""
    is_all_day: bool = False
    is_live: bool = False


Entry = Task | Highlight | ComingDate
Source = Callable[[User], Iterable[Entry]]


@dataclass(frozen=True)
class Registered:
    source: Source
    rights: tuple[str, ...]
    requests: int
    is_first: bool
    is_at_once: bool

    @property
    def name(self) -> str:
        return self.source.__name__

    def is_for(self, user: User) -> bool:
        return not self.rights or any(may_to_some(user, right) for right in self.rights)


@dataclass
class Loaded:
    """What some sources have yielded."""

    highlights: list[Highlight] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    dates: list[ComingDate] = field(default_factory=list)
    # The names of the sources.
    sources: list[str] = field(default_factory=list)

    def run(self, registered: Registered, user: User) -> None:
        self.sources.append(registered.name)
        counts: Counter[str] = Counter()
        for entry in registered.source(user):
            match entry:
                case Highlight():
                    self.highlights.append(entry)
                case ComingDate():
                    self.dates.append(entry)
                case Task():
                    kind = str(entry.badge or entry.kind)
                    counts[kind] += 1
                    if counts[kind] <= SHOWN:
                        self.tasks.append(entry)

    def next_dates(self) -> list[ComingDate]:
        return sorted(self.dates, key=lambda date: (not date.is_live, date.starts, date.title))[:MOST_DATES]


_sources: list[Registered] = []


def home_source(
    *rights: str, requests: int, first: bool = False, at_once: bool = True
) -> Callable[[Source], Source]:
    """Register a function that yields what Home shows a person, with the most DynamoDB requests it makes.

    It runs for those who have one of the rights, to all records or to some; without any, for everybody.
    `at_once=False`: never on Home itself, because it asks another service, or yields dates, which are sorted
    as a whole.
    """

    def register(source: Source) -> Source:
        _sources.append(Registered(source, rights, requests, first, at_once))
        return source

    return register


def load_at_once(user: User) -> Loaded:
    """What Home itself shows."""
    loaded = Loaded()
    for each in sorted(_sources_for(user), key=lambda each: not each.is_first):
        if each.is_at_once and deadline.requests_sent() + each.requests <= MOST_REQUESTS:
            loaded.run(each, user)
    return loaded


def load_later(user: User, without: Collection[str]) -> Loaded:
    """What the other sources yield; `without` are the names of those that have been run."""
    loaded = Loaded()
    for each in _sources_for(user):
        if each.name not in without:
            loaded.run(each, user)
    return loaded


def has_later(user: User, loaded: Loaded) -> bool:
    return any(each.name not in loaded.sources for each in _sources_for(user))


def _sources_for(user: User) -> Iterator[Registered]:
    return (each for each in _sources if each.is_for(user))
