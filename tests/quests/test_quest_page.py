"""The page of a quest: everything about it, the steps that this person can take, and why not the others."""

import re

import pytest
from django.test import Client

from core.dynamo import metering
from quests import repository
from quests.services import lifecycle
from tests.cast import ROLES, STRANGER, sign_in
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    STEWARD,
    TEXT,
    claimed,
    completed,
    disputed,
    offered,
    open_accounts,
    submitted,
)
from tests.quests.test_board import fill

pytestmark = pytest.mark.usefixtures("db")
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def page_of(quest, role, **options):
    return sign_in(Client(), role).get(f"/quests/{quest.id}/", **options)


def steps_offered(response):
    return re.findall(r'id="do-(\w+)"', response.content.decode())


def timeline(response):
    return [re.sub("<[^>]+>", "", step.sentence) for step in response.context["timeline"]]


def reasons(response):
    return {title: reason for reason, titles in response.context["reasons"] for title in titles}


@pytest.mark.parametrize("role", ROLES)
def test_members_see_a_quest(role):
    assert page_of(offered(), role).status_code == {STRANGER: 302, "guest": 403}.get(role, 200)


@pytest.mark.parametrize(
    ("made", "role", "steps"),
    [
        (offered, "member", ["delete"]),
        (offered, "other-member", ["claim"]),
        (offered, "steward", ["claim", "take_down"]),
        (claimed, "member", []),
        (claimed, "other-member", ["submit", "release"]),
        (claimed, "steward", ["recall"]),
        (submitted, "member", ["attest", "request_changes", "dispute"]),
        (submitted, "other-member", ["attest", "dispute"]),
        (submitted, "official", []),
        (disputed, "member", []),
        (disputed, "other-member", ["answer"]),
        (disputed, "official", []),
        (disputed, "steward", ["decide"]),
        (completed, "steward", []),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_only_the_steps_that_this_person_can_take_now_are_offered(made, role, steps):
    assert steps_offered(page_of(made(), role)) == steps


def test_why_the_others_are_not_there_is_said_quietly():
    assert reasons(page_of(offered(), "member")) == {
        "Claim": "This is your own quest. Someone else has to claim it.",
        "Cancel the quest": "Only a steward can do that.",
    }
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id)
    told = reasons(page_of(quest, "member"))
    assert told["Confirm"] == "You have already confirmed this quest."
    assert told["Request changes"] == (
        "You have already confirmed this work, so you can no longer request changes."
    )
    theirs = submitted()
    lifecycle.attest(PERFORMER, theirs.id)
    assert steps_offered(page_of(theirs, "member")) == ["attest", "request_changes", "dispute"]
    assert reasons(page_of(disputed(), "member")) == {
        "Answer the dispute": "You disputed it. Only the other side can answer.",
        "Resolve the dispute": "Only a steward can do that.",
    }


def test_the_work_the_confirmations_and_every_step_are_shown():
    quest = claimed()
    lifecycle.release(PERFORMER, quest.id)
    lifecycle.claim(PERFORMER, quest.id)
    lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[])
    lifecycle.attest(PERFORMER, quest.id, notes="Gern geschehen.")

    half = page_of(quest, "official")
    assert "1 of 2 confirmations" in half.content.decode()
    lifecycle.attest(CREATOR, quest.id)
    response = page_of(quest, "official")

    page = response.content.decode()
    for told in (TEXT, "2 of 2 confirmations", "Gern geschehen.", "Completed", "and 2 quest points"):
        assert told in page
    assert timeline(response) == [
        "Maya Rosenthal created it",
        "Milan Petrov claimed it",
        "Milan Petrov released it",
        "Milan Petrov claimed it",
        "Milan Petrov submitted it",
        "Milan Petrov confirmed it",
        "Maya Rosenthal confirmed it",
        "The quest is completed.",
    ]


@pytest.mark.parametrize(
    ("decision", "outcome"),
    [
        ("complete", "The quest is completed."),
        ("reopen", "Quest reopened."),
        ("cancel", "The quest is cancelled."),
    ],
)
def test_what_a_steward_decided_is_told(decision, outcome):
    quest = lifecycle.decide(STEWARD, disputed().id, decision=decision, note="Beide angehört.")

    response = page_of(quest, "member")

    assert timeline(response)[-2:] == ["Stellan Okafor resolved it", outcome]
    assert "Beide angehört." in response.content.decode()


def test_it_costs_three_requests():
    quest = completed()
    client = sign_in(Client(), "member")
    with metering.metered() as meter:
        client.get(f"/quests/{quest.id}/")

    assert meter.operations == ["BatchGetItem", "Query", "BatchGetItem"]


def test_a_quest_that_was_brought_in_from_elsewhere_names_its_people():
    fill(1)
    (quest,) = repository.quests.with_status("OPEN").items

    assert CREATOR.name in page_of(quest, "steward").content.decode()


def test_hostile_text_is_inert_everywhere():
    evil = "<script>alert(1)</script> <img src=x onerror=alert(2)>"
    quest = offered(title=evil, description=evil)
    lifecycle.claim(PERFORMER, quest.id)
    lifecycle.submit(PERFORMER, quest.id, text=evil, photos=[])
    lifecycle.request_changes(CREATOR, quest.id, note=evil)
    for address in (f"/quests/{quest.id}/", f"/quests/{quest.id}/history", "/quests/mine/", "/desk/"):
        page = sign_in(Client(), "member").get(address).content.decode()
        assert "<script>alert" not in page
        assert "<img src=x" not in page
    lifecycle.submit(PERFORMER, quest.id, text=evil, photos=[])
    lifecycle.attest(CREATOR, quest.id, notes=evil)
    lifecycle.dispute(PERFORMER, quest.id, reason=evil)
    lifecycle.decide(STEWARD, quest.id, decision="cancel", note=evil)
    page = page_of(quest, "other-member").content.decode()
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 6


@pytest.mark.parametrize("key", ["no-such-quest", "01a1e5b5-53d9-73d1-ad15-b6fa226293e5", "a|b", "%2F"])
def test_a_quest_that_is_not_there_is_not_found_and_its_key_is_not_repeated(as_role, key):
    response = as_role("member").get(f"/quests/{key}/")

    assert response.status_code == 404
    assert key not in response.content.decode()


# --- Another person's change -------------------------------------------------------------------------------


def test_an_open_page_asks_for_two_requests_whether_there_is_something_new():
    quest = claimed()
    client = sign_in(Client(), "member")
    address = f"/quests/{quest.id}/changes?seen={quest.seen_version}"
    assert address in client.get(f"/quests/{quest.id}/").content.decode()
    with metering.metered() as meter:
        unchanged = client.get(address, headers=HTMX)

    assert (unchanged.status_code, unchanged.content) == (204, b"")
    assert meter.operations == ["GetItem", "GetItem"]

    lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[])
    changed = client.get(address, headers=HTMX)
    assert TEXT in changed.content.decode()
    assert "<html" not in changed.content.decode()


def test_an_open_page_of_a_deleted_quest_says_so_and_asks_no_more():
    quest = offered()
    lifecycle.delete(CREATOR, quest.id)

    response = sign_in(Client(), "other-member").get(f"/quests/{quest.id}/changes?seen=1", headers=HTMX)

    assert "This quest no longer exists" in response.content.decode()
    assert "hx-trigger" not in response.content.decode()


def test_its_history_tells_each_change_and_offers_no_way_back_around_the_rules():
    quest = claimed()

    page = sign_in(Client(), "member").get(f"/quests/{quest.id}/history").content.decode()

    assert "claimed it" in page
    assert "Restore this version" not in page
