"""Nobody has more quests in hand than the setting says, however fast they are."""

import pytest

from config import settings as default_settings
from core.dynamo import metering
from quests.errors import TooManyClaims
from quests.models import CLAIMED, Quest
from quests.services import expiry, lifecycle
from tests.quests.accounts import remove_account
from tests.quests.board import (
    BYSTANDER,
    PERFORMER,
    STEWARD,
    TEXT,
    account_of,
    claimed,
    offered,
    open_accounts,
    stored,
)
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")
REASON = "Seit elf Tagen nichts gehört."


@pytest.fixture(autouse=True)
def _accounts(db, settings):
    open_accounts()
    settings.QUEST_MOST_CLAIMS = 3


def test_the_default_is_five():
    assert default_settings.QUEST_MOST_CLAIMS == 5


def test_one_more_than_the_most_is_refused_in_words():
    for _number in range(3):
        claimed()
    quest = offered()

    with pytest.raises(TooManyClaims) as refused:
        lifecycle.claim(PERFORMER, quest.id)

    assert refused.value.status_code == 403
    assert str(refused.value) == (
        "You have claimed as many quests as one person can. Submit or release one first."
    )
    assert stored(quest).performer_id is None
    assert lifecycle.claim(BYSTANDER, quest.id).status == CLAIMED


@pytest.mark.parametrize(
    "end",
    [
        lambda quest: lifecycle.release(PERFORMER, quest.id),
        lambda quest: lifecycle.recall(STEWARD, quest.id, note=REASON),
        lambda quest: lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[]),
        lambda quest: expiry.end_claim(quest.id, quest.claim_expires_at),
    ],
    ids=["given back", "recalled", "submitted", "ended by time"],
)
def test_what_has_ended_makes_room(end):
    quests = [claimed() for _number in range(3)]
    end(quests[1])

    newest = claimed()

    assert account_of(PERFORMER).held_quests == {quests[0].id, quests[2].id, newest.id}
    with pytest.raises(TooManyClaims):
        claimed()


def test_a_claim_costs_one_transaction_until_there_is_no_room():
    quest = offered()
    with metering.metered() as usual:
        lifecycle.claim(PERFORMER, quest.id)
    for _number in range(2):
        lifecycle.submit(PERFORMER, claimed().id, text=TEXT, photos=[])
    quest = offered()
    with metering.metered() as full:
        lifecycle.claim(PERFORMER, quest.id)

    assert usual.operations == ["GetItem", "TransactWriteItems"]
    assert full.operations == [
        "GetItem",
        "TransactWriteItems",
        "GetItem",
        "BatchGetItem",
        "TransactWriteItems",
    ]


def test_whoever_claims_eight_at_once_gets_three():
    quests = [offered() for _number in range(8)]
    at_once(lambda number: lifecycle.claim(PERFORMER, quests[number].id), threads=8)

    assert sum(stored(quest).status == CLAIMED for quest in quests) == 3


def test_room_that_is_made_is_taken_once():
    ended = [claimed() for _number in range(3)]
    lifecycle.release(PERFORMER, ended[0].id)
    quests = [offered() for _number in range(4)]
    results = at_once(lambda number: lifecycle.claim(PERFORMER, quests[number].id), threads=4)

    assert sum(isinstance(result, Quest) for result in results) == 1


def test_whoever_has_no_account_can_take_quests_on_too():
    remove_account(PERFORMER)

    assert claimed().performer_id == PERFORMER.sub
