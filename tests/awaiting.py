"""Wait for a condition instead of for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
# Far more than anything takes on a machine that is only busy.
PATIENCE_SECONDS = 900


def eventually(read: Callable[[], T], holds: Callable[[T], bool], *, seconds: float = 300) -> T:
    """What `read` answers as soon as it holds; at the latest what it answers when the time is up."""
    deadline = time.monotonic() + seconds
    while not holds(found := read()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def assert_eventually(condition: Callable[[], object], what: str | Callable[[], str]) -> None:
    """Fail with `what` if the condition does not become true."""
    assert eventually(condition, bool, seconds=PATIENCE_SECONDS), what() if callable(what) else what
