"""Whoever may not take a step is told that first, not what to correct in its form; what was typed stays."""

import pytest

from quests.services import lifecycle
from tests.quests.board import CREATOR, STEWARD, claimed, disputed, figures, offered, open_accounts

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def test_who_lost_the_quest_meanwhile_hears_it_and_keeps_a_text_that_is_too_short(as_role):
    quest = claimed()
    lifecycle.recall(STEWARD, quest.id, note="Seit elf Tagen nichts gehört.")

    response = as_role("other-member").post(f"/quests/{quest.id}/do/submit", {"text": "Geflickt"})

    page = response.content.decode()
    assert response.status_code == 409
    assert "<p>Nobody has claimed this quest.</p>" in page
    assert '<blockquote class="typed"><p>Geflickt</p></blockquote>' in page


@pytest.mark.parametrize(
    ("made", "role", "address", "code", "says"),
    [
        (disputed, "official", "do/decide", 403, "Only a steward can do that."),
        (claimed, "official", "do/submit", 403, "Only the person who claimed this quest can do that."),
        (claimed, "member", "do/dispute", 409, "Someone has claimed this quest."),
        (offered, "official", "edit/", 403, "Only the person who offers this quest can do that."),
        (claimed, "member", "edit/", 409, "Someone has claimed this quest."),
    ],
)
def test_the_rule_is_asked_before_the_form(as_role, made, role, address, code, says):
    quest = made()

    response = as_role(role).post(f"/quests/{quest.id}/{address}", {"title": "zu"})

    assert response.status_code == code
    assert says in response.content.decode()


def test_who_edits_what_was_taken_on_meanwhile_keeps_what_was_typed(as_role):
    response = as_role("member").post(
        f"/quests/{claimed().id}/edit/", {"title": "Netz", "description": "kurz"}
    )

    assert response.status_code == 409
    assert 'value="Netz"' in response.content.decode()


@pytest.mark.parametrize("reason", ["x" * 30, "zu kurz"])
def test_a_dispute_at_another_point_is_a_409(as_role, reason):
    response = as_role("member").post(f"/quests/{claimed().id}/do/dispute", {"reason": reason})

    assert response.status_code == 409
    assert "Someone has claimed this quest." in response.content.decode()


def test_at_the_desk_the_rule_is_asked_before_the_form_too(as_role):
    quest = disputed()
    lifecycle.decide(STEWARD, quest.id, decision="cancel", note="Beide angehört.")

    response = as_role("steward").post(f"/quests/desk/decide/{quest.id}", {"note": "Nein, weil ich es sage"})

    assert response.status_code == 409
    assert "This quest was cancelled." in response.content.decode()
    assert "Nein, weil ich es sage" in response.content.decode()


def test_a_steward_does_not_adjust_the_own_points(as_role):
    client, address = as_role("steward"), f"/quests/people/{STEWARD.sub}/adjust"

    assert client.get(address).status_code == 403
    response = client.post(address, {"points": "5", "note": "Weil ich es kann", "once": "k1"})

    assert response.status_code == 403
    assert "Another steward" in response.content.decode()
    assert "Adjust points" not in client.get(f"/quests/people/{STEWARD.sub}/").content.decode()
    assert "Adjust points" in client.get(f"/quests/people/{CREATOR.sub}/").content.decode()


def test_an_adjustment_is_booked_once_and_not_without_its_key(as_role):
    client, address = as_role("steward"), f"/quests/people/{CREATOR.sub}/adjust"

    assert client.post(address, {"points": "5", "note": "Für das Fest"}).status_code == 400
    assert figures(CREATOR)[0] == 10
    for _time in range(2):
        client.post(address, {"points": "5", "note": "Für das Fest", "once": "k1"})
    assert figures(CREATOR)[0] == 15
