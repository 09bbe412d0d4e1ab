"""A value that a process keeps for some seconds."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class KeptFor(Generic[V]):
    """A value that is read anew after some seconds. What was being read at a `forget` is not kept."""

    def __init__(self, seconds: float, read: Callable[[], V]) -> None:
        self._seconds, self._read, self._lock = seconds, read, Lock()
        self._kept: tuple[float, V] | None = None
        self._times_forgotten = 0

    def get(self) -> V:
        kept, times_forgotten = self._kept, self._times_forgotten
        if kept is None or time.monotonic() >= kept[0]:
            kept = (time.monotonic() + self._seconds, self._read())
            with self._lock:
                if times_forgotten == self._times_forgotten:
                    self._kept = kept
        return kept[1]

    @property
    def last(self) -> V | None:
        """What was kept last, however long ago."""
        return self._kept[1] if self._kept else None

    def forget(self) -> None:
        """Drop it in this process; others see a change when their time is over."""
        with self._lock:
            self._kept = None
            self._times_forgotten += 1

    def keep(self, value: V) -> None:
        """Keep this value, which was just written."""
        with self._lock:
            self._kept = (time.monotonic() + self._seconds, value)
            self._times_forgotten += 1
