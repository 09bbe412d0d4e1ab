"""The time that one web request may spend waiting for DynamoDB."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

SECONDS = 2.5


@dataclass
class Budget:
    """Seconds left for DynamoDB, and whether it has already failed this request."""

    left: float = SECONDS
    failed: bool = False

    @property
    def used_up(self) -> bool:
        return self.failed or self.left <= 0


_current: ContextVar[Budget | None] = ContextVar("dynamo_budget", default=None)


def current() -> Budget | None:
    """The budget of the web request being answered; None in commands, which may wait."""
    return _current.get()


@contextmanager
def request_budget(seconds: float = SECONDS) -> Iterator[Budget]:
    budget = Budget(left=seconds)
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)
