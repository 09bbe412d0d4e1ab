"""People of the board by the API: oneself, others, bookings and the leaderboard."""

from datetime import UTC, datetime, timedelta

import pytest

from core.dynamo import metering
from quests.months import month_of
from quests.services import accounts
from tests.api.programs import Program, pointers
from tests.quests.accounts import remove_account
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    STEWARD,
    account_of,
    claimed,
    completed,
    figures,
    ledger_agrees,
    offered,
)

USERS = "/api/v1/quests/users"
WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
PRIVATE = ("email", "walletAddress", "questCreationPoints")


def test_ones_own_account_has_the_fields_of_its_document(performer):
    completed()
    accounts.set_wallet(PERFORMER, WALLET)
    told = performer.get(f"{USERS}/me").json()
    assert told == performer.get(f"{USERS}/{PERFORMER.sub}").json()
    assert told == {
        "userId": PERFORMER.sub,
        "username": PERFORMER.name,
        "email": PERFORMER.email,
        "walletAddress": WALLET,
        "experience": 100,
        "level": 3,
        "reputation": 10,
        "currentReputation": 10,
        "questCreationPoints": 12,
        "questsCreated": 0,
        "questsCompleted": 1,
        "createdAt": told["createdAt"],
        "updatedAt": told["updatedAt"],
    }


def test_what_is_private_is_not_told_to_others(bystander, steward):
    accounts.set_wallet(PERFORMER, WALLET)
    told = bystander.get(f"{USERS}/{PERFORMER.sub}").json()
    assert {name: told[name] for name in PRIVATE} == dict.fromkeys(PRIVATE)
    told = steward.get(f"{USERS}/{PERFORMER.sub}").json()
    assert [told[name] for name in PRIVATE] == [None, None, 10]


def test_what_somebody_holds_is_no_part_of_the_account(performer):
    claimed()
    assert "heldQuests" not in performer.get(f"{USERS}/me").json()


def test_reputation_fades(performer, monkeypatch):
    completed()
    years_later = datetime.now(UTC) + timedelta(days=1800)
    monkeypatch.setattr("api.quests.documents.now", lambda: years_later)
    told = performer.get(f"{USERS}/me").json()
    assert (told["reputation"], told["currentReputation"]) == (10, 0)


def test_an_account_that_is_missing_is_read_as_a_new_one_and_not_opened(performer, bystander):
    remove_account(PERFORMER)
    with metering.metered() as meter:
        told = performer.get(f"{USERS}/me").json()
    assert {*meter.operations} == {"GetItem", "Query"}
    assert (told["username"], told["questCreationPoints"], told["createdAt"]) == (PERFORMER.name, 10, None)
    assert bystander.get(f"{USERS}/{PERFORMER.sub}").status_code == 404


def test_an_account_that_was_lost_is_read_from_the_ledger(performer):
    completed()
    remove_account(PERFORMER)
    told = performer.get(f"{USERS}/me").json()
    assert (told["questCreationPoints"], told["experience"]) == (12, 100)


def test_an_account_is_opened_with_the_first_thing_that_is_written(performer, bystander):
    remove_account(PERFORMER)
    assert performer.put(f"{USERS}/me/wallet", {"walletAddress": WALLET}).status_code == 200
    assert bystander.get(f"{USERS}/{PERFORMER.sub}").status_code == 200


def test_ones_own_bookings_come_newest_first(performer):
    quest = completed()
    reward, start = performer.get(f"{USERS}/me/ledger").json()
    assert reward == {
        "userId": PERFORMER.sub,
        "entryId": f"REWARD#{quest.id}:performer",
        "kind": "reward",
        "points": 2,
        "experience": 100,
        "reputation": 10,
        "questsCreated": 0,
        "questsCompleted": 1,
        "questId": quest.id,
        "note": quest.title,
        "actorId": None,
        "at": reward["at"],
        "earnedAt": reward["earnedAt"],
    }
    assert (start["kind"], start["entryId"], start["points"]) == ("start", "START", 10)


def test_bookings_are_for_the_person_and_for_stewards(program, steward):
    accounts.adjust_points(STEWARD, PERFORMER.sub, points=3, note="Für die Grillfeier")
    address = f"{USERS}/{PERFORMER.sub}/ledger"
    adjusted, _start = steward.get(address).json()
    assert (adjusted["points"], adjusted["note"]) == (3, "Für die Grillfeier")
    assert adjusted["actorId"] == STEWARD.sub
    for role, status in (("member", 404), ("official", 404), ("guest", 403)):
        assert program(role).get(address).status_code == status
    assert Program().get(f"{USERS}/me/ledger").status_code == 401


def test_pages_of_bookings_follow_each_other(creator):
    quests = [offered().id for _number in range(3)]
    first = creator.get(f"{USERS}/me/ledger?limit=3").json()
    with metering.metered() as meter:
        second = creator.get(f"{USERS}/me/ledger?limit=3&nextToken={first['nextToken']}").json()
    assert meter.requests == 2
    assert [row["questId"] for row in first["items"] + second["items"]] == [*quests[::-1], None]
    assert second["nextToken"] is None


