"""Labels and badges for statuses and categories."""

from collections.abc import Mapping

from core.crud.listing import Badge
from core.dynamo.errors import Text
from quests import rules
from quests.models import CANCELLED, CLAIMED, COMPLETE, DISPUTED, EXPIRED, OPEN, SUBMITTED, Quest

BADGES: Mapping[str, str] = {
    OPEN: "active",
    CLAIMED: "scheduled",
    SUBMITTED: "changed",
    COMPLETE: "published",
    DISPUTED: "failed",
    EXPIRED: "archived",
    CANCELLED: "archived",
}


def badge_of(quest: Quest) -> Badge:
    status = quest.current_status
    return Badge(BADGES.get(status, "archived"), rules.STATUSES.get(status, status))


def category_of(quest: Quest) -> Text:
    return rules.CATEGORIES.get(quest.category, quest.category)
