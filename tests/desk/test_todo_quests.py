"""What waits for people in quests, whom it concerns, and whom it does not."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from quests import repository as board
from quests.models import PENDING
from quests.services import lifecycle
from quests.services.expiry import STALE_MARGIN
from tests.cast import sign_in
from tests.desk.waiting import REASON, told, waiting_for
from tests.quests.accounts import remove_account
from tests.quests.board import CREATOR, PERFORMER, STEWARD, TEXT, claimed, disputed, offered, submitted

pytestmark = pytest.mark.usefixtures("db", "guests")


@pytest.mark.usefixtures("accounts")
def test_a_claimed_quest_waits_for_its_performer() -> None:
    quest = claimed(title="Netz")

    assert told() == {"other-member": [("Netz", "Claimed by you", f"/quests/{quest.id}/")]}


@pytest.mark.usefixtures("accounts")
def test_work_that_was_handed_back_waits_for_its_performer() -> None:
    quest = submitted(title="Netz")
    lifecycle.request_changes(CREATOR, quest.id, note="Auch das rechte.")

    assert told() == {"other-member": [("Netz", "Changes requested", f"/quests/{quest.id}/")]}


@pytest.mark.usefixtures("accounts")
def test_submitted_work_waits_for_both_sides_until_they_have_confirmed_it() -> None:
    quest = submitted(title="Netz")
    task = ("Netz", "Work submitted", f"/quests/{quest.id}/")
    assert told() == {"member": [task], "other-member": [task]}

    lifecycle.attest(PERFORMER, quest.id)
    assert told() == {"member": [task]}


@pytest.mark.usefixtures("accounts")
@pytest.mark.parametrize(
    ("by", "answers", "role"), [(CREATOR, PERFORMER, "other-member"), (PERFORMER, CREATOR, "member")]
)
def test_a_dispute_waits_for_the_other_side_and_for_those_who_decide(
    by: Any, answers: Any, role: str
) -> None:
    quest = submitted(title="Netz")
    lifecycle.dispute(by, quest.id, reason=REASON)
    decide = [("Netz", "Disputed", f"/quests/desk/decide/{quest.id}")]
    answer = [("Netz", "Disputed", f"/quests/{quest.id}/")]
    assert told() == {"admin": decide, "steward": decide, role: answer}

    lifecycle.answer(answers, quest.id, text="Es sind nur noch Schlaufen.")
    assert told() == {"admin": decide, "steward": decide}

    lifecycle.decide(STEWARD, quest.id, decision="cancel", note="Beide angehört.")
    assert told() == {}


@pytest.mark.usefixtures("accounts")
def test_a_steward_does_not_decide_about_an_own_quest() -> None:
    quest = lifecycle.claim(PERFORMER, offered(STEWARD, title="Netz").id)
    lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[])
    lifecycle.dispute(PERFORMER, quest.id, reason=REASON)

    assert told() == {
        "admin": [("Netz", "Disputed", f"/quests/desk/decide/{quest.id}")],
        "steward": [("Netz", "Disputed", f"/quests/{quest.id}/")],
    }


@pytest.mark.usefixtures("accounts")
def test_a_claim_that_ends_soon_waits_for_stewards_too_unless_it_is_their_own() -> None:
    theirs, own = claimed(title="Netz"), lifecycle.claim(STEWARD, offered(title="Linien").id)
    for quest in (theirs, own):
        soon = {"claim_expires_at": now() + STALE_MARGIN - timedelta(minutes=1)}
        board.quests.update(board.quests.get(quest.id, strong=True), soon, actor=SYSTEM)

    to_do, stale = "Claimed by you", "Claim ends soon"
    netz, lines = f"/quests/{theirs.id}/", f"/quests/{own.id}/"
    assert told() == {
        "admin": [("Netz", stale, netz), ("Linien", stale, lines)],
        "steward": [("Netz", stale, netz), ("Linien", to_do, lines)],
        "other-member": [("Netz", to_do, netz)],
    }


@pytest.mark.usefixtures("accounts")
def test_eight_disputes_and_a_failed_reward_wait_for_a_steward() -> None:
    for number in range(8):
        disputed(title=f"Streit {number}")
    quest = submitted(title="Netz")
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)

    found = waiting_for(sign_in(Client(), "steward"))

    assert [(title, badge) for title, badge, _address in found] == [
        *((f"Streit {number}", "Disputed") for number in range(8)),
        ("Netz", "Reward failed"),
    ]
    assert found[-1][2] == "/quests/desk/rewards/"
    assert told().keys() == {"admin", "steward", "other-member"}


@pytest.mark.usefixtures("accounts")
def test_a_failed_reward_of_a_quest_that_is_gone_still_waits() -> None:
    quest = submitted(title="Netz")
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    completed = lifecycle.attest(PERFORMER, quest.id)
    board.quests.delete(completed, actor=STEWARD.actor)
    assert board.failed_rewards.with_status(PENDING).items

    task = ("Deleted quest", "Reward failed", "/quests/desk/rewards/")
    assert told() == {"admin": [task], "steward": [task]}
