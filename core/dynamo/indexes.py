"""Global secondary indexes: a name, its keys, and what it holds beside them."""

from collections.abc import Iterable
from typing import Any

from pynamodb.attributes import Attribute, NumberAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, IncludeProjection, KeysOnlyProjection

# What every list needs of a record beside its columns.
ALWAYS = ("updatedAt", "version")


def index(
    name: str,
    hash_key: str,
    range_key: str | None = None,
    *,
    columns: Iterable[str] | None = None,
    is_number: bool = False,
) -> Any:
    """Keys are named as they are stored, and are text; `is_number` says that the range key is a number.

    Without `columns` it holds whole records; with an empty list only the keys of the table. Each model
    needs an index of its own.
    """
    sorted_by = (NumberAttribute if is_number else UnicodeAttribute)(range_key=True, attr_name=range_key)
    keys = {hash_key, range_key}
    beside = None if columns is None else [column for column in columns if column not in keys]

    class Named(GlobalSecondaryIndex[Any]):
        hashed: Attribute[Any] = UnicodeAttribute(hash_key=True, attr_name=hash_key)
        ranged: Attribute[Any] | None = sorted_by if range_key else None

        class Meta:
            index_name = name
            projection = _projection(beside)

    return Named()


def _projection(beside: list[str] | None) -> AllProjection | IncludeProjection | KeysOnlyProjection:
    if beside is None:
        return AllProjection()
    return IncludeProjection(beside) if beside else KeysOnlyProjection()
