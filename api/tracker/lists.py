"""Lists that are read whole, because no key has their order: a roster, the teams of a person, plays."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from api.lists import ReadPage
from core.dynamo.paging import Page, StartKey

T = TypeVar("T")


def slices(items: Sequence[T], key_of: Callable[[T], str]) -> ReadPage[T]:
    """Pages of the items, each after the last one of the page before."""
    keys = [key_of(item) for item in items]

    def read(*, limit: int, start: StartKey | None) -> Page[T]:
        begin = _begin(keys, start) if start else 0
        end = begin + limit
        is_last = end >= len(items)
        last = None if is_last else {"last": {"S": keys[end - 1]}, "place": {"N": str(end)}}
        return Page(items[begin:end], last)

    return read


def _begin(keys: Sequence[str], start: StartKey) -> int:
    last, place = start["last"]["S"], int(start["place"]["N"])
    # If the last one is gone, those after it have moved up.
    return keys.index(last) + 1 if last in keys else place - 1
