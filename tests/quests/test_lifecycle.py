"""The life of a quest: each step from its status, by the right person, with its reason when refused."""

from datetime import timedelta

import pytest

from core.dynamo import history, metering
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound, Replayed
from core.dynamo.idempotency import IdempotencyKey
from quests import repository, rules
from quests.errors import NotAllowed, NotEnoughPoints, StatusChanged, WrongStatus
from quests.models import CANCELLED, CLAIMED, COMPLETE, DISPUTED, OPEN, SUBMITTED
from quests.services import expiry, lifecycle
from tests.quests.accounts import remove_account
from tests.quests.board import (
    BYSTANDER,
    CREATOR,
    PERFORMER,
    STEWARD,
    TEXT,
    claimed,
    completed,
    disputed,
    figures,
    ledger_agrees,
    offered,
    open_accounts,
    stored,
    submitted,
)

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def once(person, route="attest", key="k1"):
    return IdempotencyKey(sub=person.sub, route=route, key=key, payload={"a": 1}, answer={"done": True})


def test_a_quest_goes_from_its_offer_to_its_reward():
    quest = offered()
    assert (quest.status, quest.performer_id) == (OPEN, None)

    quest = lifecycle.claim(PERFORMER, quest.id)
    assert (quest.status, quest.performer_id) == (CLAIMED, PERFORMER.sub)
    assert quest.claim_expires_at == quest.claimed_at + timedelta(days=14)

    quest = lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[])
    assert (quest.status, quest.submission_text) == (SUBMITTED, TEXT)

    quest = lifecycle.attest(CREATOR, quest.id, notes="Sauber gemacht.")
    assert (quest.status, quest.attester_ids) == (SUBMITTED, {CREATOR.sub})
    assert quest.attestations[0]["notes"] == "Sauber gemacht."

    quest = lifecycle.attest(PERFORMER, quest.id)
    assert quest.status == COMPLETE
    assert quest.completed_at is not None
    assert [attestation["role"] for attestation in quest.attestations] == ["requestor", "performer"]
    assert figures(CREATOR) == (9, 0, 0)
    assert figures(PERFORMER) == (12, 100, 10)
    assert ledger_agrees(CREATOR)
    assert ledger_agrees(PERFORMER)
    verbs = [entry.verb for entry in history.entries("quest", quest.id).items]
    assert verbs == ["attest", "attest", "submit", "claim", "create"]


def test_an_offer_costs_a_point_and_none_is_made_without_one():
    for _number in range(10):
        offered()
    assert figures(CREATOR) == (0, 0, 0)

    with pytest.raises(NotEnoughPoints):
        offered()

    assert len(repository.quests.created_by(CREATOR.sub).items) == 10
    assert ledger_agrees(CREATOR)


def test_somebody_without_an_account_gets_one_with_the_first_offer(db):
    from core.accounts.user import User

    newcomer = User.of(sub="newcomer-sub", name="Neu Hier", email="neu@fieldhouse.example", groups=[])
    offered(newcomer)

    assert figures(newcomer) == (9, 0, 0)


def test_an_open_quest_is_taken_back_with_its_point():
    quest = offered()
    lifecycle.delete(CREATOR, quest.id)

    assert figures(CREATOR) == (10, 0, 0)
    with pytest.raises(NotFound):
        stored(quest)


@pytest.mark.parametrize(
    ("verb", "person", "error", "says"),
    [
        ("claim", CREATOR, WrongStatus, "This is your own quest. Someone else has to claim it."),
        ("delete", PERFORMER, NotAllowed, "Only the person who offers this quest can do that."),
        ("submit", PERFORMER, StatusChanged, "Nobody has claimed this quest."),
        ("attest", CREATOR, StatusChanged, "Nobody has claimed this quest."),
        ("release", PERFORMER, StatusChanged, "Nobody has claimed this quest."),
    ],
)
def test_what_cannot_be_done_to_an_open_quest(verb, person, error, says):
    quest = offered()
    arguments = {"text": TEXT, "photos": []} if verb == "submit" else {}

    with pytest.raises(error) as refused:
        getattr(lifecycle, verb)(person, quest.id, **arguments)

    assert str(refused.value) == says
    assert stored(quest).version == quest.version


def test_what_is_over_cannot_be_taken_on():
    quest = offered(expires_at=now() - timedelta(seconds=1))

    with pytest.raises(StatusChanged) as refused:
        lifecycle.claim(PERFORMER, quest.id)

    assert str(refused.value) == "This quest has expired."


