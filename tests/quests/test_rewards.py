"""Rewards that cannot be booked stay visible, are tried again and are booked exactly once."""

from datetime import timedelta
from functools import partial
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, Invalid, Replayed, Unavailable
from core.dynamo.idempotency import IdempotencyKey
from quests import repository
from quests.errors import NoAccount
from quests.models import ABANDONED, COMPLETE, OPEN, PAID, PENDING
from quests.repository import failed_reward
from quests.repository.failed_reward import LEASE, LeaseLost
from quests.services import accounts, lifecycle, rewards
from tests.quests.accounts import remove_account
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    STEWARD,
    completed,
    figures,
    ledger_agrees,
    offered,
    open_accounts,
    stored,
    submitted,
)

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def failed():
    """A quest that was completed while its performer had no account."""
    open_accounts()
    quest = submitted()
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    assert lifecycle.attest(PERFORMER, quest.id).status == COMPLETE
    (record,) = repository.failed_rewards.with_status(PENDING).items
    return record


def record_now(record):
    return repository.failed_rewards.get(record.id, strong=True)


def test_a_reward_for_somebody_without_an_account_is_kept_with_the_completion(failed):
    assert (failed.user_id, int(failed.xp), int(failed.reputation), int(failed.quest_points)) == (
        PERFORMER.sub,
        100,
        10,
        2,
    )
    assert failed.error == "This person has no account on the quest board."


def test_it_stays_failed_as_long_as_there_is_no_account(failed):
    assert rewards.reprocess() == (1, 0, 1, 0, 0, 0)

    record = record_now(failed)
    assert (record.status, int(record.retry_count), record.lease_owner) == (PENDING, 1, None)


def test_it_is_booked_once_when_there_is_an_account_again(failed):
    accounts.open_account(PERFORMER)
    assert rewards.reprocess() == (1, 1, 0, 0, 0, 0)
    assert rewards.reprocess() == (0, 0, 0, 0, 0, 0)

    assert figures(PERFORMER) == (12, 100, 10)
    assert ledger_agrees(PERFORMER)
    assert record_now(failed).status == PAID


def test_what_was_booked_already_is_only_settled(failed):
    accounts.open_account(PERFORMER)
    rewards.Retry(
        failed_with_lease(failed, "first"), partial(repository.failed_rewards.held_by, "first")
    ).book()
    repository.failed_rewards.update(
        record_now(failed), {"status": PENDING}, actor=STEWARD.actor, verb="reopen"
    )

    assert rewards.reprocess() == (1, 1, 0, 0, 0, 0)
    assert figures(PERFORMER) == (12, 100, 10)


def failed_with_lease(record, owner):
    repository.failed_rewards.lease(record, owner)
    return record


def test_it_waits_longer_after_each_try_and_is_given_up_after_five(failed):
    moment = now()
    waits = []
    for _try in range(5):
        assert rewards.reprocess(moment=moment).processed == 1
        record = record_now(failed)
        if record.status == PENDING:
            due = rewards._next_try_at(record)
            waits.append(round((due - record.last_retry_at) / timedelta(minutes=1)))
            assert rewards.reprocess(moment=due - timedelta(seconds=1)).skipped == 1
            moment = due

    assert waits == [30, 60, 120, 240]
    assert (record_now(failed).status, int(record_now(failed).retry_count)) == (ABANDONED, 5)


def test_nobody_takes_what_somebody_else_holds(failed):
    failed_with_lease(failed, "first")

    assert rewards.reprocess().skipped == 1
    with pytest.raises(LeaseLost):
        repository.failed_rewards.lease(failed, "second")


def test_who_slept_through_the_lease_writes_nothing(failed, monkeypatch):
    accounts.open_account(PERFORMER)
    failed_with_lease(failed, "sleeper")
    monkeypatch.setattr(rewards, "now", lambda: now() + LEASE)

    with pytest.raises(LeaseLost):
        rewards.Retry(failed, partial(repository.failed_rewards.held_by, "sleeper")).book()

    assert figures(PERFORMER) == (10, 0, 0)
    assert record_now(failed).status == PENDING


