"""The indexes of the quest board, named as the document names them. They hold the columns of lists."""

from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, IncludeProjection

from dynamo.attributes import TimestampAttribute

ALWAYS = ("updatedAt", "version")


def by_status(*columns: str) -> Any:
    """The quests of one status, by age."""

    class ByStatus(GlobalSecondaryIndex[Any]):
        status = UnicodeAttribute(hash_key=True)
        created_at = TimestampAttribute(range_key=True, attr_name="createdAt")

        class Meta:
            index_name = "StatusIndex"
            projection = _columns(columns, "status", "createdAt")

    return ByStatus()


def by_status_and_reward(*columns: str) -> Any:
    """The quests of one status, by what they are worth."""

    class ByStatusAndReward(GlobalSecondaryIndex[Any]):
        status = UnicodeAttribute(hash_key=True)
        reward_xp = NumberAttribute(range_key=True, attr_name="rewardXp")

        class Meta:
            index_name = "RewardIndex"
            projection = _columns((*columns, "createdAt"), "status", "rewardXp")

    return ByStatusAndReward()


def by_creator(*columns: str) -> Any:
    """The quests that somebody offers, by age."""

    class ByCreator(GlobalSecondaryIndex[Any]):
        creator_id = UnicodeAttribute(hash_key=True, attr_name="creatorId")
        created_at = TimestampAttribute(range_key=True, attr_name="createdAt")

        class Meta:
            index_name = "CreatorIndex"
            projection = _columns(columns, "creatorId", "createdAt")

    return ByCreator()


def by_performer(*columns: str) -> Any:
    """The quests that somebody has taken on, by age."""

    class ByPerformer(GlobalSecondaryIndex[Any]):
        performer_id = UnicodeAttribute(hash_key=True, attr_name="performerId")
        created_at = TimestampAttribute(range_key=True, attr_name="createdAt")

        class Meta:
            index_name = "PerformerIndex"
            projection = _columns(columns, "performerId", "createdAt")

    return ByPerformer()


def by_status_and_age() -> Any:
    """Rewards of one status, the oldest first."""

    class ByStatusAndAge(GlobalSecondaryIndex[Any]):
        status = UnicodeAttribute(hash_key=True)
        created_at = TimestampAttribute(range_key=True, attr_name="createdAt")

        class Meta:
            index_name = "status-createdAt-index"
            projection = AllProjection()

    return ByStatusAndAge()


def by_user_and_time() -> Any:
    """What was booked for somebody, by time."""

    class ByUserAndTime(GlobalSecondaryIndex[Any]):
        user_id = UnicodeAttribute(hash_key=True, attr_name="userId")
        at = TimestampAttribute(range_key=True)

        class Meta:
            index_name = "TimeIndex"
            projection = AllProjection()

    return ByUserAndTime()


def by_month_and_xp() -> Any:
    """The leaderboard of a month."""

    class ByMonthAndXp(GlobalSecondaryIndex[Any]):
        month = UnicodeAttribute(hash_key=True)
        experience = NumberAttribute(range_key=True)

        class Meta:
            index_name = "MonthIndex"
            projection = IncludeProjection(["questsCompleted"])

    return ByMonthAndXp()


def _columns(columns: tuple[str, ...], *keys: str) -> IncludeProjection:
    return IncludeProjection([name for name in (*ALWAYS, *columns) if name not in keys])
