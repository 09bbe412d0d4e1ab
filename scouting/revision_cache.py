"""Caches in this process: results by revisions of stored items, and by language."""

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from datetime import tzinfo
from functools import lru_cache, wraps
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

from django.utils.timezone import get_current_timezone
from django.utils.translation import get_language

from core.dynamo.items import RawItem

V = TypeVar("V")
P = ParamSpec("P")
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


def cached_by_language(most: int) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """As `lru_cache`, for a function whose result has texts, numbers or times as they are shown now.

    The types of the arguments count too: 1 and 1.0 are displayed differently.
    """

    def decorate(function: Callable[P, V]) -> Callable[P, V]:
        def as_shown(_language: str | None, _zone: tzinfo, *args: Any, **options: Any) -> V:
            return function(*args, **options)

        cached: Callable[..., V] = lru_cache(maxsize=most, typed=True)(as_shown)

        @wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> V:
            return cached(get_language(), get_current_timezone(), *args, **options)

        return call

    return decorate
