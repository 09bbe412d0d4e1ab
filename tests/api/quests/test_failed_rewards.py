"""Rewards that failed: stewards list, retry, abandon and reopen them by the API."""

import pytest

from core.dynamo import metering
from quests import repository
from quests.models import PENDING
from quests.services import accounts, lifecycle
from tests.api.programs import Program
from tests.quests.accounts import remove_account
from tests.quests.board import CREATOR, PERFORMER, figures, ledger_agrees, submitted

REWARDS = "/api/v1/quests/failed-rewards"


@pytest.fixture
def failed():
    """A reward of somebody whose account was removed."""
    quest = submitted()
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)
    return repository.failed_rewards.with_status(PENDING).items[0]


def address(record, verb=""):
    return f"{REWARDS}/{record.id.replace('#', '%23')}{verb and '/' + verb}"


def test_a_failed_reward_has_the_fields_of_its_document(steward, failed):
    (told,) = steward.get(REWARDS).json()
    assert told == {
        "recordId": failed.id,
        "userId": PERFORMER.sub,
        "questId": failed.quest_id,
        "xp": 100,
        "reputation": 10,
        "questPoints": 2,
        "error": "This person has no account on the quest board.",
        "status": "pending",
        "retryCount": 0,
        **dict.fromkeys(("leaseOwner", "leaseExpiresAt", "lastRetryAt", "completedAt")),
        "createdAt": told["createdAt"],
        "updatedAt": told["updatedAt"],
        "version": failed.version,
    }
    assert steward.get(address(failed)).json() == told
    assert steward.get(f"{REWARDS}?status=abandoned").json() == []
    assert steward.get(f"{REWARDS}?status=retrying").status_code == 400


def test_a_list_of_them_costs_one_request_and_one_for_the_session(steward, failed):
    with metering.metered() as meter:
        assert len(steward.get(f"{REWARDS}?limit=100").json()["items"]) == 1
    assert meter.requests == 2


def test_a_retry_books_the_reward_once(steward, failed):
    accounts.open_account(PERFORMER)
    for _time in range(2):
        answer = steward.post(address(failed, "retry"), idempotency_key="retry")
        assert (answer.status_code, answer.json()["status"]) == (200, "completed")
    assert steward.post(address(failed, "retry")).status_code == 409
    assert figures(PERFORMER) == (12, 100, 10)
    assert ledger_agrees(PERFORMER)
    assert [each["recordId"] for each in steward.get(f"{REWARDS}?status=completed").json()] == [failed.id]


def test_a_retry_that_fails_is_counted_and_the_fifth_is_the_last(steward, failed):
    told = [steward.post(address(failed, "retry")).json() for _number in range(5)]
    assert [(each["status"], each["retryCount"]) for each in told] == [
        *(("pending", number) for number in range(1, 5)),
        ("abandoned", 5),
    ]


def test_a_retry_while_a_run_is_at_it_is_a_conflict(steward, failed):
    repository.failed_rewards.lease(failed, "a run")
    answer = steward.post(address(failed, "retry"))
    assert (answer.status_code, answer.json()["detail"]) == (409, "Someone else is working on it right now.")


def test_a_reward_is_given_up_and_reopened_by_who_has_seen_it(steward, failed):
    assert steward.post(address(failed, "abandon")).status_code == 428
    assert steward.post(address(failed, "abandon"), if_match='"7"').status_code == 412
    sent = {"if_match": f'"{failed.version}"', "idempotency_key": "abandon"}
    first = steward.post(address(failed, "abandon"), **sent)
    assert (first.status_code, first.json()["status"]) == (200, "abandoned")
    assert steward.post(address(failed, "abandon"), **sent).json() == first.json()
    reopened = steward.post(address(failed, "reopen"), if_match=first["ETag"])
    assert (reopened.status_code, reopened.json()["status"]) == (200, "pending")
    assert steward.post(address(failed, "reopen"), if_match=reopened["ETag"]).status_code == 409


def test_failed_rewards_are_for_stewards(program, failed):
    for role, status in (("member", 403), ("official", 403), ("guest", 403), ("stranger", 401)):
        one = Program(role)
        assert one.get(REWARDS).status_code == status
        assert one.get(address(failed)).status_code == status
        for verb in ("retry", "abandon", "reopen"):
            assert one.post(address(failed, verb), if_match='"1"').status_code == status
    assert program("steward").get(f"{REWARDS}/nothing").status_code == 404
