"""Rewards: booked with the completion of a quest, or stored as failed and retried."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.utils.translation import gettext as _
from pynamodb.expressions.condition import Condition

from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo import transactions
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, DataError, NotFound, Unavailable
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.items import new_id
from core.dynamo.transactions import Transaction
from quests import flags, repository, rules
from quests.errors import AlreadyBooked, NoAccount, PairLimitReached, RewardChanged
from quests.models import ABANDONED, COMPLETE, PAID, PENDING, FailedReward, Quest
from quests.repository.failed_reward import LeaseLost
from quests.repository.ledger import Booking

MOST_AT_ONCE = 100
MOST_TRIES = 5
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=15), timedelta(hours=24)

T = TypeVar("T")
# Writes a booking together with fields of its quest.
WriteReward = Callable[[Booking, Mapping[str, Any]], T]


class ReprocessResult(NamedTuple):
    processed: int = 0
    succeeded: int = 0
    failed: int = 0
    abandoned: int = 0
    skipped: int = 0
    broken: int = 0


def complete(
    quest: Quest,
    fields: Mapping[str, Any],
    *,
    actor: Actor,
    verb: str,
    once: IdempotencyKey | None = None,
    moment: datetime | None = None,
) -> Quest:
    """Complete the quest and book its reward, in one transaction.

    If the performer has no account, the reward is stored as failed in the same transaction. A performer who
    earns no rewards (`quests.flags`) never gets one for this quest.
    """
    moment = moment or now()
    fields = {**fields, "status": COMPLETE, "completed_at": moment}
    update = partial(repository.quests.update, quest, actor=actor, verb=verb, once=once)
    if not flags.earns_rewards(quest.performer_id):
        return update(fields)
    reward = reward_booking(quest, moment)

    def write(reward: Booking, extra_fields: Mapping[str, Any]) -> Quest:
        transaction = Transaction()
        completed = update({**fields, **extra_fields}, transaction=transaction)
        _add_booking(transaction, reward, quest, actor)
        transaction.commit()
        return completed

    try:
        return _write_within_pair_limit(reward, quest, write)
    except AlreadyBooked:
        # Another program booked the reward without completing the quest.
        return update(fields)
    except NoAccount as error:
        transaction = Transaction()
        completed = update(fields, transaction=transaction)
        repository.failed_rewards.create(_failed(reward, error), actor=SYSTEM, transaction=transaction)
        transaction.commit()
        return completed


def _failed(reward: Booking, error: Exception) -> FailedReward:
    return FailedReward(
        id=reward.entry_id,
        user_id=reward.user_id,
        quest_id=reward.quest_id,
        xp=reward.experience,
        reputation=reward.reputation,
        quest_points=reward.points,
        error=str(error)[:1000],
        created_at=reward.earned_at,
    )


def _add_booking(transaction: Transaction, reward: Booking, quest: Quest, actor: Actor) -> None:
    """Book a reward and count it toward the monthly limit of the two people."""
    repository.ledger.book(transaction, reward, actor=actor)
    if reward.experience:
        most = settings.QUEST_MONTHLY_XP_BETWEEN_TWO
        transaction.add(repository.ledger.add_pair_xp(reward, quest.creator_id, most=most))


def _write_within_pair_limit(reward: Booking, quest: Quest, write: WriteReward[T]) -> T:
    """Write the reward, reduced if the two people would exceed their monthly limit.

    The quest stores the reduced XP in the same transaction.
    """
    try:
        return write(reward, {})
    except PairLimitReached:
        reduced = _reduced_to_pair_limit(reward, quest.creator_id)
    try:
        return write(reduced, {"booked_xp": reduced.experience})
    except PairLimitReached as error:
        # Another quest of the same two people was completed in between: the caller tries again.
        raise Conflict from error


def _reduced_to_pair_limit(reward: Booking, other_id: str) -> Booking:
    """The part of the reward that the two people can still earn with each other this month."""
    earned = repository.ledger.pair_xp(reward, other_id)
    left = max(0, min(reward.experience, settings.QUEST_MONTHLY_XP_BETWEEN_TWO - earned))
    return replace(reward, experience=left, reputation=reward.reputation * left // reward.experience)


def reward_booking(quest: Quest, earned_at: datetime) -> Booking:
    return _booking(
        quest.performer_id,
        f"REWARD#{quest.id}:performer",
        quest.id,
        points=rules.COMPLETION_POINTS,
        experience=int(quest.reward_xp),
        reputation=int(quest.reward_reputation),
        note=quest.title,
        earned_at=earned_at,
    )


def _booking(user_id: str, entry_id: str, quest_id: str, **fields: Any) -> Booking:
    # The names under which other programs may have marked this reward as paid.
    marks = (entry_id, f"{quest_id}:performer", quest_id)
    return Booking(user_id, entry_id, "reward", quest_id=quest_id, quests_completed=1, marks=marks, **fields)


# --- Failed rewards -----------------------------------------------------------------------------------------


def reprocess(*, moment: datetime | None = None, limit: int = MOST_AT_ONCE) -> ReprocessResult:
    """Retry the oldest failed rewards whose waiting time is over."""
    moment = moment or now()
    counts: Counter[str] = Counter()
    for record in repository.failed_rewards.all_with_status(PENDING):
        if record.is_leased(moment) or moment < _next_try_at(record):
            counts["skipped"] += 1
        elif counts["processed"] < limit:
            counts["processed"] += 1
            counts[_retry_leased(record)] += 1
    return ReprocessResult(**counts)


def retry_now(user: User, key: str, *, once: IdempotencyKey | None = None) -> str:
    """Retry a reward as a steward, without waiting for the next run.

    No lease is needed: nothing slow happens between read and write, and the transaction's condition is that
    no run holds one.
    """
    record = _get_for_steward(user, key, PENDING, _("This reward has already been settled."), once)
    entry = repository.failed_rewards.history_entry(
        record, verb="retry", actor=user.actor, at=now(), fields=["status"], before={}
    )
    side_items = [entry, once.operation()] if once else [entry]
    try:
        return Retry(record, repository.failed_rewards.is_free, user.actor, side_items).run()
    except LeaseLost:
        return "skipped"


def abandon(user: User, key: str, *, seen_version: int, once: IdempotencyKey | None = None) -> FailedReward:
    record = _get_for_steward(user, key, PENDING, _("This reward has already been settled."), once)
    fields = {"status": ABANDONED}
    return repository.failed_rewards.update(
        record, fields, actor=user.actor, verb="abandon", seen_version=seen_version, once=once
    )


def reopen(user: User, key: str, *, seen_version: int, once: IdempotencyKey | None = None) -> FailedReward:
    record = _get_for_steward(
        user, key, ABANDONED, _("Only a reward that was given up can be reopened."), once
    )
    fields = {"status": PENDING, "retry_count": 0, "last_retry_at": None}
    return repository.failed_rewards.update(
        record, fields, actor=user.actor, verb="reopen", seen_version=seen_version, once=once
    )


def _get_for_steward(
    user: User, key: str, status: str, objection: str, once: IdempotencyKey | None
) -> FailedReward:
    """The failed reward, if it has the status that the steward's action needs."""
    ensure(user, "quests.reward.update")
    record = repository.failed_rewards.get(key, strong=True)
    if record.status != status:
        refuse(RewardChanged(objection, current=record), once)
    return record


