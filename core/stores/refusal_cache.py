"""Refusals that this process remembers, so that asking again too early costs no request."""

import threading

MOST_REFUSALS = 10_000


class RefusalCache:
    """Until when a key is refused, in milliseconds; limited in size, so that a flood fills no memory."""

    def __init__(self) -> None:
        self._until: dict[str, int] = {}
        self._lock = threading.Lock()

    def until(self, key: str) -> int:
        return self._until.get(key, 0)

    def add(self, key: str, until: int, now: int) -> None:
        with self._lock:
            if len(self._until) >= MOST_REFUSALS:
                self._until = {key: end for key, end in self._until.items() if end > now}
            if len(self._until) < MOST_REFUSALS:
                self._until[key] = until

    def forget(self, key: str) -> None:
        with self._lock:
            self._until.pop(key, None)
