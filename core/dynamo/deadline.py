"""The time that one web request may spend waiting for DynamoDB.

Time in which tasks of this machine waited for a processor does not count, up to a limit: a busy machine
answers slowly instead of with errors, and a request still ends if DynamoDB hangs meanwhile.
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
# The most that is forgiven, as a multiple of the allowed time.
FORGIVENESS = 3


def forgivable(seconds: float) -> float:
    """How much processor stall is not counted against this time."""
    return FORGIVENESS * seconds


@dataclass
class Deadline:
    """Seconds left for DynamoDB, whether it has already failed this request, and how often it was asked."""

    left: float
    failed: bool = False
    sent: int = 0
    forgivable: float = field(init=False)

    def __post_init__(self) -> None:
        self.forgivable = forgivable(self.left)

    @property
    def used_up(self) -> bool:
        return self.failed or self.left <= 0

    def spend(self, seconds: float, *, forgiven: float = 0.0) -> None:
        self.forgivable -= forgiven
        self.left -= seconds - forgiven


_current: ContextVar[Deadline | None] = ContextVar("dynamo_deadline", default=None)


def current() -> Deadline | None:
    """The deadline of the current web request; None in commands, which may wait."""
    return _current.get()


def requests_sent() -> int:
    """The DynamoDB requests of the current web request so far; 0 in commands."""
    remaining = current()
    return remaining.sent if remaining else 0


def pause(attempt: int, *, first: float = FIRST_PAUSE) -> None:
    """Sleep before the next attempt: exponential backoff with jitter, within the deadline."""
    seconds = random.uniform(0, first * min(LONGEST_GROWTH, 2**attempt))
    remaining = current()
    if remaining is not None:
        seconds = max(0.0, min(seconds, remaining.left))
        remaining.spend(seconds)
    time.sleep(seconds)


@contextmanager
def request_deadline(seconds: float | None = None) -> Iterator[Deadline]:
    """Limit the time for DynamoDB within the block; Scan is refused there."""
    started = Deadline(left=settings.DYNAMODB_REQUEST_SECONDS if seconds is None else seconds)
    token = _current.set(started)
    try:
        yield started
    finally:
        _current.reset(token)
