"""Offering a quest, reading, changing and deleting it."""

from datetime import timedelta

import pytest
from django.utils.timezone import localdate, localtime

from quests import repository
from quests.models import OPEN
from quests.services import accounts, lifecycle
from tests.api.programs import Program, pointers
from tests.media_bucket import photo
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    STEWARD,
    TEXT,
    claimed,
    disputed,
    figures,
    ledger_agrees,
    offered,
    stored,
)
from tests.quests.test_quest_photos import sent_with

QUESTS = "/api/v1/quests"
SENT = {
    "title": "Netz in Halle 2 flicken",
    "description": "Das linke Netz hat drei Löcher; Garn liegt im Schrank.",
    "category": "technical",
    "rewardXp": 250,
    "rewardReputation": 25,
    "openUntil": (localdate() + timedelta(days=7)).isoformat(),
}


def offers():
    return list(repository.quests.created_by(CREATOR.sub).items)


def test_a_quest_is_offered_for_a_point_and_answered_with_the_fields_of_its_document(creator):
    answer = creator.post(QUESTS, SENT)
    quest = answer.json()
    assert (answer.status_code, answer["ETag"]) == (201, '"1"')
    assert quest | {name: SENT[name] for name in SENT if name != "openUntil"} == quest
    assert (quest["status"], quest["creatorId"], quest["performerId"]) == (OPEN, CREATOR.sub, None)
    assert answer["Location"] == f"{QUESTS}/{quest['questId']}"
    until = localtime(repository.quests.get(quest["questId"]).expires_at)
    assert (until.date().isoformat(), until.hour, until.minute) == (SENT["openUntil"], 23, 59)
    assert figures(CREATOR)[0] == 9
    assert ledger_agrees(CREATOR)
    assert creator.get(answer["Location"]).json() == quest
    assert set(quest) == {
        *("questId", "title", "description", "category", "status", "creatorId", "performerId"),
        *("rewardXp", "rewardReputation", "bookedXp", "attestations", "attesterIds"),
        *("hasRequestorAttestation", "hasPerformerAttestation", "submissionText", "photos"),
        *("changesRequested", "changeNote", "disputeReason", "disputedBy", "disputeAnswer", "decisionNote"),
        *("expiresAt", "claimedAt", "claimExpiresAt", "submittedAt", "completedAt", "disputedAt"),
        *("resolvedAt", "expiredAt", "createdAt", "updatedAt", "version"),
    }


def test_what_is_left_out_is_as_usual(creator):
    quest = creator.post(QUESTS, {name: SENT[name] for name in ("title", "description")}).json()
    assert (quest["category"], quest["rewardXp"], quest["rewardReputation"]) == ("general", 100, 10)
    expires_at = repository.quests.get(quest["questId"]).expires_at
    assert localtime(expires_at).date() == localdate() + timedelta(days=30)


def test_a_retry_is_answered_with_the_stored_quest_and_costs_nothing(creator):
    first = creator.post(QUESTS, SENT, idempotency_key="once")
    again = creator.post(QUESTS, SENT, idempotency_key="once")
    assert (again.status_code, again.json(), again["Location"]) == (200, first.json(), first["Location"])
    assert creator.post(QUESTS, SENT | {"rewardXp": 10}, idempotency_key="once").status_code == 422
    assert (len(offers()), figures(CREATOR)[0]) == (1, 9)


def test_without_points_nothing_is_offered_and_waiting_is_not_advised(creator):
    accounts.adjust_points(STEWARD, CREATOR.sub, points=-10, note="Für den Test")
    answer = creator.post(QUESTS, SENT)
    assert (answer.status_code, "Retry-After" in answer) == (422, False)
    assert "no quest points left" in answer.json()["detail"]
    assert offers() == []


def test_the_sixth_offer_in_a_minute_has_to_wait(creator):
    statuses = [creator.post(QUESTS, SENT).status_code for _number in range(5)]
    answer = creator.post(QUESTS, SENT)
    assert (statuses, answer.status_code) == ([201] * 5, 429)
    assert int(answer["Retry-After"]) > 0
    assert figures(CREATOR)[0] == 5


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"title": "Netz"}, "/body/title"),
        ({"title": " " * 10}, "/body/title"),
        ({"title": "x" * 201}, "/body/title"),
        ({"title": None}, "/body/title"),
        ({"description": "zu kurz"}, "/body/description"),
        ({"category": "sports"}, "/body/category"),
        ({"rewardXp": 9}, "/body/rewardXp"),
        ({"rewardXp": 1001}, "/body/rewardXp"),
        ({"rewardXp": "100"}, "/body/rewardXp"),
        ({"rewardReputation": 0}, "/body/rewardReputation"),
        ({"rewardReputation": 1.5}, "/body/rewardReputation"),
        ({"openUntil": localdate().isoformat()}, "/body/openUntil"),
        ({"openUntil": (localdate() + timedelta(days=366)).isoformat()}, "/body/openUntil"),
        ({"openUntil": "tomorrow"}, "/body/openUntil"),
        *(
            ({name: "COMPLETE"}, f"/body/{name}")
            for name in ("status", "questId", "creatorId", "performerId")
        ),
        *(({name: 1}, f"/body/{name}") for name in ("version", "expiresAt", "hasRequestorAttestation", "pk")),
    ],
)
def test_each_wrong_field_is_named(creator, wrong, pointer):
    answer = creator.post(QUESTS, SENT | wrong)
    assert (answer.status_code, pointers(answer)) == (400, [pointer])
    assert (offers(), figures(CREATOR)[0]) == ([], 10)


