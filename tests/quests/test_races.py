"""Many people at once: one winner, one confirmation, one reward."""

from collections import Counter

import pytest

from core.accounts.user import User
from core.dynamo.errors import Conflict
from quests import repository
from quests.errors import StatusChanged
from quests.models import COMPLETE, OPEN, Quest
from quests.services import accounts, lifecycle, rewards
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    figures,
    ledger_agrees,
    offered,
    open_accounts,
    stored,
    submitted,
)
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")
CROWD = [
    User.of(sub=f"crowd-{number}", name=f"Person {number}", email=f"p{number}@fieldhouse.example", groups=[])
    for number in range(40)
]


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts(CREATOR, PERFORMER)


def test_of_40_people_who_claim_one_wins_and_39_are_told_so():
    quest = offered()
    results = at_once(lambda number: lifecycle.claim(CROWD[number], quest.id), len(CROWD))

    winners = [result for result in results if isinstance(result, Quest)]
    assert len(winners) == 1
    assert stored(quest).performer_id == winners[0].performer_id
    told = Counter(str(result) for result in results if not isinstance(result, Quest))
    assert told == {"Someone has claimed this quest.": 39}


def test_40_double_clicks_on_confirm_are_one_confirmation():
    quest = submitted()
    results = at_once(lambda _number: lifecycle.attest(CREATOR, quest.id), len(CROWD))

    assert sum(isinstance(result, Quest) for result in results) == 1
    assert {str(result) for result in results if isinstance(result, StatusChanged)} == {
        "You have already confirmed this quest."
    }
    assert len(stored(quest).attestations) == 1


@pytest.mark.parametrize("attempt", range(3))
def test_both_sides_confirm_at_the_same_instant_and_the_reward_is_paid_once(attempt):
    quest = submitted()
    at_once(lambda number: lifecycle.attest((CREATOR, PERFORMER)[number % 2], quest.id), threads=8)

    assert (stored(quest).status, len(stored(quest).attestations)) == (COMPLETE, 2)
    assert figures(PERFORMER) == (12, 100, 10)
    assert ledger_agrees(PERFORMER)


def test_two_who_edit_the_same_offer_do_not_overwrite_each_other():
    quest = offered()
    repository.quests.update(quest, {"title": "Netz in Halle 1 flicken"}, actor=CREATOR.actor)

    with pytest.raises(Conflict):
        repository.quests.update(quest, {"description": "Das rechte Netz."}, actor=CREATOR.actor)

    assert stored(quest).description == quest.description


def test_40_first_sign_ins_open_one_account_with_ten_points():
    newcomer = CROWD[0]
    at_once(lambda _number: accounts.open_account(newcomer), len(CROWD))

    assert figures(newcomer) == (10, 0, 0)
    assert ledger_agrees(newcomer)


def test_the_last_points_are_spent_once():
    for _number in range(7):
        offered()
    results = at_once(lambda _number: offered(), threads=20)

    assert sum(isinstance(result, Quest) for result in results) == 3
    assert figures(CREATOR) == (0, 0, 0)
    assert ledger_agrees(CREATOR)


def test_rewards_of_one_person_at_once_are_all_booked():
    quests = [submitted() for _number in range(6)]
    for quest in quests:
        lifecycle.attest(PERFORMER, quest.id)
    at_once(lambda number: lifecycle.attest(CREATOR, quests[number].id), threads=6)

    assert figures(PERFORMER) == (10 + 6 * 2, 600, 60)
    assert ledger_agrees(PERFORMER)


def test_two_runs_at_once_book_a_failed_reward_once(monkeypatch):
    from tests.quests.accounts import remove_account

    quest = submitted()
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)
    accounts.open_account(PERFORMER)

    outcomes = at_once(lambda _number: rewards.reprocess(), threads=8)

    assert sum(outcome.succeeded for outcome in outcomes) == 1
    assert figures(PERFORMER) == (12, 100, 10)


def test_who_is_overtaken_again_and_again_is_told(monkeypatch):
    quest = offered()
    tries = []

    def overtaken(*_arguments, **_options):
        tries.append(1)
        raise Conflict

    monkeypatch.setattr(repository.quests, "update", overtaken)
    with pytest.raises(Conflict):
        lifecycle.claim(PERFORMER, quest.id)

    assert len(tries) == lifecycle.MOST_TRIES
    assert stored(quest).status == OPEN
