"""The indexes that every table of content has. They hold the columns of the lists, not the long texts."""

from collections.abc import Sequence
from typing import Any

from pynamodb.attributes import UnicodeAttribute
from pynamodb.indexes import GlobalSecondaryIndex, IncludeProjection

from dynamo.attributes import DayAttribute, TimestampAttribute

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


def by_start_date(*columns: str) -> Any:
    """The records of one status, by the time when they begin."""

    class ByStartDate(GlobalSecondaryIndex[Any]):
        status = UnicodeAttribute(hash_key=True)
        start_date = TimestampAttribute(range_key=True, attr_name="startDate")

        class Meta:
            index_name = "GSI-StartDate"
            projection = IncludeProjection(_beside(["status", "startDate"], columns))

    return ByStartDate()


def by_status_and_age(*columns: str) -> Any:
    """The records of one status, also those that have no date yet."""

    class ByStatusAndAge(GlobalSecondaryIndex[Any]):
        status = UnicodeAttribute(hash_key=True)
        created_at = TimestampAttribute(range_key=True, attr_name="createdAt")

        class Meta:
            index_name = "GSI-Status"
            projection = IncludeProjection(_beside(["status", "createdAt"], columns))

    return ByStatusAndAge()


def by_first_day(*columns: str) -> Any:
    """All records of a table, by the day on which they begin."""

    class ByFirstDay(GlobalSecondaryIndex[Any]):
        entity = UnicodeAttribute(hash_key=True)
        from_day = DayAttribute(range_key=True, attr_name="from")

        class Meta:
            index_name = "GSI-From"
            projection = IncludeProjection(_beside(["entity", "from"], columns))

    return ByFirstDay()


def by_slug(*columns: str) -> Any:
    """The record at an address."""

    class BySlug(GlobalSecondaryIndex[Any]):
        slug = UnicodeAttribute(hash_key=True)

        class Meta:
            index_name = "GSI-Slug"
            projection = IncludeProjection(_beside(["slug"], columns))

    return BySlug()


def by_status(*columns: str) -> Any:
    """The records of one status, by name."""

    class ByStatus(GlobalSecondaryIndex[Any]):
        status = UnicodeAttribute(hash_key=True)
        name = UnicodeAttribute(range_key=True)

        class Meta:
            index_name = "GSI-Status"
            projection = IncludeProjection(_beside(["status", "name"], columns))

    return ByStatus()


def by_sams_team(*columns: str) -> Any:
    """The team that plays under an id of SAMS."""

    class BySamsTeam(GlobalSecondaryIndex[Any]):
        sbvv_team_id = UnicodeAttribute(hash_key=True, attr_name="sbvvTeamId")

        class Meta:
            index_name = "GSI-SamsTeam"
            projection = IncludeProjection(_beside(["sbvvTeamId"], columns))

    return BySamsTeam()


def by_name_slug(index: str, *columns: str) -> Any:
    """The records of one type, by the part of an address that their names would make."""

    class ByNameSlug(GlobalSecondaryIndex[Any]):
        type = UnicodeAttribute(hash_key=True)
        name_slug = UnicodeAttribute(range_key=True, attr_name="nameSlug")

        class Meta:
            index_name = index
            projection = IncludeProjection(_beside(["type", "nameSlug"], columns))

    return ByNameSlug()


def by_email(*columns: str) -> Any:
    """The records of an e-mail address."""

    class ByEmail(GlobalSecondaryIndex[Any]):
        email = UnicodeAttribute(hash_key=True)

        class Meta:
            index_name = "GSI-Email"
            projection = IncludeProjection(_beside(["email"], columns))

    return ByEmail()


def by_timestamp(*columns: str) -> Any:
    """All records of a table, by the time that they tell of."""

    class ByTimestamp(GlobalSecondaryIndex[Any]):
        entity = UnicodeAttribute(hash_key=True)
        timestamp = TimestampAttribute(range_key=True)

        class Meta:
            index_name = "GSI-Timestamp"
            projection = IncludeProjection(_beside(["timestamp"], columns))

    return ByTimestamp()


def _beside(keys: Sequence[str], columns: Sequence[str]) -> list[str]:
    """What an index holds beside its own keys."""
    return [name for name in (*ALWAYS, "createdAt", *columns) if name not in keys]