def test_a_wallet_is_saved_with_its_checksum_and_removed(performer):
    answer, again = (
        performer.put(f"{USERS}/me/wallet", {"walletAddress": WALLET.lower()}) for _time in range(2)
    )
    assert (answer.status_code, answer.json()["walletAddress"]) == (200, WALLET)
    assert again.json() == answer.json()
    assert performer.put(f"{USERS}/me/wallet", {"walletAddress": ""}).json()["walletAddress"] is None


@pytest.mark.parametrize("wrong", ["0x5a", WALLET.replace("5aA", "5AA"), None, 7])
def test_a_wrong_wallet_is_named(performer, wrong):
    answer = performer.put(f"{USERS}/me/wallet", {"walletAddress": wrong})
    assert (answer.status_code, pointers(answer)) == (400, ["/body/walletAddress"])


def test_only_the_wallet_is_written(performer):
    for more in ({"questCreationPoints": 99}, {"userId": CREATOR.sub}, {"experience": 9999}):
        answer = performer.put(f"{USERS}/me/wallet", {"walletAddress": WALLET} | more)
        assert (answer.status_code, pointers(answer)) == (400, [f"/body/{name}" for name in more])
    assert figures(PERFORMER) == (10, 0, 0)
    assert account_of(PERFORMER).wallet_address is None


def test_the_fourth_wallet_in_a_minute_has_to_wait(performer):
    answers = [performer.put(f"{USERS}/me/wallet", {"walletAddress": WALLET}) for _number in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1]["Retry-After"]) > 0


def test_the_leaderboard_of_a_month(bystander):
    completed()
    month = month_of(datetime.now(UTC))
    told = [
        {
            "place": 1,
            "userId": PERFORMER.sub,
            "username": PERFORMER.name,
            "experience": 100,
            "questsCompleted": 1,
        }
    ]
    assert bystander.get("/api/v1/quests/leaderboard").json() == told
    assert bystander.get(f"/api/v1/quests/leaderboard?month={month}").json() == told
    assert bystander.get("/api/v1/quests/leaderboard?month=2020-01").json() == []


def test_a_steward_adjusts_the_points_of_others_once(steward):
    sent = {"points": 3, "note": "Für die Grillfeier"}
    first = steward.post(f"{USERS}/{PERFORMER.sub}/adjust", sent, idempotency_key="adjust")
    again = steward.post(f"{USERS}/{PERFORMER.sub}/adjust", sent, idempotency_key="adjust")
    assert (first.status_code, first.json()["questCreationPoints"]) == (200, 13)
    assert (again.status_code, again.json()) == (200, first.json())
    assert ledger_agrees(PERFORMER)


def test_a_booking_does_not_tell_the_key_of_its_request(steward):
    sent = {"points": 3, "note": "Für die Grillfeier"}
    steward.post(f"{USERS}/{PERFORMER.sub}/adjust", sent, idempotency_key="a-secret-key")
    adjusted, _start = steward.get(f"{USERS}/{PERFORMER.sub}/ledger").json()
    assert adjusted["entryId"].startswith(f"ADJUST#{STEWARD.sub}#")
    assert "secret" not in adjusted["entryId"]


@pytest.mark.parametrize(
    ("wrong", "status", "pointer"),
    [
        ({"points": 0}, 400, "/body/points"),
        ({"points": 101}, 400, "/body/points"),
        ({"note": "Tja"}, 400, "/body/note"),
        ({"points": -11}, 422, "/body/points"),
    ],
)
def test_what_is_wrong_in_an_adjustment_is_named(steward, wrong, status, pointer):
    sent = {"points": 3, "note": "Für die Grillfeier"} | wrong
    answer = steward.post(f"{USERS}/{PERFORMER.sub}/adjust", sent)
    assert (answer.status_code, pointers(answer), "Retry-After" in answer) == (status, [pointer], False)
    assert figures(PERFORMER) == (10, 0, 0)


def test_nobody_adjusts_their_own_points_and_members_nobodys(steward, performer):
    sent = {"points": 3, "note": "Für die Grillfeier"}
    assert steward.post(f"{USERS}/{STEWARD.sub}/adjust", sent).status_code == 403
    assert performer.post(f"{USERS}/{CREATOR.sub}/adjust", sent).status_code == 403
    assert steward.post(f"{USERS}/nobody/adjust", sent).status_code == 404
    assert (figures(STEWARD)[0], figures(CREATOR)[0]) == (10, 10)


@pytest.mark.parametrize("month", ["2026-13", "2026", "now", ""])
def test_a_month_is_a_month(bystander, month):
    answer = bystander.get(f"/api/v1/quests/leaderboard?month={month}")
    assert (answer.status_code, pointers(answer)) == (400, ["/query/month"])
