"""Pages of records, and the encrypted and signed tokens for the next page."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.core import signing

from core.dynamo.encryption import WrongSecret, decrypt, encrypt
from core.dynamo.errors import InvalidToken

DEFAULT_LIMIT = 20
MOST = 100
LIFETIME_SECONDS = 3600
LONGEST_TOKEN = 4096

T = TypeVar("T")
StartKey = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some records, and the start key of the next page; the last page may be empty."""

    items: Sequence[T]
    next_key: StartKey | None = None

    def next_token(self, *bound_to: object) -> str | None:
        """A token for the next page, valid only with the same `bound_to`: person, route, filters."""
        return None if self.next_key is None else sign(self.next_key, *bound_to)


def sign(start_key: StartKey, *bound_to: object) -> str:
    """The token for a start key. It is encrypted too: the key may hold a word of a concealed field."""
    sealed = encrypt(_secret(), json.dumps(start_key, separators=(",", ":")).encode())
    return signing.TimestampSigner(salt=_salt(bound_to)).sign(urlsafe_b64encode(sealed).decode())


def read_token(token: str | None, *bound_to: object) -> StartKey | None:
    """The start key in a token; `InvalidToken` if it is forged, of other `bound_to`, too old or too long."""
    if not token:
        return None
    if len(token) > LONGEST_TOKEN:
        raise InvalidToken
    try:
        sealed = signing.TimestampSigner(salt=_salt(bound_to)).unsign(token, max_age=LIFETIME_SECONDS)
        start_key = json.loads(decrypt(_secret(), urlsafe_b64decode(sealed)))
    except (signing.BadSignature, WrongSecret) as error:
        raise InvalidToken from error
    if not isinstance(start_key, dict):
        raise InvalidToken
    return start_key


def limit_from(text: str | None) -> int:
    """The page size that was asked for, between 1 and `MOST`."""
    if text is None or not text.isdecimal():
        return DEFAULT_LIMIT
    return max(1, min(MOST, int(text[:9])))


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in lists of at most this size."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def _secret() -> str:
    return f"dynamo.paging:{settings.SECRET_KEY}"


def _salt(bound_to: tuple[object, ...]) -> str:
    # repr keeps ("a", "bc") apart from ("ab", "c").
    return f"dynamo.paging:{bound_to!r}"