def test_only_the_performer_gives_back_or_submits():
    quest = claimed()
    for verb, arguments in (("release", {}), ("submit", {"text": TEXT, "photos": []})):
        with pytest.raises(NotAllowed):
            getattr(lifecycle, verb)(BYSTANDER, quest.id, **arguments)

    released = lifecycle.release(PERFORMER, quest.id)

    assert (released.status, released.performer_id, released.claimed_at) == (OPEN, None, None)
    assert repository.quests.performed_by(PERFORMER.sub).items == []


def test_whoever_gives_a_quest_back_and_takes_it_on_again_goes_on_with_the_time_that_was_left(monkeypatch):
    begun = now().replace(microsecond=0)
    quest = offered()
    monkeypatch.setattr("quests.services.lifecycle.now", lambda: begun)
    lifecycle.claim(PERFORMER, quest.id)
    monkeypatch.setattr("quests.services.lifecycle.now", lambda: begun + timedelta(days=9))
    lifecycle.release(PERFORMER, quest.id)

    again = lifecycle.claim(PERFORMER, quest.id)
    assert again.claim_expires_at == begun + timedelta(days=14)
    lifecycle.release(PERFORMER, quest.id)
    assert lifecycle.claim(BYSTANDER, quest.id).claim_expires_at == begun + timedelta(days=9 + 14)


def test_giving_back_and_taking_on_again_does_not_count_the_changes_anew():
    again = submitted()
    lifecycle.request_changes(CREATOR, again.id, note="Bitte auch das rechte Netz.")
    lifecycle.release(PERFORMER, again.id)

    assert lifecycle.claim(PERFORMER, again.id).changes_requested == 1
    lifecycle.release(PERFORMER, again.id)
    assert lifecycle.claim(BYSTANDER, again.id).changes_requested == 0


def test_a_claim_that_ended_cannot_be_begun_anew_by_the_same_person():
    quest = claimed()
    expiry.end_claim(quest.id, quest.claim_expires_at)

    with pytest.raises(WrongStatus) as refused:
        lifecycle.claim(PERFORMER, quest.id)
    assert str(refused.value) == (
        "You claimed this quest before and your time is up. Now it is open for others."
    )
    assert lifecycle.claim(BYSTANDER, quest.id).status == CLAIMED


def test_a_steward_recalls_what_somebody_holds():
    quest = claimed()
    with pytest.raises(NotAllowed):
        lifecycle.recall(CREATOR, quest.id, note="Seit drei Wochen nichts gehört.")

    recalled = lifecycle.recall(STEWARD, quest.id, note="Seit drei Wochen nichts gehört.")

    assert (recalled.status, recalled.performer_id) == (OPEN, None)


def test_a_steward_takes_an_open_offer_down_and_its_point_goes_back():
    quest = offered()
    assert figures(CREATOR) == (9, 0, 0)

    taken = lifecycle.take_down(STEWARD, quest.id, note="Das ist Werbung.")

    assert (taken.status, taken.decision_note) == (CANCELLED, "Das ist Werbung.")
    assert figures(CREATOR) == (10, 0, 0)
    assert ledger_agrees(CREATOR)
    entry = history.entries("quest", quest.id).items[0]
    assert (entry.verb, entry.actor_name) == ("take_down", STEWARD.name)
    assert repository.quests.with_status(OPEN).items == []


def test_a_steward_takes_down_neither_an_own_offer_nor_what_somebody_has_taken_on():
    with pytest.raises(NotAllowed):
        lifecycle.take_down(STEWARD, offered(STEWARD).id, note="Doch nicht.")
    with pytest.raises(StatusChanged):
        lifecycle.take_down(STEWARD, claimed().id, note="Das ist Werbung.")


def test_an_offer_of_somebody_without_an_account_is_taken_down_too():
    quest = offered()
    remove_account(CREATOR)

    assert lifecycle.take_down(STEWARD, quest.id, note="Das ist Werbung.").status == CANCELLED


def test_changes_are_asked_for_at_most_three_times():
    quest = submitted()
    for number in range(1, 4):
        quest = lifecycle.request_changes(CREATOR, quest.id, note="Bitte auch das rechte Netz.")
        assert (quest.status, quest.changes_requested) == (CLAIMED, number)
        quest = lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[])

    with pytest.raises(WrongStatus) as refused:
        lifecycle.request_changes(CREATOR, quest.id, note="Noch einmal.")
    assert str(refused.value) == "Changes were already requested 3 times. Confirm the work, or dispute it."


