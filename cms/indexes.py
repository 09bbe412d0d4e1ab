"""The indexes that every table of content has. They hold the columns of the lists, not the long texts."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute
from pynamodb.indexes import GlobalSecondaryIndex, IncludeProjection

from dynamo.attributes import TimestampAttribute

ALWAYS = ["updatedAt", "version"]


def by_age(*columns: str) -> Any:
    """All records of a table, by the time they were created."""

    class ByAge(GlobalSecondaryIndex[Any]):
        entity = UnicodeAttribute(hash_key=True)
        created_at = TimestampAttribute(range_key=True, attr_name="createdAt")

        class Meta:
            index_name = "GSI-List"
            projection = IncludeProjection([*ALWAYS, *columns])

    return ByAge()


def by_name(*columns: str) -> Any:
    """All records of a table in the order of the alphabet, accents and capitals apart."""

    class ByName(GlobalSecondaryIndex[Any]):
        entity = UnicodeAttribute(hash_key=True)
        sort_name = UnicodeAttribute(range_key=True, attr_name="sortName")

        class Meta:
            index_name = "GSI-Name"
            projection = IncludeProjection([*ALWAYS, "createdAt", *columns])

    return ByName()
