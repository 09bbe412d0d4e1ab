"""DynamoDB indexes of the quest board; each projects the columns that its lists show."""

from typing import Any

from core.dynamo.indexes import ALWAYS, index


def by_status(*columns: str) -> Any:
    """Quests of a status, by creation time."""
    return index("StatusIndex", "status", "createdAt", columns=[*ALWAYS, *columns])


def by_status_and_reward(*columns: str) -> Any:
    """Quests of a status, by XP."""
    listed = [*ALWAYS, *columns, "createdAt"]
    return index("RewardIndex", "status", "rewardXp", columns=listed, is_number=True)


def by_creator(*columns: str) -> Any:
    """Quests of a creator, by creation time."""
    return index("CreatorIndex", "creatorId", "createdAt", columns=[*ALWAYS, *columns])


def by_performer(*columns: str) -> Any:
    """Quests of a performer, by creation time."""
    return index("PerformerIndex", "performerId", "createdAt", columns=[*ALWAYS, *columns])


def by_creator_and_status(*columns: str) -> Any:
    """Quests of a creator, by status."""
    return index("CreatorStatusIndex", "creatorId", "status", columns=[*ALWAYS, *columns, "createdAt"])


def by_performer_and_status(*columns: str) -> Any:
    """Quests of a performer, by status."""
    return index("PerformerStatusIndex", "performerId", "status", columns=[*ALWAYS, *columns, "createdAt"])


def by_status_and_age() -> Any:
    """Failed rewards of a status, by creation time."""
    return index("status-createdAt-index", "status", "createdAt")


def by_user_and_time() -> Any:
    """Ledger rows of a user, by time."""
    return index("TimeIndex", "userId", "at")


def by_month_and_xp() -> Any:
    """Scores of a month, by XP: the leaderboard."""
    return index("MonthIndex", "month", "experience", columns=["questsCompleted"], is_number=True)