def test_who_slept_writes_nothing_while_somebody_else_holds_it(failed, monkeypatch):
    accounts.open_account(PERFORMER)
    monkeypatch.setattr("quests.repository.failed_reward.now", lambda: now() - LEASE)
    failed_with_lease(failed, "sleeper")
    monkeypatch.undo()
    failed_with_lease(failed, "second")

    with pytest.raises(LeaseLost):
        rewards.Retry(failed, partial(repository.failed_rewards.held_by, "sleeper")).book()
    with pytest.raises(LeaseLost):
        repository.failed_rewards.release(failed, "sleeper")

    assert figures(PERFORMER) == (10, 0, 0)
    assert record_now(failed).lease_owner == "second"


def test_what_was_given_up_meanwhile_is_neither_leased_nor_booked(failed):
    accounts.open_account(PERFORMER)
    rewards.abandon(STEWARD, failed.id, seen_version=int(failed.version))

    with pytest.raises(LeaseLost):
        repository.failed_rewards.lease(failed, "a-run")
    with pytest.raises(LeaseLost):
        rewards.Retry(failed, repository.failed_rewards.is_free).run()

    assert figures(PERFORMER) == (10, 0, 0)
    assert record_now(failed).status == ABANDONED


def test_a_completion_without_a_reward_is_carried_out_once_too():
    open_accounts()
    quest = submitted()
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    once = IdempotencyKey(sub=PERFORMER.sub, route="attest", key="k1", payload={})
    lifecycle.attest(PERFORMER, quest.id, once=once)

    with pytest.raises(Replayed):
        lifecycle.attest(PERFORMER, quest.id, once=once)


def test_who_gives_up_a_reward_has_seen_its_latest_try(failed):
    rewards.retry_now(STEWARD, failed.id)

    with pytest.raises(Conflict):
        rewards.abandon(STEWARD, failed.id, seen_version=int(failed.version))

    assert record_now(failed).status == PENDING


def test_an_offer_whose_point_cannot_come_back_is_not_deleted():
    open_accounts()
    quest = offered()
    remove_account(CREATOR)

    with pytest.raises(NoAccount):
        lifecycle.delete(CREATOR, quest.id)

    assert stored(quest).status == OPEN


def test_a_steward_tries_at_once_gives_up_and_reopens(failed):
    assert rewards.retry_now(STEWARD, failed.id) == "failed"
    record = record_now(failed)
    given_up = rewards.abandon(STEWARD, failed.id, seen_version=int(record.version))
    assert given_up.status == ABANDONED

    reopened = rewards.reopen(STEWARD, failed.id, seen_version=int(given_up.version))

    assert (reopened.status, int(reopened.retry_count)) == (PENDING, 0)
    accounts.open_account(PERFORMER)
    assert rewards.retry_now(STEWARD, failed.id) == "succeeded"


@pytest.fixture
def two_failed(failed):
    """Another one, newer than the first; the performer has an account again."""
    quest = submitted(title="Zweites Netz flicken")
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)
    accounts.open_account(PERFORMER)
    return repository.failed_rewards.with_status(PENDING).items


def test_a_reward_that_a_steward_gives_up_during_a_run_does_not_end_it(two_failed, monkeypatch):
    lease, first = repository.failed_rewards.lease, two_failed[0]

    def overtaken(record, owner):
        lease(record, owner)
        if record.id == first.id:
            rewards.abandon(STEWARD, record.id, seen_version=int(record.version))

    monkeypatch.setattr(repository.failed_rewards, "lease", overtaken)
    assert rewards.reprocess() == (2, 1, 0, 0, 1, 0)
    assert [record_now(record).status for record in two_failed] == [ABANDONED, PAID]


