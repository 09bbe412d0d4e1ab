"""Every step of a quest by the API: rights, order, races, retries and limits as on its page."""

import pytest

from core.dynamo.attributes import to_iso
from quests.models import CANCELLED, CLAIMED, COMPLETE, DISPUTED, OPEN, SUBMITTED
from quests.services import lifecycle
from tests.api.programs import Program, pointers
from tests.api.quests.test_lists import expired
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
    stored,
    submitted,
)
from tests.racing import at_once

REASON = "Das Netz hat noch immer zwei Löcher."
# Each step with what it needs, who takes it, and where it leads.
STEPS = [
    ("claim", offered, None, PERFORMER, CLAIMED),
    ("release", claimed, None, PERFORMER, OPEN),
    ("submit", claimed, {"text": TEXT}, PERFORMER, SUBMITTED),
    ("request-changes", submitted, {"note": REASON}, CREATOR, CLAIMED),
    ("attest", submitted, {"notes": "Sehr schön."}, CREATOR, SUBMITTED),
    ("attest", submitted, None, PERFORMER, SUBMITTED),
    ("dispute", submitted, {"reason": REASON}, CREATOR, DISPUTED),
    ("dispute", submitted, {"reason": REASON}, PERFORMER, DISPUTED),
    ("answer", disputed, {"text": REASON}, PERFORMER, DISPUTED),
    ("decide", disputed, {"decision": "complete", "note": REASON}, STEWARD, COMPLETE),
    ("decide", disputed, {"decision": "reopen", "note": REASON}, STEWARD, OPEN),
    ("decide", disputed, {"decision": "cancel", "note": REASON}, STEWARD, CANCELLED),
    ("recall", claimed, {"note": REASON}, STEWARD, OPEN),
    ("take-down", offered, {"note": REASON}, STEWARD, CANCELLED),
]
PEOPLE = {CREATOR: "member", PERFORMER: "other-member", BYSTANDER: "official", STEWARD: "steward"}


def address(quest, step=""):
    return f"/api/v1/quests/{quest.id}" + (f"/{step}" if step else "")


@pytest.mark.parametrize(("step", "made", "body", "who", "status"), STEPS)
def test_a_step_is_taken_once_however_often_it_is_sent(program, step, made, body, who, status):
    quest, sender = made(), program(PEOPLE[who])
    first = sender.post(address(quest, step), body, idempotency_key="step")
    again = sender.post(address(quest, step), body, idempotency_key="step")
    assert (first.status_code, first.json()["status"]) == (200, status)
    assert (again.status_code, again.json()) == (200, first.json())
    assert first["ETag"] == f'"{quest.version + 1}"' == f'"{stored(quest).version}"'
    assert sender.get(address(quest)).json() == first.json()


@pytest.mark.parametrize(("step", "made", "body", "who", "status"), STEPS)
def test_a_step_is_refused_where_the_page_does_not_offer_it(program, step, made, body, who, status):
    quest = made()
    may = {each[3] for each in STEPS if each[0] == step} | (
        {BYSTANDER, STEWARD} if step == "claim" else set()
    )
    statuses = {
        person: program(role).post(address(quest, step), body).status_code
        for person, role in PEOPLE.items()
        if person not in may
    }
    # One's own quest, and the dispute that one began.
    assert statuses == {
        person: 400 if (step, person) in {("claim", CREATOR), ("answer", CREATOR)} else 403
        for person in statuses
    }
    assert program("guest").post(address(quest, step), body).status_code == 403
    assert Program().post(address(quest, step), body).status_code == 401
    assert stored(quest).version == quest.version


@pytest.mark.parametrize(("step", "made", "body", "who", "status"), STEPS)
def test_a_step_of_another_status_is_a_conflict_and_without_the_quest_not_found(
    program, step, made, body, who, status
):
    sender, quest = program(PEOPLE[who]), completed()
    assert sender.post(address(quest, step), body).status_code == 409
    assert sender.post(f"/api/v1/quests/nothing/{step}", body).status_code == 404
    assert stored(quest).version == quest.version


@pytest.mark.parametrize(
    ("step", "made", "body", "who", "pointer"),
    [
        ("claim", offered, {"version": -1}, PERFORMER, "/body/version"),
        ("claim", offered, {"performerId": BYSTANDER.sub}, PERFORMER, "/body/performerId"),
        ("submit", claimed, {}, PERFORMER, "/body/text"),
        ("submit", claimed, {"text": "zu kurz"}, PERFORMER, "/body/text"),
        ("submit", claimed, {"text": TEXT, "photos": []}, PERFORMER, "/body/photos"),
        ("request-changes", submitted, {"note": " " * 20}, CREATOR, "/body/note"),
        ("attest", submitted, {"notes": "x" * 501}, CREATOR, "/body/notes"),
        ("attest", submitted, {"role": "performer"}, CREATOR, "/body/role"),
        ("dispute", submitted, {"reason": "So nicht."}, CREATOR, "/body/reason"),
        ("answer", disputed, {"text": "x" * 1001}, PERFORMER, "/body/text"),
        ("decide", disputed, {"decision": "pay", "note": REASON}, STEWARD, "/body/decision"),
        ("decide", disputed, {"decision": "cancel", "note": "Tja"}, STEWARD, "/body/note"),
        ("recall", claimed, {"note": ""}, STEWARD, "/body/note"),
        ("take-down", offered, {}, STEWARD, "/body/note"),
    ],
)
def test_each_wrong_field_of_a_step_is_named(program, step, made, body, who, pointer):
    quest = made()
    answer = program(PEOPLE[who]).post(address(quest, step), body)
    assert (answer.status_code, pointers(answer)) == (400, [pointer])
    assert stored(quest).version == quest.version


