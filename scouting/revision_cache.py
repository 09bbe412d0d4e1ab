"""What was computed out of stored items, kept in this process under all that it depends on."""

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Generic, TypeVar

from core.dynamo.items import RawItem

V = TypeVar("V")
Revision = tuple[str, str, str, str]


def revision_of(raw: RawItem) -> Revision:
    """What tells a stored item from every other one, and from itself before and after a change."""
    pk, sk = raw["PK"]["S"], raw["SK"]["S"]
    try:
        return pk, sk, raw["version"]["N"], raw["updatedAt"]["S"]
    except KeyError:
        # An import has left it without them, so only what it says tells it apart.
        return pk, sk, "", json.dumps(raw, sort_keys=True, default=repr)


def revisions_of(raws: Iterable[RawItem]) -> tuple[Revision, ...]:
    return tuple(map(revision_of, raws))


class Kept(Generic[V]):
    """The results that were asked for last, `most` of them. Nothing has to be taken out after a change:
    what is stored has another revision by then, so it is looked for under another key.
    """

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
