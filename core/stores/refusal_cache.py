"""Refusals that this process remembers: who must wait anyway costs no request."""

import threading

MOST_BLOCKS = 10_000


class Blocks:
    """Until when a key is refused, in milliseconds; so many keys at most, so that a flood fills no memory."""

    def __init__(self) -> None:
        self._until: dict[str, int] = {}
        self._lock = threading.Lock()

    def until(self, key: str) -> int:
        return self._until.get(key, 0)

    def add(self, key: str, until: int, now: int) -> None:
        with self._lock:
            if len(self._until) >= MOST_BLOCKS:
                self._until = {key: end for key, end in self._until.items() if end > now}
            if len(self._until) < MOST_BLOCKS:
                self._until[key] = until

    def forget(self, key: str) -> None:
        with self._lock:
            self._until.pop(key, None)
