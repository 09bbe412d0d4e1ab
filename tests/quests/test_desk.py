"""The stewards' desk: what it lists, what it costs, and that each action is asked, done once and told."""

from datetime import timedelta

import pytest

from core.dynamo import history, metering
from core.dynamo.attributes import now
from core.dynamo.errors import Invalid
from core.stores.limits import Limiter
from quests import limits, repository
from quests.errors import WrongStatus
from quests.models import ABANDONED, CANCELLED, COMPLETE, DISPUTED, OPEN, PAID, PENDING
from quests.services import accounts, lifecycle, rewards
from tests.cast import CAST
from tests.quests.accounts import remove_account
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    STEWARD,
    account_of,
    claimed,
    disputed,
    figures,
    ledger_agrees,
    offered,
    open_accounts,
    stored,
    submitted,
)

pytestmark = pytest.mark.usefixtures("db")
REASON = "Beide Seiten angehört."


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


@pytest.fixture
def failed():
    quest = submitted()
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)
    (record,) = repository.failed_rewards.with_status(PENDING).items
    return record


def titles(response):
    return [row.title for row in response.context["rows"]]


def record_now(record):
    return repository.failed_rewards.get(record.id, strong=True)


def address_of(record, verb):
    return f"/quests/desk/rewards/{record.id.replace('#', '%23')}/{verb}"


def test_disputes_are_listed_for_three_requests(as_role):
    disputed(title="Netz in Halle 2")
    submitted(title="Noch kein Streit")
    client = as_role("steward")
    with metering.metered() as cost:
        page = client.get("/quests/desk/")

    assert titles(page) == ["Netz in Halle 2"]
    assert cost.operations == ["GetItem", "Query", "BatchGetItem"]
    assert "Maya Rosenthal" in page.content.decode()


def test_a_steward_who_is_part_of_a_quest_sees_why_there_is_no_button(as_role):
    quest = offered(STEWARD)
    lifecycle.claim(PERFORMER, quest.id)
    lifecycle.submit(PERFORMER, quest.id, text="Alles erledigt, bitte ansehen.", photos=[])
    lifecycle.dispute(PERFORMER, quest.id, reason="Niemand bestätigt meine Arbeit.")
    client = as_role("steward")

    assert "Another steward has to decide" in client.get("/quests/desk/").content.decode()
    assert client.get(f"/quests/desk/decide/{quest.id}").status_code == 403
    sent = {"decision": "cancel", "note": REASON}
    assert client.post(f"/quests/desk/decide/{quest.id}", sent).status_code == 403


@pytest.mark.parametrize(
    ("decision", "status", "rewarded"),
    [("complete", COMPLETE, (12, 100, 10)), ("reopen", OPEN, (10, 0, 0)), ("cancel", CANCELLED, (10, 0, 0))],
)
def test_a_decision_is_asked_and_carried_out_once(as_role, decision, status, rewarded):
    quest = disputed()
    client = as_role("steward")
    asked = client.get(f"/quests/desk/decide/{quest.id}", HTTP_HX_REQUEST="true").content.decode()
    assert "<dialog" in asked
    assert "Das Netz hat noch immer zwei Löcher." in asked

    sent = {"decision": decision, "note": REASON, "once": "k1"}
    with metering.metered() as cost:
        response = client.post(f"/quests/desk/decide/{quest.id}", sent)
    again = client.post(f"/quests/desk/decide/{quest.id}", sent)

    assert [response.status_code, again.status_code] == [302, 302]
    assert len(cost.operations) == 4
    assert (stored(quest).status, stored(quest).decision_note) == (status, REASON)
    assert figures(PERFORMER) == rewarded
    entry = history.entries("quest", quest.id).items[0]
    assert (entry.verb, entry.actor_name) == ("decide", "Stellan Okafor")


def test_a_decision_without_a_reason_is_not_carried_out(as_role):
    quest = disputed()
    page = as_role("steward").post(f"/quests/desk/decide/{quest.id}", {"decision": "cancel", "note": " "})

    assert page.status_code == 422
    assert "Enter a reason." in page.content.decode()
    assert stored(quest).version == quest.version


def test_what_was_decided_meanwhile_is_told_with_its_status(as_role):
    quest = disputed()
    lifecycle.decide(CAST["admin"], quest.id, decision="cancel", note=REASON)
    page = as_role("steward").post(
        f"/quests/desk/decide/{quest.id}", {"decision": "complete", "note": REASON, "once": "k2"}
    )

    assert page.status_code == 409
    assert "This quest was cancelled." in page.content.decode()


