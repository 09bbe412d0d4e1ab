"""Repository of quests."""

from collections.abc import Iterator, Sequence
from typing import Any, Unpack

from pynamodb.expressions.condition import Condition

from core.dynamo import adoption, changeset
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.repository import Repository
from core.dynamo.transactions import Operation
from quests.models import COMPLETE, Quest
from quests.repository.ledger import Booking, ledger

# Other programs that write quests change these attributes without increasing the version.
CONDITION_FIELDS = ("status", "performerId", "hasRequestorAttestation", "hasPerformerAttestation")


class QuestOptions(PageOptions, total=False):
    """Of an access pattern: also the attributes to read, of those that its index projects."""

    fields: Sequence[str]


class QuestRepository(Repository[Quest]):
    model = Quest
    entity = "quest"
    scope = "quests"
    label = "title"
    searched = ("title", "description")
    adopts = True

    def adopted_with(self, item: Quest) -> Iterator[Operation]:
        """Its people have offered and completed one more; its points are in the balances of the accounts."""
        if adoption.is_adopted(item.stored):
            return
        about: dict[str, Any] = {"quest_id": item.id, "note": item.title}
        yield from ledger.counted(
            Booking(item.creator_id, f"CREATE#{item.id}", "create", quests_created=1, **about)
        )
        if item.status == COMPLETE and item.performer_id not in (None, item.creator_id):
            about |= {"quests_completed": 1, "earned_at": item.completed_at}
            yield from ledger.counted(
                Booking(item.performer_id, f"REWARD#{item.id}:performer", "reward", **about)
            )

    def unchanged_condition(self, item: Quest) -> Condition:
        """The version and the attributes that other programs change without increasing it."""
        unchanged: Condition = super().unchanged_condition(item) & changeset.attributes_unchanged(
            item, *CONDITION_FIELDS
        )
        return unchanged

    def with_status(self, status: str, **options: Unpack[QuestOptions]) -> Page[Quest]:
        """By creation time."""
        return self.page(status, index="StatusIndex", **options)

    def by_reward(self, status: str, **options: Unpack[QuestOptions]) -> Page[Quest]:
        return self.page(status, index="RewardIndex", **options)

    def created_by(self, user_id: str, **options: Unpack[QuestOptions]) -> Page[Quest]:
        return self.page(user_id, index="CreatorIndex", **options)

    def performed_by(self, user_id: str, **options: Unpack[QuestOptions]) -> Page[Quest]:
        return self.page(user_id, index="PerformerIndex", **options)

    def created_with_status(self, user_id: str, status: str, **options: Unpack[QuestOptions]) -> Page[Quest]:
        """In no particular order."""
        return self.page(user_id, index="CreatorStatusIndex", at_least=status, at_most=status, **options)

    def performed_with_status(
        self, user_id: str, status: str, **options: Unpack[QuestOptions]
    ) -> Page[Quest]:
        """In no particular order."""
        return self.page(user_id, index="PerformerStatusIndex", at_least=status, at_most=status, **options)

    def performed_between(
        self, user_id: str, first: str, last: str, **options: Unpack[QuestOptions]
    ) -> Page[Quest]:
        """Quests with a status from `first` to `last` in alphabetical order, sorted by status."""
        return self.page(user_id, index="PerformerStatusIndex", at_least=first, at_most=last, **options)


quests = QuestRepository()
