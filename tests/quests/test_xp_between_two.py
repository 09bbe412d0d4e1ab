"""Two people cannot make up XP for each other: with the same person there is a most for each month."""

from datetime import timedelta

import pytest
from django.test import Client

from config import settings as default_settings
from core.dynamo import metering, transactions
from core.dynamo.attributes import now
from quests import repository
from quests.models import COMPLETE, PENDING, Account, FailedReward, Quest
from quests.months import month_of
from quests.services import accounts, lifecycle, rewards
from quests.services.audit import audited
from tests.cast import sign_in
from tests.quests.board import (
    BYSTANDER,
    CREATOR,
    PERFORMER,
    STEWARD,
    TEXT,
    completed,
    figures,
    ledger_agrees,
    offered,
    open_accounts,
    stored,
    submitted,
)
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def test_the_default_is_a_thousand_a_month():
    assert default_settings.QUEST_MONTHLY_XP_BETWEEN_TWO == 1000


def test_six_quests_of_500_earn_a_thousand_and_the_page_says_why():
    quests = [completed(reward_xp=500, reward_reputation=10) for _number in range(6)]

    # Each quest is still worth its two points.
    assert figures(PERFORMER) == (10 + 6 * 2, 1000, 20)
    assert {stored(quest).status for quest in quests} == {COMPLETE}
    assert [stored(quest).booked_xp for quest in quests] == [None, None, 0, 0, 0, 0]
    assert ledger_agrees(PERFORMER)
    assert audited(PERFORMER.sub).differences == []
    page = sign_in(Client(), "other-member").get(f"/quests/{quests[-1].id}/").content.decode()
    assert "0 XP were booked. The same two people can earn at most 1000 XP a month with each other." in page


def test_of_the_last_quest_below_the_most_as_much_is_booked_as_is_left():
    completed(reward_xp=800, reward_reputation=10)
    quest = completed(reward_xp=400, reward_reputation=10)

    assert figures(PERFORMER) == (14, 1000, 15)
    assert stored(quest).booked_xp == 200
    (score,) = repository.ledger.leaders(month_of(now()), limit=10)
    assert int(score.experience) == 1000


def test_other_people_and_the_next_month_are_not_affected():
    completed(reward_xp=1000)
    theirs = lifecycle.claim(PERFORMER, offered(BYSTANDER, reward_xp=300).id)
    lifecycle.submit(PERFORMER, theirs.id, text=TEXT, photos=[])
    lifecycle.attest(PERFORMER, theirs.id)
    lifecycle.attest(BYSTANDER, theirs.id)
    assert figures(PERFORMER)[1] == 1300

    quest = submitted(reward_xp=300)
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id, moment=now() + timedelta(days=32))
    assert figures(PERFORMER)[1] == 1600


def completed_the_other_way_round(reward_xp):
    """The performer of the other quests offers one, and their creator does it."""
    quest = lifecycle.claim(CREATOR, offered(PERFORMER, reward_xp=reward_xp, reward_reputation=10).id)
    lifecycle.submit(CREATOR, quest.id, text=TEXT, photos=[])
    lifecycle.attest(PERFORMER, quest.id)
    return lifecycle.attest(CREATOR, quest.id)


@pytest.mark.parametrize("first", [completed, completed_the_other_way_round])
def test_what_the_other_one_earned_counts_as_well(first):
    second = {completed: completed_the_other_way_round, completed_the_other_way_round: completed}[first]
    first(reward_xp=800)
    quest = second(reward_xp=300)

    assert figures(PERFORMER)[1] + figures(CREATOR)[1] == 1000
    assert stored(quest).booked_xp == 200
    assert stored(second(reward_xp=300)).booked_xp == 0
    assert stored(first(reward_xp=300)).booked_xp == 0
    for person in (PERFORMER, CREATOR):
        assert ledger_agrees(person)
        assert audited(person.sub).differences == []


def test_one_quest_above_the_most_is_cut_too(settings):
    settings.QUEST_MONTHLY_XP_BETWEEN_TWO = 50
    completed(reward_xp=100, reward_reputation=10)

    assert figures(PERFORMER) == (12, 50, 5)


