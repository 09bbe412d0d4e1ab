"""The indexes of the scouting tables, named as the document names them; the others by what they list."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute
from pynamodb.indexes import GlobalSecondaryIndex, IncludeProjection, KeysOnlyProjection

from dynamo.attributes import TimestampAttribute

ALWAYS = ("updatedAt", "version")


def by_team(*columns: str) -> Any:
    """What was written about a team, across events: where and when."""

    class ByTeam(GlobalSecondaryIndex[Any]):
        gsi1_pk = UnicodeAttribute(hash_key=True, attr_name="GSI1PK")
        gsi1_sk = UnicodeAttribute(range_key=True, attr_name="GSI1SK")

        class Meta:
            index_name = "GSI1"
            projection = IncludeProjection([*ALWAYS, "event", "createdAt", *columns])

    return ByTeam()


def by_id() -> Any:
    """One form by its id: only its key, so that a correction costs nothing here."""

    class ById(GlobalSecondaryIndex[Any]):
        gsi2_pk = UnicodeAttribute(hash_key=True, attr_name="GSI2PK")

        class Meta:
            index_name = "GSI2"
            projection = KeysOnlyProjection()

    return ById()


def by_scout(*columns: str) -> Any:
    """What somebody has written, by time."""

    class ByScout(GlobalSecondaryIndex[Any]):
        scout_id = UnicodeAttribute(hash_key=True, attr_name="scoutId")
        created_at = TimestampAttribute(range_key=True, attr_name="createdAt")

        class Meta:
            index_name = "ScoutIndex"
            projection = IncludeProjection([*ALWAYS, *columns])

    return ByScout()


def by_event_and_time(*columns: str) -> Any:
    """What was written at an event, by time."""

    class ByEventAndTime(GlobalSecondaryIndex[Any]):
        event = UnicodeAttribute(hash_key=True)
        created_at = TimestampAttribute(range_key=True, attr_name="createdAt")

        class Meta:
            index_name = "EventIndex"
            projection = IncludeProjection([*ALWAYS, *columns])

    return ByEventAndTime()
