"""Programs that follow the document know no version: each step is also conditional on what it stands on."""

import pytest
from pynamodb.expressions.operand import Path

from core.dynamo import transactions
from quests import repository
from quests.errors import StatusChanged
from quests.models import (
    CLAIMED,
    COMPLETE,
    DISPUTED,
    OPEN,
    PAID,
    PENDING,
    SUBMITTED,
    Account,
    FailedReward,
    Quest,
)
from quests.services import lifecycle, rewards
from tests.quests.board import (
    BYSTANDER,
    CREATOR,
    PERFORMER,
    claimed,
    figures,
    offered,
    open_accounts,
    stored,
    submitted,
)

pytestmark = pytest.mark.usefixtures("db")
REASON = "Das Netz hat noch immer zwei Löcher."


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


@pytest.fixture
def between(monkeypatch):
    """What another program writes between the read and the write of a step."""

    def write(quest, **fields):
        get, done = repository.quests.get, []

        def read(key, **options):
            found = get(key, **options)
            if not done:
                done.append(key)
                actions = [getattr(Quest, name).set(value) for name, value in fields.items()]
                transactions.send(transactions.update(Quest, quest.raw_key(), actions))
            return found

        monkeypatch.setattr(repository.quests, "get", read)

    return write


def test_a_claim_does_not_overwrite_theirs(between):
    quest = offered()
    between(quest, status=CLAIMED, performer_id=BYSTANDER.sub)

    with pytest.raises(StatusChanged, match="Someone has claimed this quest"):
        lifecycle.claim(PERFORMER, quest.id)
    assert stored(quest).performer_id == BYSTANDER.sub


def test_nothing_is_deleted_that_they_took_on(between):
    quest = offered()
    between(quest, status=CLAIMED, performer_id=BYSTANDER.sub)

    with pytest.raises(StatusChanged):
        lifecycle.delete(CREATOR, quest.id)
    assert (stored(quest).status, figures(CREATOR)[0]) == (CLAIMED, 9)


def test_nothing_is_submitted_that_they_opened_again(between):
    quest = claimed()
    between(quest, status=OPEN)

    with pytest.raises(StatusChanged):
        lifecycle.submit(PERFORMER, quest.id, text=REASON, photos=[])


def test_their_confirmation_counts(between):
    """Seen on the second look: with ours it is complete."""
    quest = submitted()
    between(quest, has_performer_attestation=True)

    assert lifecycle.attest(CREATOR, quest.id).has_performer_attestation
    assert figures(PERFORMER) == (12, 100, 10)


def test_nothing_is_confirmed_that_they_disputed(between):
    quest = submitted()
    between(quest, status=DISPUTED)

    with pytest.raises(StatusChanged):
        lifecycle.attest(CREATOR, quest.id)
    assert not stored(quest).has_requestor_attestation
    assert stored(quest).status != SUBMITTED


def paid_elsewhere(person, *marks):
    """As the document says: the id of the reward joins a set on the user."""
    processed = Path(["processedRewardIds"]).add({"SS": list(marks)})
    transactions.send(transactions.update(Account, {"userId": {"S": person.sub}}, [processed]))


def failed_elsewhere(record_id, quest):
    record = FailedReward(
        id=record_id, user_id=PERFORMER.sub, quest_id=quest.id, xp=100, reputation=10, error="Timeout"
    )
    return repository.failed_rewards.create(record, actor=CREATOR.actor)


def test_a_reward_that_they_paid_is_settled_and_not_paid_again():
    paid, unpaid = failed_elsewhere("reward-1", submitted()), failed_elsewhere("reward-2", submitted())
    paid_elsewhere(PERFORMER, "reward-1", "another-reward")

    assert rewards.reprocess() == (2, 2, 0, 0, 0, 0)

    states = [repository.failed_rewards.get(record.id, strong=True).status for record in (paid, unpaid)]
    assert states == [PAID, PAID]
    assert figures(PERFORMER) == (10, 100, 10)
    assert rewards.reprocess() == (0, 0, 0, 0, 0, 0)


def test_a_quest_whose_reward_they_paid_is_completed_without_paying_it_again():
    quest = submitted()
    paid_elsewhere(PERFORMER, f"{quest.id}:performer")
    lifecycle.attest(CREATOR, quest.id)

    assert lifecycle.attest(PERFORMER, quest.id).status == COMPLETE
    assert figures(PERFORMER) == (10, 0, 0)
    assert repository.failed_rewards.with_status(PENDING).items == []


def test_what_they_paid_for_other_quests_keeps_nobody_from_a_reward_or_an_offer():
    paid_elsewhere(PERFORMER, "another-reward")
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)
    offered(PERFORMER)

    assert figures(PERFORMER) == (11, 100, 10)
