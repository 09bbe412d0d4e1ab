"""Registry of the apps with files in the bucket besides the media library, for `manage.py media check`."""

from collections.abc import Callable, Iterable
from typing import NamedTuple


class Owner(NamedTuple):
    """`keys` yields the keys of all files in use; `has(key, record)` whether a record still uses a file."""

    keys: Callable[[], Iterable[str]]
    has: Callable[[str, str], bool]


# By folder; apps register themselves.
OTHERS: dict[str, Owner] = {}
