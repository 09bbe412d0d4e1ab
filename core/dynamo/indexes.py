"""Declare global secondary indexes by name, keys and projected attributes."""

from collections.abc import Iterable
from typing import Any

from pynamodb.attributes import Attribute, NumberAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, IncludeProjection, KeysOnlyProjection

# What every list needs of a record besides its columns.
ALWAYS = ("updatedAt", "version")


def index(
    name: str,
    hash_key: str,
    range_key: str | None = None,
    *,
    columns: Iterable[str] | None = None,
    is_number: bool = False,
) -> Any:
    """An index for a model. Keys and columns are stored names; keys are text, the range key maybe a number.

    Without `columns` it projects whole records, with an empty list only the keys of the table. Two models
    cannot share an index.
    """
    sorted_by = (NumberAttribute if is_number else UnicodeAttribute)(range_key=True, attr_name=range_key)
    keys = {hash_key, range_key}
    included = None if columns is None else [column for column in columns if column not in keys]

    class Named(GlobalSecondaryIndex[Any]):
        hashed: Attribute[Any] = UnicodeAttribute(hash_key=True, attr_name=hash_key)
        ranged: Attribute[Any] | None = sorted_by if range_key else None

        class Meta:
            index_name = name
            projection = _projection(included)

    return Named()


def _projection(included: list[str] | None) -> AllProjection | IncludeProjection | KeysOnlyProjection:
    if included is None:
        return AllProjection()
    return IncludeProjection(included) if included else KeysOnlyProjection()
