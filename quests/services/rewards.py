"""Rewards: booked with the completion, or kept as failed until they can be."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
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
from core.dynamo.idempotency import Once
from core.dynamo.items import new_id
from core.dynamo.transactions import Transaction, exists
from quests import flags, repository, rules
from quests.errors import AlreadyBooked, NoAccount, TooMuchBetweenTwo
from quests.models import ABANDONED, COMPLETE, PAID, PENDING, FailedReward, Quest
from quests.repository.failed_reward import LeaseLost
from quests.repository.ledger import Booking

MOST_AT_ONCE = 100
MOST_TRIES = 5
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=15), timedelta(hours=24)

# What is written in the same transaction: who wanted it, and that it is done once.
Beside = Sequence[transactions.Operation]
# What must hold of the record at the moment of its write, so that nobody else is at it.
Hold = Callable[[datetime], Condition]
T = TypeVar("T")
# Writes a reward together with what its quest tells of it.
Write = Callable[[Booking, Mapping[str, Any]], T]


class Outcome(NamedTuple):
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
    once: Once | None = None,
    moment: datetime | None = None,
) -> Quest:
    """The quest is completed and its reward booked, both or neither.

    Without an account to book it on, the reward is kept as failed in the same transaction. For somebody who
    earns no rewards (see `quests.flags`) the quest is completed without one, now and for ever.
    """
    moment = moment or now()
    fields = {**fields, "status": COMPLETE, "completed_at": moment}
    if not flags.earns_rewards(quest.performer_id):
        return repository.quests.update(quest, fields, actor=actor, verb=verb, once=once)

    def write(reward: Booking, told: Mapping[str, Any]) -> Quest:
        transaction = Transaction()
        completed = repository.quests.update(
            quest, {**fields, **told}, actor=actor, verb=verb, transaction=transaction, once=once
        )
        _add_booking(transaction, reward, quest, actor)
        transaction.commit()
        return completed

    try:
        return _cut_to_what_is_left(reward_of(quest, moment), quest, write)
    except AlreadyBooked:
        # Another program paid it and did not complete it.
        return repository.quests.update(quest, fields, actor=actor, verb=verb, once=once)
    except NoAccount as error:
        return _complete_without_reward(quest, fields, error, actor=actor, verb=verb, once=once)


def _add_booking(transaction: Transaction, reward: Booking, quest: Quest, actor: Actor) -> None:
    """Book a reward, and count it among those that the same two people earn with each other."""
    repository.ledger.book(transaction, reward, actor=actor)
    if reward.experience:
        most = settings.QUEST_MONTHLY_XP_BETWEEN_TWO
        transaction.add(repository.ledger.between_two(reward, quest.creator_id, most=most))


def _cut_to_what_is_left(reward: Booking, quest: Quest, write: Write[T]) -> T:
    """Write the whole reward or, where that is too much between the two, what is left for them.

    What the quest then tells of it is written with it.
    """
    try:
        return write(reward, {})
    except TooMuchBetweenTwo:
        cut = _what_is_left(reward, quest.creator_id)
    try:
        return write(cut, {"booked_xp": cut.experience})
    except TooMuchBetweenTwo as error:
        # Another quest of the same two was completed in between: look again.
        raise Conflict from error


def _what_is_left(reward: Booking, other_id: str) -> Booking:
    """As much of the reward as the same two people can still earn with each other this month."""
    earned = repository.ledger.earned_between_two(reward, other_id)
    left = max(0, min(reward.experience, settings.QUEST_MONTHLY_XP_BETWEEN_TWO - earned))
    return replace(reward, experience=left, reputation=reward.reputation * left // reward.experience)


def reward_of(quest: Quest, earned_at: datetime) -> Booking:
    entry_id = f"REWARD#{quest.id}:performer"
    return Booking(
        quest.performer_id,
        entry_id,
        "reward",
        points=rules.POINTS_FOR_COMPLETING,
        experience=int(quest.reward_xp),
        reputation=int(quest.reward_reputation),
        quest_id=quest.id,
        note=quest.title,
        earned_at=earned_at,
        quests_completed=1,
        marks=_marks(entry_id, quest.id),
    )


def _marks(entry_id: str, quest_id: str) -> tuple[str, ...]:
    """The document marks a paid reward with the key of its record, which others may have named so."""
    return entry_id, f"{quest_id}:performer", quest_id


def reprocess(*, moment: datetime | None = None, limit: int = MOST_AT_ONCE) -> Outcome:
    """Try the oldest failed rewards again for which it is time; those that wait keep no other waiting."""
    moment = moment or now()
    counted: Counter[str] = Counter()
    for record in list(repository.failed_rewards.all_with_status(PENDING)):
        if record.is_leased(moment) or moment < _not_before(record):
            counted["skipped"] += 1
        elif counted["processed"] < limit:
            counted["processed"] += 1
            counted[_try_again(record)] += 1
    return Outcome(**counted)


def retry_now(user: User, key: str, *, once: Once | None = None) -> str:
    """A steward does not wait for the next run.

    Nothing takes time between the read and the write, so there is no lease: the transaction itself asks
    whether a run is at it.
    """
    record = _settled_by_hand(user, key, PENDING, _("This reward is settled already."), once)
    deed = repository.failed_rewards.history_entry(
        record, verb="retry", actor=user.actor, at=now(), fields=["status"], before={}
    )
    beside = [deed, once.operation()] if once else [deed]
    try:
        return _book_or_count(record, repository.failed_rewards.is_free, actor=user.actor, beside=beside)
    except LeaseLost:
        return "skipped"


def abandon(user: User, key: str, *, seen_version: int, once: Once | None = None) -> FailedReward:
    record = _settled_by_hand(user, key, PENDING, _("This reward is settled already."), once)
    return repository.failed_rewards.update(
        record,
        {"status": ABANDONED},
        actor=user.actor,
        verb="abandon",
        seen_version=seen_version,
        once=once,
    )


def reopen(user: User, key: str, *, seen_version: int, once: Once | None = None) -> FailedReward:
    record = _settled_by_hand(user, key, ABANDONED, _("Only an abandoned reward can be reopened."), once)
    fields = {"status": PENDING, "retry_count": 0, "last_retry_at": None}
    return repository.failed_rewards.update(
        record, fields, actor=user.actor, verb="reopen", seen_version=seen_version, once=once
    )


def _settled_by_hand(user: User, key: str, status: str, objection: str, once: Once | None) -> FailedReward:
    """The reward that a steward changes, as long as it has the status for that."""
    ensure(user, "quests.reward.update")
    record = repository.failed_rewards.get(key, strong=True)
    if record.status != status:
        if once is not None:
            once.check()
        raise Conflict(objection, current=record)
    return record


def _complete_without_reward(
    quest: Quest, fields: Mapping[str, Any], error: Exception, *, actor: Actor, verb: str, once: Once | None
) -> Quest:
    reward = reward_of(quest, fields["completed_at"])
    transaction = Transaction()
    completed = repository.quests.update(
        quest, fields, actor=actor, verb=verb, transaction=transaction, once=once
    )
    repository.failed_rewards.create(
        FailedReward(
            id=reward.entry_id,
            user_id=reward.user_id,
            quest_id=quest.id,
            xp=reward.experience,
            reputation=reward.reputation,
            quest_points=reward.points,
            error=str(error)[:1000],
            created_at=reward.earned_at,
        ),
        actor=SYSTEM,
        transaction=transaction,
    )
    transaction.commit()
    return completed


def _not_before(record: FailedReward) -> datetime:
    if record.last_retry_at is None:
        created: datetime = record.created_at
        return created
    wait = min(FIRST_WAIT * 2 ** int(record.retry_count), LONGEST_WAIT)
    later: datetime = record.last_retry_at + wait
    return later


def _try_again(record: FailedReward) -> str:
    owner = new_id()
    try:
        repository.failed_rewards.lease(record, owner)
        return _book_or_count(record, partial(repository.failed_rewards.held_by, owner))
    except LeaseLost:
        return "skipped"
    except DataError as error:
        # Whatever is wrong with this one, nobody has to wait for the end of its lease.
        with suppress(DataError):
            repository.failed_rewards.let_go(record, owner)
        if isinstance(error, Unavailable):
            raise
        return "broken"


def _book_or_count(record: FailedReward, hold: Hold, *, actor: Actor = SYSTEM, beside: Beside = ()) -> str:
    """Book the reward, or count that it failed once more."""
    try:
        _book(record, hold, actor=actor, beside=beside)
    except AlreadyBooked:
        _settle(record, hold, PAID, beside=beside)
    except NoAccount as error:
        return _count_failure(record, hold, error, beside)
    return "succeeded"


def _book(record: FailedReward, hold: Hold, *, actor: Actor = SYSTEM, beside: Beside = ()) -> None:
    quest = _quest_of(record)

    def write(reward: Booking, told: Mapping[str, Any]) -> None:
        transaction = Transaction()
        # First, because the first refusal is told: whoever may not write need not know what else was in
        # the way.
        transaction.add(_settlement(record, hold, PAID), *beside)
        if quest is None:
            repository.ledger.book(transaction, reward, actor=actor)
        else:
            repository.quests.update(quest, told, actor=actor, verb="reward", transaction=transaction)
            _add_booking(transaction, reward, quest, actor)
        transaction.commit()

    reward = Booking(
        record.user_id,
        record.id,
        "reward",
        points=int(record.quest_points),
        experience=int(record.xp),
        reputation=int(record.reputation),
        quest_id=record.quest_id,
        # It failed at the moment of the completion.
        earned_at=record.created_at,
        quests_completed=1,
        marks=_marks(record.id, record.quest_id),
    )
    if quest is None:
        write(reward, {})
    else:
        _cut_to_what_is_left(reward, quest, write)


def _quest_of(record: FailedReward) -> Quest | None:
    """Whose quest it was; rewards that were brought in from elsewhere may be of quests that were not."""
    try:
        return repository.quests.get(record.quest_id, strong=True)
    except NotFound:
        return None


def _settle(record: FailedReward, hold: Hold, status: str, *, beside: Beside, **figures: Any) -> None:
    transactions.commit(_settlement(record, hold, status, **figures), *beside)


def _count_failure(record: FailedReward, hold: Hold, error: Exception, beside: Beside) -> str:
    tries = int(record.retry_count) + 1
    status = ABANDONED if tries >= MOST_TRIES else PENDING
    figures = {"retry_count": tries, "last_retry_at": now(), "error": str(error)[:1000]}
    _settle(record, hold, status, beside=beside, **figures)
    return "abandoned" if status == ABANDONED else "failed"


def _settlement(record: FailedReward, hold: Hold, status: str, **figures: Any) -> transactions.Operation:
    """What came of it, written only if nobody else is at it; a lease ends with it."""
    moment = now()
    fields = {"status": status, "updated_at": moment, **figures}
    if status == PAID:
        fields["completed_at"] = moment
    return transactions.update(
        FailedReward,
        record.raw_key(),
        [
            *(getattr(FailedReward, name).set(value) for name, value in fields.items()),
            FailedReward.version.add(1),
            FailedReward.lease_owner.remove(),
            FailedReward.lease_expires_at.remove(),
        ],
        condition=exists(FailedReward) & hold(moment),
        refused=lambda _stored: LeaseLost(),
    )
