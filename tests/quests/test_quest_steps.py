"""The steps of a quest as its page sends them: done once, refused in words, with nothing typed lost."""

import re

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from core.dynamo import metering
from quests.limits import LIMITS
from quests.models import CANCELLED, CLAIMED, COMPLETE, DISPUTED, OPEN, SUBMITTED
from quests.services import lifecycle
from tests.cast import STRANGER, sign_in
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    TEXT,
    claimed,
    completed,
    disputed,
    figures,
    offered,
    stored,
    submitted,
)
from tests.quests.steps import NOTE, send

pytestmark = pytest.mark.usefixtures("db", "accounts")
HTMX = {"HX-Request": "true"}


@pytest.mark.parametrize(
    ("made", "role", "verb", "fields", "status", "told"),
    [
        (offered, "other-member", "claim", {}, CLAIMED, "Claimed. You have 14 days."),
        (claimed, "other-member", "release", {}, OPEN, "Released. It is open for others again."),
        (
            claimed,
            "other-member",
            "submit",
            {"text": TEXT},
            SUBMITTED,
            "Submitted. Now both of you have to confirm it.",
        ),
        (claimed, "steward", "recall", {"note": NOTE}, OPEN, "Quest reopened."),
        (offered, "steward", "take_down", {"note": NOTE}, CANCELLED, "Quest cancelled."),
        (
            submitted,
            "member",
            "request_changes",
            {"note": NOTE},
            CLAIMED,
            "Changes requested.",
        ),
        (submitted, "member", "attest", {"notes": ""}, SUBMITTED, "Confirmed."),
        (submitted, "other-member", "dispute", {"reason": NOTE}, DISPUTED, "A steward will decide."),
        (
            disputed,
            "steward",
            "decide",
            {"decision": "cancel", "note": NOTE},
            CANCELLED,
            "Dispute resolved.",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_step_is_taken_and_told(made, role, verb, fields, status, told):
    quest = made()

    response = send(role, quest, verb, fields)

    assert (response.status_code, response["Location"]) == (302, f"/quests/{quest.id}/")
    assert stored(quest).status == status
    assert [str(message) for message in get_messages(response.wsgi_request)] == [told]


def test_deleting_gives_the_point_back_and_leads_to_my_quests():
    quest = offered()
    assert figures(CREATOR)[0] == 9

    response = send("member", quest, "delete", {"once": "once"})

    assert response["Location"] == "/quests/mine/"
    assert figures(CREATOR)[0] == 10
    assert send("member", quest, "delete", {"once": "once"})["Location"] == "/quests/mine/"
    assert send("member", quest, "delete").status_code == 404


def test_the_second_confirmation_completes_and_pays():
    quest = submitted()
    send("member", quest, "attest", {"notes": "Danke!"})
    send("other-member", quest, "attest", {"notes": ""})

    assert stored(quest).status == COMPLETE
    assert figures(PERFORMER) == (12, 100, 10)
    assert stored(quest).attestations[0]["notes"] == "Danke!"


@pytest.mark.parametrize(("verb", "made"), [("claim", offered), ("attest", submitted)])
def test_a_step_costs_four_requests(verb, made):
    quest = made()
    client = sign_in(Client(), "other-member")
    with metering.metered() as meter:
        client.post(f"/quests/{quest.id}/do/{verb}", {"once": "once"})

    assert meter.requests == 4
    assert meter.operations[0] == "GetItem"
    assert meter.operations[-2:] == ["GetItem", "TransactWriteItems"]


def words_of(response):
    return re.sub("<[^>]+>", " ", response.content.decode()).split()


@pytest.mark.parametrize(
    ("made", "role", "verb", "fields", "shows"),
    [
        (offered, "other-member", "claim", {}, "Claimed. You have 14 days."),
        (submitted, "member", "attest", {"notes": "Danke!"}, "1 of 2 confirmations"),
        (disputed, "steward", "decide", {"decision": "complete", "note": NOTE}, "The quest is completed."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_htmx_gets_the_quest_as_it_is_now_for_two_requests_more(made, role, verb, fields, shows):
    quest = made()
    client = sign_in(Client(), role)
    with metering.metered() as meter:
        response = client.post(f"/quests/{quest.id}/do/{verb}", {"once": "once", **fields}, headers=HTMX)

    page = response.content.decode()
    assert shows in page
    assert "<html" not in page
    assert meter.operations == [
        *("GetItem", "UpdateItem", "GetItem", "TransactWriteItems"),
        *("Query", "BatchGetItem"),
    ]
    # What it brings along behind them is the message.
    words = words_of(client.get(f"/quests/{quest.id}/", headers=HTMX))
    assert words_of(response)[: len(words)] == words


def test_a_form_that_is_sent_twice_is_done_once_and_told_the_same():
    quest = submitted()
    answers = [send("member", quest, "attest", {"notes": "Danke!", "once": "same-key"}) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert len(stored(quest).attestations) == 1


@pytest.mark.parametrize(
    ("made", "role", "verb", "fields", "code", "says"),
    [
        (offered, "member", "claim", {}, 400, "This is your own quest. Someone else has to claim it."),
        (claimed, "official", "claim", {}, 409, "Someone has claimed this quest."),
        (
            claimed,
            "official",
            "submit",
            {"text": TEXT},
            403,
            "Only the person who claimed this quest can do that.",
        ),
        (submitted, "official", "attest", {}, 403, "Only the two people of this quest can do that."),
        (claimed, "member", "recall", {"note": NOTE}, 403, "Only a steward can do that."),
        (offered, "official", "take_down", {"note": NOTE}, 403, "Only a steward can do that."),
        (
            disputed,
            "member",
            "decide",
            {"decision": "complete", "note": NOTE},
            403,
            "Only a steward can do that.",
        ),
        (completed, "member", "dispute", {"reason": NOTE}, 409, "This quest is completed."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_what_cannot_be_done_is_refused_in_place_with_its_code_and_its_reason(
    made, role, verb, fields, code, says, headers
):
    quest = made()

    response = send(role, quest, verb, fields, **headers)

    page = response.content.decode()
    assert response.status_code == code
    assert f"<p>{says}</p>" in page
    assert stored(quest).seen_version == quest.seen_version
    notice = page[page.index('id="refused"') : page.index('class="quest-page"')]
    assert quest.id not in notice.replace(f"/quests/{quest.id}/", "")
    assert all(value in page for value in fields.values() if len(value) > 20)
    if headers:
        assert response["HX-Retarget"] == response["HX-Reselect"] == "#quest"
        assert "<html" not in page


def test_confirming_twice_is_a_409():
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id)

    response = send("member", quest, "attest", {"notes": "Noch einmal."})

    assert response.status_code == 409
    assert "You have already confirmed this quest." in response.content.decode()
    assert "Noch einmal." in response.content.decode()


@pytest.mark.parametrize(
    ("made", "role", "verb", "field", "text", "says"),
    [
        (claimed, "other-member", "submit", "text", "zu kurz", "at least 10 characters"),
        (claimed, "other-member", "submit", "text", "x" * 2001, "at most 2000 characters"),
        (submitted, "member", "dispute", "reason", "nicht lang genug", "at least 20 characters"),
        (submitted, "member", "attest", "notes", "x" * 501, "at most 500 characters"),
        (submitted, "member", "request_changes", "note", "", "This field is required."),
    ],
    ids=lambda value: value[:10] if isinstance(value, str) else "",
)
def test_what_is_too_short_or_too_long_is_said_at_its_field_and_kept(made, role, verb, field, text, says):
    quest = made()

    response = send(role, quest, verb, {field: text})

    page = response.content.decode()
    assert response.status_code == 422
    assert says in page
    assert text in page
    assert stored(quest).seen_version == quest.seen_version


def test_line_breaks_count_once():
    quest = claimed()

    assert send("other-member", quest, "submit", {"text": "x\r\n" * 999 + "xx"}).status_code == 302
    assert len(stored(quest).submission_text) == 2000


def test_whoever_is_too_fast_is_told_when_to_try_again_and_keeps_what_was_typed():
    quest = submitted()
    for _number in range(5):
        LIMITS["dispute"].acquire(CREATOR.sub)

    response = send("member", quest, "dispute", {"reason": NOTE})

    assert response.status_code == 429
    assert 1 <= int(response["Retry-After"]) < 120
    page = response.content.decode()
    assert "Too many attempts." in page
    assert NOTE in page
    assert stored(quest).status == SUBMITTED


def test_each_step_has_its_limit():
    assert {name: (limiter.limit, limiter.seconds) for name, limiter in LIMITS.items()} == {
        "create": (5, 60),
        "claim": (20, 60),
        "submit": (10, 60),
        "attest": (10, 60),
        "dispute": (5, 60),
        "wallet": (3, 60),
    }


def test_there_are_no_other_steps():
    assert send("admin", offered(), "complete").status_code == 404
    assert send(STRANGER, offered(), "claim").status_code == 401


# --- What is switched off ----------------------------------------------------------------------------------


def test_no_signature_is_asked_for_or_kept_since_none_can_be_verified():
    quest = submitted()
    page = sign_in(Client(), "member").get(f"/quests/{quest.id}/").content.decode()
    assert 'name="signature"' not in page

    assert send("member", quest, "attest", {"notes": "", "signature": "0x" + "ab" * 65}).status_code == 302
    assert stored(quest).attestations[0].keys() == {"user_id", "role", "attested_at"}


def test_disputes_can_be_switched_off(settings):
    settings.QUEST_FLAGS = settings.QUEST_FLAGS | {"FF_DISPUTE_RESOLUTION": "false"}
    quest = submitted()

    response = send("member", quest, "dispute", {"reason": NOTE})

    assert response.status_code == 403
    assert "Disputes are switched off." in response.content.decode()
    assert 'id="do-dispute"' not in response.content.decode()
