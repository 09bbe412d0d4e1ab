"""What all stores in memory share: a clock, a lock, an end."""

import threading
from collections.abc import Callable

from stores.errors import StoreClosed


class Closable:
    def __init__(self, clock: Callable[[], int]) -> None:
        self._now = clock
        self._lock = threading.RLock()
        self._closed = False

    def close(self) -> None:
        self._closed = True

    def _clock(self) -> int:
        """Every operation asks for the time, so here a closed store is noticed."""
        if self._closed:
            raise StoreClosed
        return self._now()
