"""Quests."""

from typing import Unpack

from dynamo.paging import Page
from dynamo.queries import PageOptions
from dynamo.repository import Repository
from quests.models import Quest


class QuestRepository(Repository[Quest]):
    model = Quest
    entity = "quest"
    scope = "quests"
    label = "title"
    searched = ("title", "description")

    def with_status(self, status: str, **options: Unpack[PageOptions]) -> Page[Quest]:
        """By age."""
        return self.page(status, index="StatusIndex", **options)

    def by_reward(self, status: str, **options: Unpack[PageOptions]) -> Page[Quest]:
        return self.page(status, index="RewardIndex", **options)

    def created_by(self, user_id: str, **options: Unpack[PageOptions]) -> Page[Quest]:
        return self.page(user_id, index="CreatorIndex", **options)

    def performed_by(self, user_id: str, **options: Unpack[PageOptions]) -> Page[Quest]:
        return self.page(user_id, index="PerformerIndex", **options)


quests = QuestRepository()
