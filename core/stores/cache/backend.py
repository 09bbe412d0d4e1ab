"""Django's cache framework on the cache store.

LOCATION names another table, OPTIONS take what StoreConfig takes. While DynamoDB is away reads miss and
writes raise: a value that could not be replaced must not be taken for the new one.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar
from urllib.parse import quote

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache

from core.dynamo.errors import Unavailable
from core.dynamo.items import bytes_of
from core.stores import metrics
from core.stores.cache.store import CacheStore
from core.stores.codecs import SignedPickleCodec
from core.stores.config import StoreConfig
from core.stores.table import CONTROL, LONGEST_KEY

# Options of other backends, which keep at most so many entries; a table has no such limit.
CULLING = {"MAX_ENTRIES", "CULL_FREQUENCY"}
LONGEST_PREFIX = 100
Timeout = float | None | object
Version = int | None
T = TypeVar("T")


class DynamoDBCache(BaseCache):
    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        options = {name: value for name, value in params.get("OPTIONS", {}).items() if name not in CULLING}
        if location:
            options["table_name"] = location
        self.config = StoreConfig(**options)
        self._store = CacheStore(self.config, codec=SignedPickleCodec())
        # None begins another one. A key function may leave the prefix out, so it stands before the key.
        self._namespace = f"django:{quote(self.key_prefix[:LONGEST_PREFIX], safe='')}:"

    def add(self, key: str, value: Any, timeout: Timeout = DEFAULT_TIMEOUT, version: Version = None) -> bool:
        return self._store.add(self._hash(key, version), value, self._seconds(timeout))

    def get(self, key: str, default: Any = None, version: Version = None) -> Any:
        hash = self._hash(key, version)
        return _unless_away(lambda: self._store.get(hash, default), default)

    def set(self, key: str, value: Any, timeout: Timeout = DEFAULT_TIMEOUT, version: Version = None) -> None:
        self._store.set(self._hash(key, version), value, self._seconds(timeout))

    def touch(self, key: str, timeout: Timeout = DEFAULT_TIMEOUT, version: Version = None) -> bool:
        return self._store.touch(self._hash(key, version), self._seconds(timeout))

    def delete(self, key: str, version: Version = None) -> bool:
        return self._store.delete(self._hash(key, version))

    def get_many(self, keys: Iterable[str], version: Version = None) -> dict[str, Any]:
        wanted = {self._hash(key, version): key for key in keys}
        found: dict[str, Any] = _unless_away(lambda: self._store.get_many(wanted), {})
        return {wanted[hash]: value for hash, value in found.items()}

    def get_or_set(
        self, key: str, default: Any, timeout: Timeout = DEFAULT_TIMEOUT, version: Version = None
    ) -> Any:
        """The value; however many miss it at once, the default is called once."""
        compute: Callable[[], Any] = default if callable(default) else lambda: default
        return self._store.get_or_compute(self._hash(key, version), compute, self._seconds(timeout))

    def has_key(self, key: str, version: Version = None) -> bool:
        return _unless_away(lambda: self._store.has(self._hash(key, version)), default=False)

    def incr(self, key: str, delta: int = 1, version: Version = None) -> int:
        try:
            return self._store.increment(self._hash(key, version), delta)
        except LookupError as error:
            raise ValueError(f"Key {key!r} not found") from error

    def set_many(
        self, data: Mapping[str, Any], timeout: Timeout = DEFAULT_TIMEOUT, version: Version = None
    ) -> list[str]:
        hashes = {self._hash(key, version): key for key in data}
        values = {hash: data[key] for hash, key in hashes.items()}
        return [hashes[hash] for hash in self._store.set_many(values, self._seconds(timeout))]

    def delete_many(self, keys: Iterable[str], version: Version = None) -> None:
        self._store.delete_many([self._hash(key, version) for key in keys])

    def clear(self) -> None:
        """What was stored with this KEY_PREFIX, and nothing that others keep in the same table."""
        self._store.clear(self._namespace)

    def _hash(self, key: str, version: int | None) -> str:
        """Django's key, or its digest where the store could not take it."""
        made: str = self._namespace + self.make_and_validate_key(key, version=version)
        if bytes_of(made) <= LONGEST_KEY and not CONTROL.search(made):
            return made
        return self._namespace + hashlib.sha256(made.encode("utf-8", "surrogatepass")).hexdigest()

    def _seconds(self, timeout: Timeout) -> float | None:
        chosen: Any = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return None if chosen is None else float(chosen)


def _unless_away(read: Callable[[], T], default: T) -> T:
    """What was read, or the default while DynamoDB cannot be reached."""
    try:
        return read()
    except Unavailable:
        metrics.count("cache", "Failures")
        return default
