"""The indexes of the quest board, named as the document names them. They hold the columns of lists."""

from typing import Any

from core.dynamo.indexes import ALWAYS, index


def by_status(*columns: str) -> Any:
    """The quests of one status, by age."""
    return index("StatusIndex", "status", "createdAt", columns=[*ALWAYS, *columns])


def by_status_and_reward(*columns: str) -> Any:
    """The quests of one status, by what they are worth."""
    listed = [*ALWAYS, *columns, "createdAt"]
    return index("RewardIndex", "status", "rewardXp", columns=listed, is_number=True)


def by_creator(*columns: str) -> Any:
    """The quests that somebody offers, by age."""
    return index("CreatorIndex", "creatorId", "createdAt", columns=[*ALWAYS, *columns])


def by_performer(*columns: str) -> Any:
    """The quests that somebody has taken on, by age."""
    return index("PerformerIndex", "performerId", "createdAt", columns=[*ALWAYS, *columns])


def by_creator_and_status(*columns: str) -> Any:
    """The quests that somebody offers, by what is to be done with them now."""
    return index("CreatorStatusIndex", "creatorId", "status", columns=[*ALWAYS, *columns, "createdAt"])


def by_performer_and_status(*columns: str) -> Any:
    """The quests that somebody has taken on, by what is to be done with them now."""
    return index("PerformerStatusIndex", "performerId", "status", columns=[*ALWAYS, *columns, "createdAt"])


def by_status_and_age() -> Any:
    """Rewards of one status, the oldest first."""
    return index("status-createdAt-index", "status", "createdAt")


def by_user_and_time() -> Any:
    """What was booked for somebody, by time."""
    return index("TimeIndex", "userId", "at")


def by_month_and_xp() -> Any:
    """The leaderboard of a month."""
    return index("MonthIndex", "month", "experience", columns=["questsCompleted"], is_number=True)
