"""Idempotency keys: a request that is sent twice is carried out once.

A receipt with the answer for repetitions is written in the transaction of the request: a row of its own, or
a part of another item of the transaction that no other request can write (`guards.Unique.is_receipt`).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, NoReturn
from uuid import UUID

from pynamodb.attributes import UnicodeAttribute
from pynamodb.expressions.condition import Condition

from core.dynamo import queries, transactions
from core.dynamo.attributes import JSONMapAttribute, TimestampAttribute, now
from core.dynamo.errors import KeyReused, Replayed
from core.dynamo.items import RawItem
from core.dynamo.support_table import SupportItem
from core.dynamo.transactions import Operation

KEPT_FOR = timedelta(hours=24)
LONGEST_KEY = 255


class Receipt(SupportItem):
    """A request that was carried out: which, with what contents, and its answer."""

    # The digest of person, route and key; a row of its own has it in its key.
    request = UnicodeAttribute(null=True)
    payload_hash = UnicodeAttribute(attr_name="payloadHash", null=True)
    answer = JSONMapAttribute(null=True)
    # TTL only cleans up, up to two days late; this is checked to the millisecond.
    expires_at = TimestampAttribute(attr_name="expiresAt", null=True)


class IdempotencyRow(Receipt):
    """A receipt of its own."""


@dataclass(frozen=True)
class IdempotencyKey:
    """The idempotency key of one request of one person to one route, from its form or header.

    Services take it as `once`: the transaction to which its operation is added is committed once.
    """

    sub: str
    route: str
    key: str
    payload: Mapping[str, Any]
    answer: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= len(self.key) <= LONGEST_KEY:
            raise ValueError(f"An idempotency key has 1 to {LONGEST_KEY} characters.")

    def operation(self) -> Operation:
        """Put the row."""
        moment = now()
        row = IdempotencyRow(
            pk=f"IDEM#{self.digest}",
            sk="KEY",
            payload_hash=_hash(self.payload),
            answer=dict(self.answer),
            expires_at=moment + KEPT_FOR,
            ttl=moment + KEPT_FOR,
        )
        unused = IdempotencyRow.pk.does_not_exist() | (IdempotencyRow.expires_at < moment)
        return transactions.put(row, condition=unused, refused=self._refused)

    @property
    def digest(self) -> str:
        return _hash([self.sub, self.route, self.key])

    def receipt(self) -> dict[str, Any]:
        """The attributes of a `Receipt` of this request."""
        return {
            "request": self.digest,
            "payload_hash": self._sealed_payload,
            "answer": dict(self.answer),
            "expires_at": now() + KEPT_FOR,
        }

    @property
    def _sealed_payload(self) -> str:
        """The digest of the payload, together with the key, which is stored nowhere: a receipt may stay for
        years, and nobody can try out of which contents it is."""
        return _hash([self.key, self.payload])

    def is_receipt(self) -> Condition:
        """A condition: the stored item is a receipt of this request."""
        condition: Condition = (Receipt.request == self.digest) & (Receipt.expires_at >= now())
        return condition

    def answer_of(self, stored: RawItem | None) -> Exception | None:
        """`Replayed` or `KeyReused` if this is a receipt of this request, else None."""
        receipt = Receipt.from_raw_data(stored or {})
        is_ours = receipt.request == self.digest and receipt.expires_at and receipt.expires_at >= now()
        return self._answer(receipt, self._sealed_payload) if is_ours else None

    def check(self) -> None:
        """Raise `Replayed` if the request was carried out before.

        To be called before an error that the request itself may have caused, such as a stale version.
        """
        row = queries.get(IdempotencyRow, self.operation().key, strong=True)
        if row is not None and row.expires_at and row.expires_at >= now():
            raise self._refused(row.stored)

    def _refused(self, stored: RawItem | None) -> Exception:
        return self._answer(Receipt.from_raw_data(stored or {}), _hash(self.payload))

    def _answer(self, earlier: Receipt, payload_hash: str) -> Exception:
        if earlier.payload_hash != payload_hash:
            return KeyReused(earlier.answer)
        return Replayed(earlier.answer or {})


def refuse(error: Exception, once: IdempotencyKey | None) -> NoReturn:
    """Raise the error, or `Replayed` if it may be the effect of this very request, carried out before."""
    if once is not None:
        once.check()
    raise error


def _hash(value: Any) -> str:
    # JSON keeps ["a", "bc"] apart from ["ab", "c"].
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(value: Any) -> Any:
    """JSON for other values, the same in every process."""
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, datetime | date | time | Decimal | UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be part of a payload.")
