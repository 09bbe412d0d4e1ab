"""Unique values: each is a guard item, taken and released in the transaction that writes its record.

A guard may also be the receipt of the request that took it, which then needs no row of its own. When the
value is released such a guard stays, without an owner, until the receipt expires or another record takes it.
"""

import hashlib
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import UnicodeAttribute
from pynamodb.expressions.condition import Condition

from core.dynamo import queries, transactions
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, Text
from core.dynamo.idempotency import KEPT_FOR, IdempotencyKey, Receipt
from core.dynamo.items import Item, RawItem
from core.dynamo.transactions import Operation

LONGEST_PLAIN_VALUE = 500
TAKEN = _("This is already taken. Choose another.")


class UniqueGuard(Receipt):
    # None: released, and only a receipt.
    owner = UnicodeAttribute(null=True)


@dataclass(frozen=True)
class Unique:
    """No two records of an entity share this value. `value` may combine fields; None takes no guard.

    A list of values has a guard for each, such as a record's address and its earlier ones. `message_for`
    makes the message from the key of the record that has the value.

    A value that no two requests have in common, unless one is refused, may be the receipt of the request that
    creates a record with it.
    """

    field: str
    value: Callable[[Any], str | Iterable[str] | None] | None = None
    message: Text = TAKEN
    message_for: Callable[[str], Text] | None = None
    is_receipt: bool = False

    def values_of(self, item: Item | None) -> set[str]:
        if item is None:
            return set()
        value = self.value(item) if self.value else getattr(item, self.field)
        values = value if isinstance(value, list | tuple | set) else [value]
        return {_text(each) for each in values if each is not None and each != ""}


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    # The same text can be encoded with composed or with combining characters.
    return unicodedata.normalize("NFC", str(value))


def take(
    entity: str, unique: Unique, value: str, owner: str, *, once: IdempotencyKey | None = None
) -> Operation:
    """Write the guard of a value; refused if another record owns it, or it is a receipt of this request."""

    def taken(current: RawItem | None) -> Exception:
        if once is not None and (answer := once.answer_of(current)):
            return answer
        message = unique.message
        if unique.message_for and current and "owner" in current:
            message = unique.message_for(current["owner"]["S"])
        return AlreadyExists(message, field=unique.field)

    guard = UniqueGuard(pk=partition(entity, unique.field, value), sk="GUARD", owner=owner)
    free = _is_free_for(owner)
    if not unique.is_receipt:
        return transactions.put(guard, condition=free, refused=taken)
    # Without a request it stays the receipt that it may be.
    receipt = once.receipt() if once else {}
    actions = [getattr(UniqueGuard, name).set(value) for name, value in receipt.items()]
    actions += [UniqueGuard.owner.set(owner), UniqueGuard.ttl.remove()]
    if once is not None:
        free &= ~once.is_receipt()
    return transactions.update(UniqueGuard, guard.raw_key(), actions, condition=free, refused=taken)


def release(entity: str, unique: Unique, value: str, owner: str) -> Operation:
    """Give a value up; where another record owns it, as with records of other programs, it stays theirs."""
    key = raw_key(entity, unique, value)
    is_own = _is_free_for(owner)
    if unique.is_receipt:
        actions = [UniqueGuard.owner.remove(), UniqueGuard.ttl.set(now() + KEPT_FOR)]
        return transactions.update(UniqueGuard, key, actions, condition=is_own, is_optional=True)
    return transactions.delete(UniqueGuard, key, condition=is_own, is_optional=True)


def raw_key(entity: str, unique: Unique, value: str) -> RawItem:
    return {"PK": {"S": partition(entity, unique.field, value)}, "SK": {"S": "GUARD"}}


def _is_free_for(owner: str) -> Condition:
    condition: Condition = UniqueGuard.owner.does_not_exist() | (UniqueGuard.owner == owner)
    return condition


def owners_of(entity: str, field: str, values: Iterable[str]) -> dict[str, str]:
    """The keys of the records that own these values, by value; one strong read."""
    by_pk = {partition(entity, field, _text(value)): value for value in values}
    wanted = ((UniqueGuard, {"PK": {"S": pk}, "SK": {"S": "GUARD"}}) for pk in by_pk)
    found = queries.get_many(wanted, strong=True)
    owned = (guard for guard in found if isinstance(guard, UniqueGuard) and guard.owner)
    return {by_pk[guard.pk]: guard.owner for guard in owned}


def partition(entity: str, field: str, value: str) -> str:
    """The partition key of a guard; long values are hashed."""
    encoded = value.encode("utf-8", "surrogatepass")
    if len(encoded) > LONGEST_PLAIN_VALUE:
        value = hashlib.sha256(encoded).hexdigest()
    return f"UNIQUE#{entity}#{field}#{value}"
