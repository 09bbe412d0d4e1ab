"""Repository of failed rewards, with the lease that lets one process at a time retry each."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Unpack

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from core.dynamo import transactions
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, every
from core.dynamo.repository import Repository
from quests.models import PENDING, FailedReward

LEASE = timedelta(seconds=300)
PAGE_SIZE = 100


class LeaseLost(Conflict):
    """Another process holds the lease or has finished the record."""


class FailedRewardRepository(Repository[FailedReward]):
    model = FailedReward
    entity = "failed-reward"
    scope = "quests"
    label = "id"
    natural_key = True

    def with_status(self, status: str, **options: Unpack[PageOptions]) -> Page[FailedReward]:
        """The oldest first."""
        return self.page(status, index="status-createdAt-index", **options)

    def all_with_status(self, status: str) -> list[FailedReward]:
        """All of them, the oldest first."""
        return every(partial(self.with_status, status), per_request=PAGE_SIZE)

    def lease(self, record: FailedReward, owner: str) -> None:
        """Take the lease, if it is free or has expired."""
        moment = now()
        leased = [FailedReward.lease_owner.set(owner), FailedReward.lease_expires_at.set(moment + LEASE)]
        transactions.send(self.leased_update(record, leased, self.is_free(moment)))

    def release(self, record: FailedReward, owner: str) -> None:
        """Give the lease back before it expires."""
        free = [FailedReward.lease_owner.remove(), FailedReward.lease_expires_at.remove()]
        transactions.send(self.leased_update(record, free, self.held_by(owner, now())))

    def leased_update(
        self, record: FailedReward, actions: Iterable[Action], condition: Condition
    ) -> transactions.Operation:
        """A write that a condition on the lease allows; otherwise it raises LeaseLost."""
        return transactions.update(
            FailedReward,
            record.raw_key(),
            actions,
            condition=transactions.exists(FailedReward) & condition,
            refused=lambda _stored: LeaseLost(),
        )

    def is_free(self, moment: datetime) -> Condition:
        """The condition that the record is pending and has no running lease."""
        free: Condition = (FailedReward.status == PENDING) & (
            FailedReward.lease_owner.does_not_exist()
            | FailedReward.lease_expires_at.does_not_exist()
            | (FailedReward.lease_expires_at <= moment)
            # As other programs may store it.
            | (Path([FailedReward.lease_expires_at.attr_name]) <= {"N": str(int(moment.timestamp()))})
        )
        return free

    def held_by(self, owner: str, moment: datetime) -> Condition:
        """The condition that the owner's lease still runs: a fencing token.

        `owner` is new for every try, so a process that was suspended past the end of its lease is refused
        even if the clocks disagree.
        """
        held: Condition = (
            (FailedReward.status == PENDING)
            & (FailedReward.lease_owner == owner)
            & (FailedReward.lease_expires_at > moment)
        )
        return held


failed_rewards = FailedRewardRepository()
