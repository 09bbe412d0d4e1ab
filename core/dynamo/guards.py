"""Unique values: each is a guard item, taken and released in the transaction that writes its record."""

import hashlib
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import UnicodeAttribute

from core.dynamo import queries, transactions
from core.dynamo.errors import AlreadyExists, Text
from core.dynamo.items import Item, RawItem
from core.dynamo.support_table import SupportItem
from core.dynamo.transactions import Operation

LONGEST_PLAIN_VALUE = 500
TAKEN = _("This is already taken. Please choose another.")


class UniqueGuard(SupportItem):
    owner = UnicodeAttribute()


@dataclass(frozen=True)
class Unique:
    """No two records of an entity share this value. `value` may combine fields; None takes no guard.

    A list of values has a guard for each, such as a record's address and its earlier ones. `message_for`
    makes the message from the key of the record that has the value.
    """

    field: str
    value: Callable[[Any], str | Iterable[str] | None] | None = None
    message: Text = TAKEN
    message_for: Callable[[str], Text] | None = None

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


def take(entity: str, unique: Unique, value: str, owner: str) -> Operation:
    """Put the guard of a value; refused if another record owns it."""

    def taken(current: RawItem | None) -> Exception:
        message = unique.message
        if unique.message_for and current:
            message = unique.message_for(current["owner"]["S"])
        return AlreadyExists(message, field=unique.field)

    guard = UniqueGuard(pk=partition(entity, unique.field, value), sk="GUARD", owner=owner)
    free = UniqueGuard.pk.does_not_exist() | (UniqueGuard.owner == owner)
    return transactions.put(guard, condition=free, refused=taken)


def release(entity: str, unique: Unique, value: str, owner: str) -> Operation:
    key = {"PK": {"S": partition(entity, unique.field, value)}, "SK": {"S": "GUARD"}}
    ours = UniqueGuard.pk.does_not_exist() | (UniqueGuard.owner == owner)
    return transactions.delete(UniqueGuard, key, condition=ours)


def owners_of(entity: str, field: str, values: Iterable[str]) -> dict[str, str]:
    """The keys of the records that own these values, by value; one strong read."""
    by_pk = {partition(entity, field, _text(value)): value for value in values}
    wanted = ((UniqueGuard, {"PK": {"S": pk}, "SK": {"S": "GUARD"}}) for pk in by_pk)
    found = queries.get_many(wanted, strong=True)
    return {by_pk[guard.pk]: guard.owner for guard in found if isinstance(guard, UniqueGuard)}


def partition(entity: str, field: str, value: str) -> str:
    """The partition key of a guard; long values are hashed."""
    encoded = value.encode("utf-8", "surrogatepass")
    if len(encoded) > LONGEST_PLAIN_VALUE:
        value = hashlib.sha256(encoded).hexdigest()
    return f"UNIQUE#{entity}#{field}#{value}"
