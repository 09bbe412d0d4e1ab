"""The time that one web request may spend waiting for DynamoDB.

Time in which this machine had no processor to spare is not DynamoDB's: it is forgiven up to a limit, so that
a busy machine is slow and not broken, and yet a page ends when DynamoDB hangs on a busy machine.
"""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from django.conf import settings

FIRST_PAUSE = 0.025
LONGEST_GROWTH = 8
# Forgiven at most, as a multiple of the time itself.
FORGIVENESS = 3


def forgivable(seconds: float) -> float:
    return FORGIVENESS * seconds


@dataclass
class Deadline:
    """Seconds left for DynamoDB, and whether it has already failed this request."""

    left: float
    failed: bool = False
    forgivable: float = field(init=False)

    def __post_init__(self) -> None:
        self.forgivable = forgivable(self.left)

    @property
    def used_up(self) -> bool:
        return self.failed or self.left <= 0

    def spend(self, seconds: float, *, forgiven: float = 0.0) -> None:
        self.forgivable -= forgiven
        self.left -= seconds - forgiven


_current: ContextVar[Deadline | None] = ContextVar("dynamo_budget", default=None)


def current() -> Deadline | None:
    """The budget of the web request being answered; None in commands, which may wait."""
    return _current.get()


def pause(attempt: int, *, first: float = FIRST_PAUSE) -> None:
    """Wait a little before the next attempt: longer each time, and never in step with other threads."""
    seconds = random.uniform(0, first * min(LONGEST_GROWTH, 2**attempt))
    remaining = current()
    if remaining is not None:
        seconds = max(0.0, min(seconds, remaining.left))
        remaining.spend(seconds)
    time.sleep(seconds)


@contextmanager
def request_deadline(seconds: float | None = None) -> Iterator[Deadline]:
    budget = Deadline(left=settings.DYNAMODB_REQUEST_SECONDS if seconds is None else seconds)
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)