def test_a_change_changes_only_what_was_sent(creator):
    made = creator.post(QUESTS, SENT)
    changed = creator.patch(made["Location"], {"rewardXp": 300}, if_match=made["ETag"])
    assert changed.status_code == 200
    told = {name for name, value in changed.json().items() if made.json()[name] != value}
    assert told == {"rewardXp", "version", "updatedAt"}
    assert (changed.json()["rewardXp"], changed["ETag"]) == (300, '"2"')


def test_a_change_keeps_the_moment_that_another_program_stored(creator):
    quest = offered()
    changed = creator.patch(f"{QUESTS}/{quest.id}", {"rewardXp": 300}, if_match='"1"')
    assert (changed.status_code, stored(quest).expires_at) == (200, quest.expires_at)


def test_a_change_needs_the_version_that_was_seen(creator):
    address = creator.post(QUESTS, SENT)["Location"]
    assert creator.patch(address, {"rewardXp": 300}).status_code == 428
    assert creator.patch(address, {"rewardXp": 300}, if_match='"7"').status_code == 412
    assert creator.patch(address, {"rewardXp": 300}, if_match='"1"').status_code == 200
    assert creator.patch(address, {"rewardXp": 400}, if_match='"1"').status_code == 412


def test_a_change_that_is_sent_twice_is_made_once(creator):
    address = creator.post(QUESTS, SENT)["Location"]
    sent = {"if_match": '"1"', "idempotency_key": "change"}
    first = creator.patch(address, {"rewardXp": 300}, **sent)
    again = creator.patch(address, {"rewardXp": 300}, **sent)
    assert (again.status_code, again.json()) == (200, first.json())


def test_a_wrong_change_is_named(creator):
    address = creator.post(QUESTS, SENT)["Location"]
    for wrong, name in (({"title": "Netz"}, "title"), ({"status": "COMPLETE"}, "status")):
        answer = creator.patch(address, wrong, if_match='"1"')
        assert (answer.status_code, pointers(answer)) == (400, [f"/body/{name}"])


def test_only_the_creator_changes_or_deletes_a_quest_and_only_while_it_is_open(creator, performer, steward):
    quest, taken = offered(), claimed()
    for other in (performer, steward):
        assert other.patch(f"{QUESTS}/{quest.id}", {"rewardXp": 300}, if_match='"1"').status_code == 403
        assert other.delete(f"{QUESTS}/{quest.id}").status_code == 403
    answer = creator.patch(f"{QUESTS}/{taken.id}", {"rewardXp": 300}, if_match='"2"')
    assert (answer.status_code, answer.json()["detail"]) == (409, "Someone has claimed this quest.")
    assert creator.delete(f"{QUESTS}/{taken.id}").status_code == 409
    assert creator.patch(f"{QUESTS}/nothing", {"rewardXp": 300}, if_match='"1"').status_code == 404


def test_a_deleted_quest_gives_its_point_back_once(creator):
    quest = offered()
    assert figures(CREATOR)[0] == 9
    for _time in range(2):
        answer = creator.delete(f"{QUESTS}/{quest.id}", idempotency_key="delete")
        assert (answer.status_code, answer.content) == (204, b"")
    assert creator.delete(f"{QUESTS}/{quest.id}").status_code == 404
    assert creator.get(f"{QUESTS}/{quest.id}").status_code == 404
    assert figures(CREATOR)[0] == 10
    assert ledger_agrees(CREATOR)


def test_the_texts_of_a_dispute_are_for_its_sides_and_the_stewards(creator, performer, bystander, steward):
    address = f"{QUESTS}/{disputed().id}"
    reason = "Das Netz hat noch immer zwei Löcher."
    for one in (creator, performer, steward):
        assert one.get(address).json()["disputeReason"] == reason
        assert one.get(f"{address}?fields=disputeReason").json() == {"disputeReason": reason}
    told = bystander.get(address).json()
    assert (told["disputeReason"], told["disputedBy"], told["submissionText"]) == (None, None, TEXT)
    assert bystander.get(f"{address}?fields=disputeReason").json() == {"disputeReason": None}
    (listed,) = bystander.get(f"{QUESTS}?status=DISPUTED&strong=true").json()
    assert listed["disputeReason"] is None


def test_a_quest_is_never_not_modified_because_others_change_it_without_a_version(creator):
    made = creator.post(QUESTS, SENT)
    assert creator.get(made["Location"], if_none_match=made["ETag"]).status_code == 200


def test_photos_are_told_without_their_place_in_the_bucket(performer, bucket):
    quest = claimed()
    sent_with([photo(60, 40)], quest)
    ((told),) = performer.get(f"{QUESTS}/{quest.id}").json()["photos"]
    assert set(told) == {"name", "title"}
    picture = performer.get(f"{QUESTS}/{quest.id}/photos/{told['name']}")
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/jpeg")
    assert performer.get(f"{QUESTS}/{quest.id}/photos/other.jpg").status_code == 404
    assert Program().get(f"{QUESTS}/{quest.id}/photos/{told['name']}").status_code == 401


def test_what_others_claimed_before_is_not_told(creator):
    quest = lifecycle.release(PERFORMER, claimed().id)
    assert "earlierClaims" not in creator.get(f"{QUESTS}/{quest.id}").json()
