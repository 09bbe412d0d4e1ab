"""References between records: "used in" lists, and no delete of a record that is still used.

A reference row and the count of its target (`use_counts`) are written in one transaction. So the target of a
row exists and its count is exact, as long as records are written through their repository.
"""

from collections.abc import Callable, Iterable, Set, Sized
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import UnicodeAttribute

from core.dynamo import transactions
from core.dynamo.errors import TooLarge
from core.dynamo.items import Item
from core.dynamo.paging import DEFAULT_LIMIT, MOST, Page, StartKey
from core.dynamo.queries import query, read_all
from core.dynamo.registry import is_known, repository_for
from core.dynamo.support_table import SupportItem
from core.dynamo.transactions import Operation

MOST_PER_FIELD = 20


class ReferenceRow(SupportItem):
    """PK is the target, SK the source and the field that refers to it."""

    entity = UnicodeAttribute()
    key = UnicodeAttribute()
    field = UnicodeAttribute()


@dataclass(frozen=True)
class Reference:
    """A field that holds the key, or a list of keys, of records of another entity.

    If the keys are nested in the field, such as in its rows, `value` returns them, and `cut` the value of the
    field without the given ones. A reference without a row is only counted: "used in" does not list it.
    """

    field: str
    to: str
    value: Callable[[Any], Iterable[str | None]] | None = None
    cut: Callable[[Any, Set[str]], Any] | None = None
    has_row: bool = True

    def __post_init__(self) -> None:
        if (self.value is None) != (self.cut is None):
            raise ValueError("A reference that lies deeper in its field has both a value and a cut.")

    def targets(self, item: Item | None) -> list[str]:
        if item is None:
            return []
        value = self.value(item) if self.value else getattr(item, self.field, None)
        keys = [value] if isinstance(value, str) else list(value or [])
        return list(dict.fromkeys(key for key in keys if key))

    def without(self, item: Item, keys: Set[str]) -> Any:
        """The value of the field without these keys."""
        if self.cut:
            return self.cut(item, keys)
        value = getattr(item, self.field)
        if isinstance(value, str):
            return None if value in keys else value
        return [key for key in value if key not in keys]

    def refuse_too_many(self, targets: Sized) -> None:
        if len(targets) > MOST_PER_FIELD:
            message = _("Choose at most %(most)d.") % {"most": MOST_PER_FIELD}
            raise TooLarge(message, field=self.field)


def put_row(reference: Reference, target: str, *, entity: str, key: str) -> Operation:
    return transactions.put(_row(reference, target, entity, key))


def remove_row(reference: Reference, target: str, *, entity: str, key: str) -> Operation:
    return transactions.delete(ReferenceRow, _row(reference, target, entity, key).raw_key())


def used_in(
    entity: str, key: str, *, limit: int = DEFAULT_LIMIT, start: StartKey | None = None
) -> Page[ReferenceRow]:
    """The records that use this one."""
    return query(ReferenceRow, partition(entity, key), limit=limit, start=start)


def count(entity: str, key: str) -> int:
    """How many references to this record have a row; reads all of them, so for operators only."""
    rows = read_all(partial(query, ReferenceRow, partition(entity, key), strong=True), limit=MOST)
    return sum(1 for row in rows if not is_outdated(row))


def is_outdated(row: ReferenceRow) -> bool:
    """Whether its record has the reference no longer listed, as it was when the row was written."""
    return is_known(row.entity) and any(
        reference.field == row.field and not reference.has_row
        for reference in repository_for(row.entity).references
    )


def partition(entity: str, key: str) -> str:
    """The partition key of the references to a record."""
    return f"REF#{entity}#{key}"


def _row(reference: Reference, target: str, entity: str, key: str) -> ReferenceRow:
    return ReferenceRow(
        pk=partition(reference.to, target),
        sk=f"{entity}#{key}#{reference.field}",
        entity=entity,
        key=key,
        field=reference.field,
    )
