"""Whose files are in the bucket beside those of the library: `manage.py media check` asks them."""

from collections.abc import Callable, Iterable
from typing import NamedTuple


class Owner(NamedTuple):
    """Another app whose records have files: all their keys, and whether a record has one at this moment."""

    keys: Callable[[], Iterable[str]]
    has: Callable[[str, str], bool]


# By the folder of their files; apps add themselves.
OTHERS: dict[str, Owner] = {}