def test_a_decision_that_comes_too_often_is_shown_as_typed(as_role, monkeypatch):
    quest = disputed()
    monkeypatch.setattr(limits, "OTHERS", Limiter("quest-other-test", limit=1, seconds=limits.MINUTE))
    limits.enforce_limit("desk", CAST["steward"].sub)
    typed = {"decision": "complete", "note": REASON, "once": "k1"}

    for headers in ({}, {"HX-Request": "true"}):
        page = as_role("steward").post(f"/quests/desk/decide/{quest.id}", typed, headers=headers)

        assert page.status_code == 429
        assert int(page["Retry-After"]) > 0
        assert REASON in page.content.decode()
    assert stored(quest).status == DISPUTED


def test_only_claims_that_end_soon_are_stale_and_are_recalled(as_role, monkeypatch):
    claimed(title="Gerade erst begonnen")
    monkeypatch.setattr("quests.services.lifecycle.now", lambda: now() - timedelta(days=11))
    stale = claimed(title="Seit elf Tagen nichts")
    monkeypatch.undo()
    client = as_role("steward")
    with metering.metered() as cost:
        page = client.get("/quests/desk/claims/")
    assert titles(page) == ["Seit elf Tagen nichts"]
    assert cost.operations == ["GetItem", "Query", "BatchGetItem"]

    sent = {"note": "Seit elf Tagen nichts gehört.", "once": "k1"}
    assert client.get(f"/quests/desk/recall/{stale.id}").status_code == 200
    assert client.post(f"/quests/desk/recall/{stale.id}", sent)["Location"] == "/quests/desk/claims/"
    assert (stored(stale).status, stored(stale).performer_id) == (OPEN, None)
    assert client.post(f"/quests/desk/recall/{stale.id}", sent).status_code == 302
    assert [entry.verb for entry in history.entries("quest", stale.id).items] == ["recall", "claim", "create"]


def test_offers_that_end_within_a_week_are_listed(as_role):
    offered(title="Endet morgen", expires_at=now() + timedelta(days=1))
    offered(title="Endet in acht Tagen", expires_at=now() + timedelta(days=8))
    offered(title="Ist schon zu Ende", expires_at=now() - timedelta(seconds=1))
    claimed(title="Läuft und endet nicht", expires_at=now() + timedelta(days=2))

    assert titles(as_role("steward").get("/quests/desk/expiring/")) == ["Endet morgen"]
    assert titles(as_role("steward").get("/quests/desk/expiring/?status=CLAIMED")) == ["Endet morgen"]


def test_failed_rewards_are_listed_with_their_reason(as_role, failed):
    client = as_role("steward")
    with metering.metered() as cost:
        page = client.get("/quests/desk/rewards/")

    assert cost.operations == ["GetItem", "Query", "BatchGetItem"]
    text = page.content.decode()
    assert "Someone without an account" in text
    assert "This person has no account on the quest board." in text
    assert "100 XP, 10 reputation, 2 points" in text
    assert titles(client.get("/quests/desk/rewards/", {"status": "abandoned"})) == []


def test_a_retry_books_once_and_says_what_came_of_it(as_role, failed):
    client = as_role("steward")
    assert client.get(address_of(failed, "retry")).status_code == 200
    with metering.metered() as cost:
        client.post(address_of(failed, "retry"), {"once": "k1"})
    # The second transaction counts what the first one could not book.
    assert cost.operations == ["GetItem", "UpdateItem", *["GetItem"] * 2, *["TransactWriteItems"] * 2]
    assert "It failed again" in client.get("/quests/desk/rewards/").content.decode()
    assert int(record_now(failed).retry_count) == 1
    client.post(address_of(failed, "retry"), {"once": "k1"})
    assert int(record_now(failed).retry_count) == 1

    accounts.open_account(PERFORMER)
    with metering.metered() as cost:
        assert client.post(address_of(failed, "retry"), {"once": "k2"}).status_code == 302
    assert cost.operations == ["GetItem", "UpdateItem", "GetItem", "GetItem", "TransactWriteItems"]
    assert client.post(address_of(failed, "retry"), {"once": "k2"}).status_code == 302
    assert client.post(address_of(failed, "retry"), {"once": "k3"}).status_code == 409

    assert record_now(failed).status == PAID
    assert figures(PERFORMER) == (12, 100, 10)
    assert ledger_agrees(PERFORMER)
    told = [(entry.verb, entry.actor_name) for entry in history.entries("failed-reward", failed.id).items]
    assert told[:2] == [("retry", "Stellan Okafor"), ("retry", "Stellan Okafor")]
    row = repository.ledger.get(PERFORMER.sub, failed.id)
    assert row.actor_id == STEWARD.sub


def test_a_retry_leaves_alone_what_a_run_is_at(as_role, failed):
    accounts.open_account(PERFORMER)
    repository.failed_rewards.lease(failed, "a-run")
    client = as_role("steward")
    client.post(address_of(failed, "retry"), {"once": "k1"})

    assert ("Someone else is working on it right now.") in client.get(
        "/quests/desk/rewards/"
    ).content.decode()
    assert (record_now(failed).status, record_now(failed).lease_owner) == (PENDING, "a-run")
    assert figures(PERFORMER) == (10, 0, 0)