def test_both_confirmations_complete_a_quest_and_book_its_reward(creator, performer):
    quest = submitted()
    told = creator.post(address(quest, "attest"), {"notes": "Sehr schön."}).json()
    assert told["attestations"] == [
        {"user_id": CREATOR.sub, "role": "requestor", "notes": "Sehr schön."}
        | {"attested_at": told["attestations"][0]["attested_at"]}
    ]
    assert (told["attesterIds"], told["hasRequestorAttestation"]) == ([CREATOR.sub], True)
    assert creator.post(address(quest, "attest")).status_code == 409
    told = performer.post(address(quest, "attest")).json()
    assert (told["status"], told["completedAt"] is not None) == (COMPLETE, True)
    assert told["attesterIds"] == sorted([CREATOR.sub, PERFORMER.sub])
    assert figures(PERFORMER) == (12, 100, 10)
    assert ledger_agrees(PERFORMER)


def test_a_claim_of_a_quest_that_was_changed_since_it_was_read_is_a_conflict(creator, performer):
    quest = offered()
    creator.patch(address(quest), {"rewardXp": 10}, if_match='"1"')
    assert performer.post(address(quest, "claim"), {"version": 1}).status_code == 409
    assert performer.post(address(quest, "claim"), {"version": 2}).status_code == 200


def test_a_confirmation_of_work_that_was_handed_in_anew_is_a_conflict(creator):
    quest = submitted()
    read = to_iso(stored(quest).submitted_at)
    lifecycle.request_changes(CREATOR, quest.id, note=REASON)
    lifecycle.submit(PERFORMER, quest.id, text=TEXT + " Jetzt auch rechts.")
    assert creator.post(address(quest, "attest"), {"submittedAt": read}).status_code == 409
    now = creator.get(address(quest)).json()["submittedAt"]
    assert creator.post(address(quest, "attest"), {"submittedAt": now}).status_code == 200


def test_of_many_who_claim_a_quest_at_the_same_moment_one_has_it(performer, bystander, steward):
    quest, programs = offered(), [performer, bystander, steward]
    statuses = at_once(
        lambda number: programs[number].post(address(quest, "claim"), idempotency_key="c").status_code, 3
    )
    assert sorted(statuses) == [200, 409, 409]
    assert stored(quest).performer_id in {PERFORMER.sub, BYSTANDER.sub, STEWARD.sub}


def test_two_confirmations_at_the_same_moment_book_one_reward(creator, performer):
    quest, programs = submitted(), [creator, performer]
    statuses = at_once(lambda number: programs[number].post(address(quest, "attest")).status_code, 2)
    assert (statuses, stored(quest).status) == ([200, 200], COMPLETE)
    assert figures(PERFORMER) == (12, 100, 10)


def test_nobody_has_more_quests_at_a_time_than_one_person_can(performer, settings):
    settings.QUEST_MOST_CLAIMS = 1
    claimed()
    answer = performer.post(address(offered(), "claim"))
    assert answer.status_code == 403
    assert "as many quests as one person can" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("step", "body", "most"),
    [
        ("submit", {"text": TEXT}, 10),
        ("attest", None, 10),
        ("dispute", {"reason": REASON}, 5),
        ("claim", None, 20),
    ],
)
def test_a_step_has_the_limit_of_its_page(performer, step, body, most):
    quest = completed()
    statuses = {performer.post(address(quest, step), body).status_code for _number in range(most)}
    answer = performer.post(address(quest, step), body)
    assert (statuses, answer.status_code) == ({409}, 429)
    assert int(answer["Retry-After"]) > 0


def test_an_expired_offer_is_not_claimed(performer):
    answer = performer.post(address(expired(), "claim"))
    assert (answer.status_code, answer.json()["detail"]) == (409, "This quest has expired.")


def test_disputes_that_are_switched_off_are_refused_as_on_the_page(performer, settings):
    settings.QUEST_FLAGS = settings.QUEST_FLAGS | {"FF_DISPUTE_RESOLUTION": "false"}
    assert performer.post(address(submitted(), "dispute"), {"reason": REASON}).status_code == 403


def test_a_key_that_is_reused_with_something_else_is_refused(performer):
    quest = claimed()
    performer.post(address(quest, "submit"), {"text": TEXT}, idempotency_key="once")
    answer = performer.post(address(quest, "submit"), {"text": TEXT + "!"}, idempotency_key="once")
    assert answer.status_code == 422
