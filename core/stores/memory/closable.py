"""The base of all stores in memory: a clock, a lock and `close`."""

import threading
from collections.abc import Callable

from core.stores.errors import StoreClosed

CLEAN_UP_INTERVAL_MS = 300_000


class Closable:
    def __init__(self, clock: Callable[[], int]) -> None:
        self._now = clock
        self._lock = threading.RLock()
        self._closed = False
        self._cleaned_at = clock()

    def _clean_up_now_and_then(self, clean_up: Callable[[], object]) -> None:
        """Remove expired entries every few minutes."""
        now = self._clock()
        if now >= self._cleaned_at + CLEAN_UP_INTERVAL_MS:
            self._cleaned_at = now
            clean_up()

    def close(self) -> None:
        self._closed = True

    def _clock(self) -> int:
        """The current time; raises StoreClosed after `close`, because every operation calls it."""
        if self._closed:
            raise StoreClosed
        return self._now()
