"""Rewards that could not be booked."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Unpack

from pynamodb.expressions.condition import Condition

from core.dynamo import transactions
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict
from core.dynamo.paging import Page, StartKey
from core.dynamo.queries import PageOptions
from core.dynamo.repository import Repository
from core.dynamo.transactions import exists
from quests.models import PENDING, FailedReward

LEASE = timedelta(seconds=300)
MOST_IN_A_PAGE = 100


class LeaseLost(Conflict):
    """Somebody else works on it, or has finished it."""


class FailedRewardRepository(Repository[FailedReward]):
    model = FailedReward
    entity = "failed-reward"
    scope = "quests"
    label = "id"
    natural_key = True

    def with_status(self, status: str, **options: Unpack[PageOptions]) -> Page[FailedReward]:
        """The oldest first."""
        return self.page(status, index="status-createdAt-index", **options)

    def all_with_status(self, status: str) -> Iterator[FailedReward]:
        """Page by page."""
        start: StartKey | None = None
        while True:
            page = self.with_status(status, limit=MOST_IN_A_PAGE, start=start)
            yield from page.items
            start = page.next_key
            if start is None:
                return

    def lease(self, record: FailedReward, owner: str) -> None:
        """Keep others from it; a lease that has ended is free."""
        moment = now()
        transactions.send(
            transactions.update(
                FailedReward,
                record.raw_key(),
                [
                    FailedReward.lease_owner.set(owner),
                    FailedReward.lease_expires_at.set(moment + LEASE),
                ],
                condition=exists(FailedReward) & self.is_free(moment),
                refused=lambda _stored: LeaseLost(),
            )
        )

    def let_go(self, record: FailedReward, owner: str) -> None:
        """Whoever holds it need not wait for the end of the lease."""
        transactions.send(
            transactions.update(
                FailedReward,
                record.raw_key(),
                [FailedReward.lease_owner.remove(), FailedReward.lease_expires_at.remove()],
                condition=exists(FailedReward) & self.held_by(owner, now()),
                refused=lambda _stored: LeaseLost(),
            )
        )

    def is_free(self, moment: datetime) -> Condition:
        """It waits, and nobody is at it."""
        free: Condition = (FailedReward.status == PENDING) & (
            FailedReward.lease_owner.does_not_exist()
            | FailedReward.lease_expires_at.does_not_exist()
            | (FailedReward.lease_expires_at <= moment)
        )
        return free

    def held_by(self, owner: str, moment: datetime) -> Condition:
        """Fencing: whoever slept through the end of a lease changes nothing any more.

        `owner` is new for every try, so that it is the epoch of the lease too: who was followed by somebody
        else is refused, whatever the clocks say.
        """
        held: Condition = (
            (FailedReward.status == PENDING)
            & (FailedReward.lease_owner == owner)
            & (FailedReward.lease_expires_at > moment)
        )
        return held


failed_rewards = FailedRewardRepository()
