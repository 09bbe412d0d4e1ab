"""The cache in memory."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.dynamo import deadline
from core.dynamo.errors import TooLarge
from core.dynamo.items import size_of
from core.dynamo.transactions import LARGEST_ITEM
from core.stores import metrics
from core.stores.cache.store import LEASE_MS
from core.stores.codecs import Codec, JSONCodec, Unreadable
from core.stores.interfaces import CacheStats, Health
from core.stores.keys import checked
from core.stores.memory.closable import Closable
from core.stores.table import now_ms

MISSING = object()


@dataclass
class _Entry:
    stored: Any
    size: int
    expires_at: int | None


@dataclass(eq=False)
class _Computation:
    """A running computation and its lease; `ended` is also set when the value is written meanwhile."""

    until: int
    ended: threading.Event = field(default_factory=threading.Event)


class MemoryCacheStore(Closable):
    """Values are stored encoded, so that callers cannot mutate them."""

    def __init__(self, *, codec: Codec | None = None, clock: Callable[[], int] = now_ms) -> None:
        super().__init__(clock)
        self._codec = codec or JSONCodec()
        self._entries: dict[str, _Entry] = {}
        self._computing: dict[str, _Computation] = {}

    def get(self, hash: str, default: Any = None) -> Any:
        value = self._value(hash)
        metrics.count("cache", "Misses" if value is MISSING else "Hits")
        return default if value is MISSING else value

    def set(self, hash: str, value: Any, ttl_seconds: float | None) -> None:
        entry = self._entry(hash, value, ttl_seconds)
        if entry.size > LARGEST_ITEM:
            self.delete(hash)
            raise TooLarge
        with self._lock:
            self._entries[hash] = entry
            self._end_computation(hash)

    def add(self, hash: str, value: Any, ttl_seconds: float | None) -> bool:
        entry = self._entry(hash, value, ttl_seconds)
        if entry.size > LARGEST_ITEM:
            raise TooLarge
        with self._lock:
            if self._live(hash) is not None:
                return False
            self._entries[hash] = entry
            self._end_computation(hash)
            return True

    def touch(self, hash: str, ttl_seconds: float | None) -> bool:
        with self._lock:
            entry = self._live(hash)
            if entry is None:
                return False
            entry.expires_at = self._end(ttl_seconds)
            return True

    def increment(self, hash: str, by: int = 1) -> int:
        with self._lock:
            entry = self._live(hash)
            if entry is None:
                raise LookupError(hash)
            if "N" not in entry.stored:
                raise TypeError("Only a whole number can be counted up.")
            total = int(entry.stored["N"]) + by
            entry.stored = self._codec.encode(hash, total)
            return total

    def delete(self, hash: str) -> bool:
        with self._lock:
            was_live = self._live(hash) is not None
            self._entries.pop(hash, None)
            self._end_computation(hash)
            return was_live

    def get_many(self, hashes: Iterable[str]) -> dict[str, Any]:
        self._clock()
        values = {hash: self._value(hash) for hash in hashes}
        found = {hash: value for hash, value in values.items() if value is not MISSING}
        metrics.count("cache", "Hits", len(found))
        metrics.count("cache", "Misses", len(values) - len(found))
        return found

    def set_many(self, values: Mapping[str, Any], ttl_seconds: float | None) -> list[str]:
        self._clock()
        too_large = []
        for hash, value in values.items():
            try:
                self.set(hash, value, ttl_seconds)
            except TooLarge:
                too_large.append(hash)
        return too_large

    def delete_many(self, hashes: Iterable[str]) -> None:
        self._clock()
        for hash in list(hashes):
            self.delete(hash)

    def get_or_compute(self, hash: str, compute: Callable[[], Any], ttl_seconds: float | None) -> Any:
        while True:
            with self._lock:
                value = self._value(hash)
                others = self._computing.get(hash)
                if value is MISSING and (others is None or others.until <= self._clock()):
                    others, ours = None, _Computation(self._clock() + LEASE_MS)
                    self._end_computation(hash)
                    self._computing[hash] = ours
            if value is not MISSING:
                metrics.count("cache", "Hits")
                return value
            if others is None:
                metrics.count("cache", "Misses")
                return self._compute(hash, compute, ttl_seconds, ours)
            metrics.count("cache", "Waits")
            if not self._may_look_again(others):
                return compute()

    def clear(self, prefix: str = "") -> int:
        self._clock()
        with self._lock:
            chosen = [hash for hash in self._entries if hash.startswith(prefix)]
            for hash in chosen:
                del self._entries[hash]
            for hash in [hash for hash in self._computing if hash.startswith(prefix)]:
                self._end_computation(hash)
            return len(chosen)

    def clean_up(self) -> int:
        self._clock()
        with self._lock:
            expired = [hash for hash in self._entries if self._live(hash) is None]
            for hash in expired:
                del self._entries[hash]
            return len(expired)

    def stats(self) -> CacheStats:
        self._clock()
        with self._lock:
            entries = list(self._entries.items())
            expired = sum(self._live(hash) is None for hash, _entry in entries)
            return CacheStats(len(entries), expired, sum(entry.size for _hash, entry in entries))

    def health(self) -> Health:
        self._clock()
        return Health(True, 0.0, "memory")

    def _may_look_again(self, others: _Computation) -> bool:
        """Wait for another computation or the end of its lease; a web request for half its time at most."""
        page, left = deadline.current(), (others.until - self._clock()) / 1000
        if page is None:
            others.ended.wait(left)
            return True
        half, started = page.left / 2, time.monotonic()
        has_ended = others.ended.wait(min(left, half))
        page.spend(time.monotonic() - started)
        return has_ended or left < half

    def _compute(
        self, hash: str, compute: Callable[[], Any], ttl_seconds: float | None, ours: _Computation
    ) -> Any:
        try:
            value = compute()
            entry = self._entry(hash, value, ttl_seconds)
            with self._lock:
                # A value that was set or removed meanwhile is newer.
                if self._computing.get(hash) is ours and entry.size <= LARGEST_ITEM:
                    self._entries[hash] = entry
            return value
        finally:
            with self._lock:
                if self._computing.get(hash) is ours:
                    self._end_computation(hash)

    def _end_computation(self, hash: str) -> None:
        """Remove the computation and wake the waiting threads."""
        computation = self._computing.pop(hash, None)
        if computation is not None:
            computation.ended.set()

    def _value(self, hash: str) -> Any:
        entry = self._live(hash)
        try:
            return MISSING if entry is None else self._codec.decode(hash, entry.stored)
        except Unreadable:
            return MISSING

    def _entry(self, hash: str, value: Any, ttl_seconds: float | None) -> _Entry:
        self._clean_up_now_and_then(self.clean_up)
        stored = self._codec.encode(checked(hash), value)
        return _Entry(stored, size_of({hash: stored}), self._end(ttl_seconds))

    def _live(self, hash: str) -> _Entry | None:
        now, entry = self._clock(), self._entries.get(checked(hash))
        if entry is None or (entry.expires_at is not None and entry.expires_at <= now):
            return None
        return entry

    def _end(self, ttl_seconds: float | None) -> int | None:
        return None if ttl_seconds is None else self._clock() + round(max(0.0, ttl_seconds) * 1000)