def test_the_most_costs_a_request_only_where_it_is_reached():
    counts = []
    for xp in (1000, 10):
        quest = submitted(reward_xp=xp)
        lifecycle.attest(CREATOR, quest.id)
        with metering.metered() as cost:
            lifecycle.attest(PERFORMER, quest.id)
        counts.append(cost.operations)

    assert counts == [
        ["GetItem", "TransactWriteItems"],
        ["GetItem", "TransactWriteItems", "GetItem", "TransactWriteItems"],
    ]


def test_quests_that_are_completed_at_once_keep_to_the_most():
    quests = [submitted(reward_xp=300) for _number in range(5)]
    for quest in quests:
        lifecycle.attest(CREATOR, quest.id)
    at_once(lambda number: lifecycle.attest(PERFORMER, quests[number].id), threads=5)
    for quest in quests:
        if stored(quest).status != COMPLETE:
            lifecycle.attest(PERFORMER, quest.id)

    assert figures(PERFORMER)[1] == 1000
    assert ledger_agrees(PERFORMER)


# --- Rewards that are paid later ----------------------------------------------------------------------------


@pytest.fixture
def failed():
    """A quest of 400 XP that was completed while its performer had no account."""
    quest = submitted(reward_xp=400, reward_reputation=10)
    lifecycle.attest(CREATOR, quest.id)
    transactions.send(transactions.delete(Account, {"userId": {"S": PERFORMER.sub}}))
    lifecycle.attest(PERFORMER, quest.id)
    accounts.open_account(PERFORMER)
    return quest


def book_by_the_worker(_quest):
    assert rewards.reprocess().succeeded == 1


def book_at_the_desk(quest):
    assert rewards.retry_now(STEWARD, f"REWARD#{quest.id}:performer") == "succeeded"


@pytest.mark.parametrize("book", [book_by_the_worker, book_at_the_desk])
def test_a_failed_reward_is_cut_to_what_is_left_when_it_is_booked(failed, book):
    completed(reward_xp=800, reward_reputation=10)
    book(failed)

    assert figures(PERFORMER) == (14, 1000, 15)
    assert stored(failed).booked_xp == 200
    assert ledger_agrees(PERFORMER)
    assert audited(PERFORMER.sub).differences == []


@pytest.mark.parametrize("book", [book_by_the_worker, book_at_the_desk])
def test_a_failed_reward_that_is_booked_counts_for_the_next_quest(failed, book):
    book(failed)
    completed(reward_xp=800)

    assert figures(PERFORMER)[1] == 1000
    assert stored(failed).booked_xp is None


def test_a_failed_reward_counts_for_the_month_in_which_it_was_earned(failed):
    (record,) = repository.failed_rewards.with_status(PENDING).items
    earlier = FailedReward.created_at.set(record.created_at - timedelta(days=32))
    transactions.send(transactions.update(FailedReward, record.raw_key(), [earlier]))
    completed(reward_xp=800)
    book_by_the_worker(failed)

    assert figures(PERFORMER)[1] == 1200


def test_a_failed_reward_of_a_quest_that_is_not_known_here_is_booked_whole(failed):
    completed(reward_xp=800)
    transactions.send(transactions.delete(Quest, {"questId": {"S": failed.id}}))
    book_by_the_worker(failed)

    assert figures(PERFORMER)[1] == 1200


def test_a_reward_that_is_overtaken_while_it_is_cut_is_booked_by_the_next_run(failed, monkeypatch):
    completed(reward_xp=500)
    what_is_left = rewards._reduced_to_pair_limit
    other = submitted(reward_xp=300)
    lifecycle.attest(CREATOR, other.id)

    def overtaken(*arguments):
        monkeypatch.undo()
        left = what_is_left(*arguments)
        lifecycle.attest(PERFORMER, other.id)
        return left

    completed(reward_xp=150)
    monkeypatch.setattr(rewards, "_reduced_to_pair_limit", overtaken)

    assert rewards.reprocess().broken == 1
    assert figures(PERFORMER)[1] == 950
    assert rewards.reprocess().succeeded == 1
    assert figures(PERFORMER)[1] == 1000
