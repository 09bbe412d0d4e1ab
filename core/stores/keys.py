"""Validation of store keys."""

import re

from core.dynamo.items import bytes_of
from core.stores.errors import InvalidKey

LONGEST_KEY = 512
CONTROL = re.compile(r"[\x00-\x1f\x7f]|[\ud800-\udfff]")


def checked(key: str) -> str:
    if not 1 <= bytes_of(key) <= LONGEST_KEY or CONTROL.search(key):
        raise InvalidKey
    return key
