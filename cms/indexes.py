"""The indexes that every table of content has. They hold the columns of the lists, not the long texts."""

from collections.abc import Sequence
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


def by_published_date(*columns: str) -> Any:
    """The records of one status, by the date from which readers see them."""

    class ByPublishedDate(GlobalSecondaryIndex[Any]):
        status = UnicodeAttribute(hash_key=True)
        published_date = TimestampAttribute(range_key=True, attr_name="publishedDate")

        class Meta:
            index_name = "GSI-PublishedDate"
            projection = IncludeProjection(_beside(["status", "publishedDate"], columns))

    return ByPublishedDate()


def by_slug(*columns: str) -> Any:
    """The record at an address."""

    class BySlug(GlobalSecondaryIndex[Any]):
        slug = UnicodeAttribute(hash_key=True)

        class Meta:
            index_name = "GSI-Slug"
            projection = IncludeProjection(_beside(["slug"], columns))

    return BySlug()


def _beside(keys: Sequence[str], columns: Sequence[str]) -> list[str]:
    """What an index holds beside its own keys."""
    return [name for name in (*ALWAYS, "createdAt", *columns) if name not in keys]