def test_the_performers_own_confirmation_does_not_keep_the_creator_from_asking_for_changes():
    quest = submitted()
    lifecycle.attest(PERFORMER, quest.id)

    quest = lifecycle.request_changes(CREATOR, quest.id, note="Bitte auch das rechte Netz.")
    assert (quest.status, quest.attestations, quest.attester_ids) == (CLAIMED, [], None)
    assert (quest.has_requestor_attestation, quest.has_performer_attestation) == (False, False)

    quest = lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[])
    assert lifecycle.attest(CREATOR, quest.id).status == SUBMITTED
    assert lifecycle.attest(PERFORMER, quest.id).status == COMPLETE
    assert figures(PERFORMER) == (12, 100, 10)


def test_who_has_confirmed_the_work_cannot_ask_for_changes_to_it():
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id)

    with pytest.raises(WrongStatus) as refused:
        lifecycle.request_changes(CREATOR, quest.id, note="Doch nicht.")
    assert str(refused.value) == (
        "You have already confirmed this work, so you can no longer request changes."
    )


def test_nobody_confirms_twice_and_no_stranger_at_all():
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id)

    with pytest.raises(StatusChanged) as refused:
        lifecycle.attest(CREATOR, quest.id)
    assert str(refused.value) == "You have already confirmed this quest."
    with pytest.raises(NotAllowed):
        lifecycle.attest(BYSTANDER, quest.id)


def test_a_confirmation_that_is_sent_again_is_told_what_it_did():
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id, once=once(CREATOR))

    with pytest.raises(Replayed):
        lifecycle.attest(CREATOR, quest.id, once=once(CREATOR))

    assert len(stored(quest).attestations) == 1


@pytest.mark.parametrize(
    ("decision", "status", "rewarded"),
    [("complete", COMPLETE, (12, 100, 10)), ("reopen", OPEN, (10, 0, 0)), ("cancel", CANCELLED, (10, 0, 0))],
)
def test_a_steward_decides_a_dispute(decision, status, rewarded):
    quest = disputed()
    assert quest.status == DISPUTED

    decided = lifecycle.decide(STEWARD, quest.id, decision=decision, note="Beide angehört.")

    assert (decided.status, decided.decision_note) == (status, "Beide angehört.")
    assert decided.resolved_at is not None
    assert figures(PERFORMER) == rewarded
    assert figures(CREATOR) == (9, 0, 0)
    assert ledger_agrees(PERFORMER)


def test_nobody_decides_a_quest_of_their_own():
    quest = offered(STEWARD)
    lifecycle.claim(PERFORMER, quest.id)
    lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[])
    lifecycle.dispute(PERFORMER, quest.id, reason="Niemand bestätigt meine Arbeit.")

    with pytest.raises(NotAllowed) as refused:
        lifecycle.decide(STEWARD, quest.id, decision="cancel", note="So nicht.")

    assert str(refused.value) == "You are part of this quest. Another steward has to decide."


def test_what_is_opened_again_can_be_taken_on_confirmed_and_paid_once():
    quest = lifecycle.decide(STEWARD, disputed().id, decision="reopen", note="Noch einmal von vorn.")
    lifecycle.claim(PERFORMER, quest.id)
    lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[])
    lifecycle.attest(PERFORMER, quest.id)
    lifecycle.attest(CREATOR, quest.id)

    assert figures(PERFORMER) == (12, 100, 10)


def test_nothing_can_be_done_to_a_completed_quest():
    quest = completed()

    assert [rules.available_actions(person, quest) for person in (CREATOR, PERFORMER, STEWARD)] == [
        [],
        [],
        [],
    ]


@pytest.mark.parametrize("step", ["claim", "attest", "complete"])
def test_a_step_is_one_read_and_one_transaction(step):
    quest = offered() if step == "claim" else submitted()
    if step == "complete":
        lifecycle.attest(CREATOR, quest.id)
    with metering.metered() as cost:
        getattr(lifecycle, "claim" if step == "claim" else "attest")(PERFORMER, quest.id)

    assert cost.operations == ["GetItem", "TransactWriteItems"]


def test_a_quest_that_is_open_again_tells_nobody_of_an_old_quarrel():
    quest = lifecycle.decide(STEWARD, disputed().id, decision="reopen", note="Noch einmal von vorn.")
    assert (quest.dispute_reason, quest.disputed_at) == (None, None)
    assert quest.decision_note == "Noch einmal von vorn."

    anew = lifecycle.claim(BYSTANDER, quest.id)
    assert (anew.decision_note, anew.resolved_at) == (None, None)
