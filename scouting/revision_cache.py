"""An LRU cache, in this process, for results computed from stored items and keyed by their revisions."""

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Generic, TypeVar

from core.dynamo.items import RawItem

V = TypeVar("V")
Revision = tuple[str, str, str, str]


def revision_of(raw: RawItem) -> Revision:
    """A hashable value that identifies a stored item and its version."""
    pk, sk = raw["PK"]["S"], raw["SK"]["S"]
    try:
        return pk, sk, raw["version"]["N"], raw["updatedAt"]["S"]
    except KeyError:
        # Items written without a version, as by an import, are identified by their content.
        return pk, sk, "", json.dumps(raw, sort_keys=True, default=repr)


def revisions_of(raws: Iterable[RawItem]) -> tuple[Revision, ...]:
    return tuple(map(revision_of, raws))


class Kept(Generic[V]):
    """An LRU cache of `most` results. It needs no invalidation: changed items have another revision,
    and therefore another key."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[Hashable, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, compute: Callable[[], V]) -> V:
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key]
        result = compute()
        with self._lock:
            self._results[key] = result
            while len(self._results) > self._most:
                self._results.popitem(last=False)
        return result

    def all(self) -> list[V]:
        with self._lock:
            return list(self._results.values())