def test_a_reward_is_given_up_and_reopened(as_role, failed):
    client = as_role("steward")
    version = client.get(address_of(failed, "abandon")).context["record"].seen_version
    assert client.post(address_of(failed, "abandon"), {"version": version, "once": "k1"}).status_code == 302
    assert client.post(address_of(failed, "abandon"), {"version": version, "once": "k1"}).status_code == 302
    assert record_now(failed).status == ABANDONED
    assert client.post(address_of(failed, "abandon"), {"version": version, "once": "k2"}).status_code == 409

    stale = {"version": version, "once": "k3"}
    assert client.post(address_of(failed, "reopen"), stale).status_code == 409
    version = client.get(address_of(failed, "reopen")).context["record"].seen_version
    client.post(address_of(failed, "reopen"), {"version": version, "once": "k4"})

    assert record_now(failed).status == PENDING
    verbs = [entry.verb for entry in history.entries("failed-reward", failed.id).items]
    assert verbs == ["reopen", "abandon", "create"]


def test_people_are_looked_up_by_name(as_role):
    offered(title="Milan hilft beim Aufbau")
    client = as_role("steward")

    assert titles(client.get("/quests/desk/people/", {"q": "mil"})) == ["Milan Petrov"]
    assert titles(client.get("/quests/desk/people/")) == []
    assert (
        "Nobody on the quest board is called"
        in client.get("/quests/desk/people/", {"q": "zz"}).content.decode()
    )


def test_points_are_adjusted_once_with_a_reason(as_role):
    client = as_role("steward")
    address = f"/quests/people/{PERFORMER.sub}/adjust"
    assert "<dialog" in client.get(address, HTTP_HX_REQUEST="true").content.decode()
    sent = {"points": "5", "note": "Hilfe beim Sommerfest", "once": "k1"}
    with metering.metered() as cost:
        client.post(address, sent)
    client.post(address, sent)

    assert figures(PERFORMER) == (15, 0, 0)
    assert ledger_agrees(PERFORMER)
    assert len(cost.operations) == 4
    newest = repository.ledger.of_user(PERFORMER.sub, limit=1).items[0]
    assert (newest.note, newest.actor_id, int(newest.points)) == ("Hilfe beim Sommerfest", STEWARD.sub, 5)


@pytest.mark.parametrize(
    ("points", "note", "says"),
    [
        ("-11", "Zu viel gebucht", "This person does not have that many points."),
        ("0", "Zu viel gebucht", "Enter how many points to add or remove."),
        ("101", "Zu viel gebucht", "less than or equal to 100"),
        ("3", "", "Enter a reason."),
    ],
)
def test_points_that_cannot_be_adjusted(as_role, points, note, says):
    page = as_role("steward").post(
        f"/quests/people/{PERFORMER.sub}/adjust", {"points": points, "note": note, "once": "k1"}
    )

    assert page.status_code == 422
    assert says in page.content.decode()
    assert int(account_of(PERFORMER).points) == 10


@pytest.mark.parametrize("role", ["member", "official", "moderator", "scout-lead"])
def test_the_desk_is_for_stewards(as_role, role):
    client = as_role(role)
    for address in ("", "claims/", "rewards/", "expiring/", "people/", "settings/"):
        assert client.get(f"/quests/desk/{address}").status_code == 403


def test_flags_are_shown_with_whom_they_are_for(as_role, settings):
    chosen = {"FF_REWARD_DISTRIBUTION": "25%", "FF_DISPUTE_RESOLUTION": "internal"}
    settings.QUEST_FLAGS = settings.QUEST_FLAGS | chosen
    page = as_role("steward").get("/quests/desk/settings/")

    shown = {flag.name: (str(flag.value), flag.is_on_for_you) for flag in page.context["flags"]}
    assert shown["FF_DISPUTE_RESOLUTION"] == ("for everyone in a group", True)
    assert shown["FF_REWARD_DISTRIBUTION"][0] == "for 25% of people"


def test_a_reward_that_was_given_up_can_only_be_reopened(as_role, failed):
    rewards.abandon(STEWARD, failed.id, seen_version=failed.seen_version)
    page = as_role("steward").get("/quests/desk/rewards/", {"status": "abandoned"}).content.decode()

    assert "Reopen" in page
    assert "Retry now" not in page


def test_no_points_are_no_adjustment():
    with pytest.raises(Invalid, match="Enter how many points to add or remove"):
        accounts.adjust_points(STEWARD, PERFORMER.sub, points=0, note=REASON)

    assert figures(PERFORMER) == (10, 0, 0)


def test_a_decision_that_does_not_exist_changes_nothing():
    quest = disputed()
    with pytest.raises(WrongStatus):
        lifecycle.decide(STEWARD, quest.id, decision="share", note=REASON)

    assert stored(quest).status == DISPUTED