def test_what_cannot_be_written_is_let_go_and_does_not_end_the_run(two_failed, monkeypatch):
    book, first = rewards.Retry.book, two_failed[0]

    def breaks(retry):
        if retry.record.id == first.id:
            raise Invalid
        book(retry)

    monkeypatch.setattr(rewards.Retry, "book", breaks)
    with pytest.raises(CommandError, match="1 of them could not be written"):
        call_command("reprocess_rewards", stdout=StringIO())

    assert [record_now(record).status for record in two_failed] == [PENDING, PAID]
    assert record_now(first).lease_owner is None


def test_a_run_that_the_store_ends_lets_go_of_what_it_held(failed, monkeypatch):
    accounts.open_account(PERFORMER)
    book = rewards.Retry.book

    def breaks(*_arguments, **_options):
        raise Unavailable

    monkeypatch.setattr(rewards.Retry, "book", breaks)
    with pytest.raises(Unavailable):
        rewards.reprocess()
    monkeypatch.setattr(rewards.Retry, "book", book)

    assert rewards.reprocess() == (1, 1, 0, 0, 0, 0)


def test_rewards_that_still_wait_keep_no_newer_one_waiting(failed):
    assert rewards.reprocess() == (1, 0, 1, 0, 0, 0)
    quest = submitted(title="Zweites Netz flicken")
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)
    accounts.open_account(PERFORMER)

    assert rewards.reprocess(limit=1) == (1, 1, 0, 0, 1, 0)
    assert record_now(failed).status == PENDING


def test_the_command_tells_what_came_of_it(failed):
    out = StringIO()
    call_command("reprocess_rewards", stdout=out)

    assert out.getvalue() == (
        "1 tried: 0 booked, 1 failed again, 0 given up. 0 are not due or in other hands.\n"
    )


def test_an_account_that_was_removed_comes_back_with_what_was_booked():
    open_accounts()
    completed()
    remove_account(PERFORMER)

    accounts.open_account(PERFORMER)

    assert figures(PERFORMER) == (12, 100, 10)
    assert ledger_agrees(PERFORMER)


def a_second_failure():
    """While the account of the performer is still missing."""
    quest = offered()
    accounts.open_account(PERFORMER)
    lifecycle.claim(PERFORMER, quest.id)
    lifecycle.submit(PERFORMER, quest.id, text="Garn und Nadel, zwei Stunden.", photos=[])
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)


def test_a_dry_run_lists_them_and_books_nothing(failed):
    accounts.open_account(PERFORMER)
    told = StringIO()
    call_command("reprocess_rewards", "--dry-run", stdout=told)

    line = f"{failed.created_at:%Y-%m-%d %H:%M} 100 XP: This person has no account on the quest board.\n"
    assert told.getvalue() == line
    assert figures(PERFORMER) == (10, 0, 0)


def test_a_dry_run_without_failed_rewards_says_nothing():
    told = StringIO()
    call_command("reprocess_rewards", "--dry-run", stdout=told)

    assert told.getvalue() == ""


def test_a_run_tries_no_more_than_its_limit_and_the_next_one_the_rest(failed):
    a_second_failure()
    accounts.open_account(PERFORMER)

    assert rewards.reprocess(limit=1) == (1, 1, 0, 0, 0, 0)
    assert rewards.reprocess(limit=1) == (1, 1, 0, 0, 0, 0)
    assert figures(PERFORMER) == (14, 200, 20)


def test_a_run_sees_more_than_a_page_of_them(failed, monkeypatch):
    monkeypatch.setattr(failed_reward, "PAGE_SIZE", 1)
    a_second_failure()
    accounts.open_account(PERFORMER)

    assert rewards.reprocess().succeeded == 2


@pytest.mark.parametrize("verb", ["abandon", "reopen"])
def test_a_paid_reward_is_neither_given_up_nor_reopened(failed, verb):
    accounts.open_account(PERFORMER)
    rewards.reprocess()
    settled = record_now(failed)
    with pytest.raises(Conflict):
        getattr(rewards, verb)(STEWARD, failed.id, seen_version=settled.seen_version)

    assert record_now(failed).status == PAID