def _next_try_at(record: FailedReward) -> datetime:
    moment: datetime = record.created_at
    if record.last_retry_at is not None:
        moment = record.last_retry_at + min(FIRST_WAIT * 2 ** int(record.retry_count), LONGEST_WAIT)
    return moment


def _retry_leased(record: FailedReward) -> str:
    owner = new_id()
    try:
        repository.failed_rewards.lease(record, owner)
        return Retry(record, partial(repository.failed_rewards.held_by, owner)).run()
    except LeaseLost:
        return "skipped"
    except DataError as error:
        # Release the lease, so that the next try need not wait for its end.
        with suppress(DataError):
            repository.failed_rewards.release(record, owner)
        if isinstance(error, Unavailable):
            raise
        return "broken"


@dataclass(frozen=True)
class Retry:
    """One more try to book a failed reward."""

    record: FailedReward
    # The condition that no other process works on the record at the time of the write.
    lease_condition: Callable[[datetime], Condition]
    actor: Actor = SYSTEM
    # Operations of the same transaction: the history entry and the idempotency record.
    side_items: Sequence[transactions.Operation] = ()

    def run(self) -> str:
        """Book the reward, or count one more failure."""
        try:
            self.book()
        except AlreadyBooked:
            transactions.commit(self._settlement(PAID), *self.side_items)
        except NoAccount as error:
            return self._count_failure(error)
        return "succeeded"

    def book(self) -> None:
        record, quest = self.record, self._find_quest()

        def write(reward: Booking, extra_fields: Mapping[str, Any]) -> None:
            transaction = Transaction()
            # First, because the first refused operation decides the error: without the lease the others do
            # not matter.
            transaction.add(self._settlement(PAID), *self.side_items)
            if quest is None:
                repository.ledger.book(transaction, reward, actor=self.actor)
            else:
                repository.quests.update(
                    quest, extra_fields, actor=self.actor, verb="reward", transaction=transaction
                )
                _add_booking(transaction, reward, quest, self.actor)
            transaction.commit()

        reward = _booking(
            record.user_id,
            record.id,
            record.quest_id,
            points=int(record.quest_points),
            experience=int(record.xp),
            reputation=int(record.reputation),
            # The record was created when the quest was completed.
            earned_at=record.created_at,
        )
        if quest is None:
            write(reward, {})
        else:
            _write_within_pair_limit(reward, quest, write)

    def _find_quest(self) -> Quest | None:
        """The reward's quest; an imported reward may have none."""
        try:
            return repository.quests.get(self.record.quest_id, strong=True)
        except NotFound:
            return None

    def _count_failure(self, error: Exception) -> str:
        tries = int(self.record.retry_count) + 1
        status = ABANDONED if tries >= MOST_TRIES else PENDING
        figures = {"retry_count": tries, "last_retry_at": now(), "error": str(error)[:1000]}
        transactions.commit(self._settlement(status, **figures), *self.side_items)
        return "abandoned" if status == ABANDONED else "failed"

    def _settlement(self, status: str, **figures: Any) -> transactions.Operation:
        """Write the outcome and end the lease, on the condition that nobody else holds it."""
        moment = now()
        fields = {"status": status, "updated_at": moment, **figures}
        if status == PAID:
            fields["completed_at"] = moment
        actions = [
            *(getattr(FailedReward, name).set(value) for name, value in fields.items()),
            FailedReward.version.add(1),
            FailedReward.lease_owner.remove(),
            FailedReward.lease_expires_at.remove(),
        ]
        return repository.failed_rewards.leased_update(self.record, actions, self.lease_condition(moment))
