"""A dispute is between its two sides and the stewards: both say how they see it, and nobody else reads it."""

import pytest

from core.dynamo import history
from quests.errors import NotAllowed, StatusChanged, WrongStatus
from quests.models import DISPUTED
from quests.services import lifecycle
from tests.quests.board import (
    BYSTANDER,
    CREATOR,
    PERFORMER,
    STEWARD,
    TEXT,
    claimed,
    disputed,
    offered,
    open_accounts,
    stored,
    submitted,
)

pytestmark = pytest.mark.usefixtures("db")
REASON = "Das Netz hat noch immer zwei Löcher."
ANSWER = "Die zwei Löcher waren im rechten Netz, nicht im linken."
DECISION = "Das rechte Netz gehörte nicht dazu."
PHOTO = {"name": "netz.jpg", "s3Key": "private/quests/a/n.jpg", "smallKey": "private/quests/a/s.jpg"}


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def answered():
    return lifecycle.answer(PERFORMER, disputed().id, text=ANSWER)


def shown_to(client, quest):
    """Which of the three texts somebody can read anywhere: on the page, in its history and each version."""
    pages = [client.get(f"/quests/{quest.id}/{screen}") for screen in ("", "history", "changes?seen=0")]
    for entry in history.entries("quest", quest.id).items:
        pages.append(client.get(f"/quests/{quest.id}/version", {"entry": entry.entry_id}))
    assert {page.status_code for page in pages} == {200}
    everything = "".join(page.content.decode() for page in pages)
    return [text for text in (REASON, ANSWER, DECISION) if text in everything]


@pytest.mark.parametrize("decision", ["complete", "reopen", "cancel"])
@pytest.mark.parametrize(
    ("role", "reads"),
    [
        ("member", True),
        ("other-member", True),
        ("steward", True),
        ("admin", True),
        ("official", False),
        ("scout", False),
    ],
)
def test_only_both_sides_and_stewards_read_reasons_and_decisions(as_role, decision, role, reads):
    quest = lifecycle.decide(STEWARD, answered().id, decision=decision, note=DECISION)

    assert shown_to(as_role(role), quest) == ([REASON, ANSWER, DECISION] if reads else [])


def test_others_see_that_there_is_a_dispute_and_nothing_of_it(as_role):
    quest = answered()

    assert shown_to(as_role("official"), quest) == []
    page = as_role("official").get(f"/quests/{quest.id}/").content.decode()
    assert "Disputed" in page
    assert "disputed it" in page


def test_who_takes_the_quest_on_later_reads_nothing_of_the_earlier_dispute(as_role):
    quest = lifecycle.decide(STEWARD, answered().id, decision="reopen", note=DECISION)
    lifecycle.claim(BYSTANDER, quest.id)

    assert shown_to(as_role("official"), quest) == []
    assert shown_to(as_role("member"), quest) == [REASON, ANSWER, DECISION]


def test_why_a_steward_recalled_or_took_down_a_quest_is_for_its_people(as_role):
    recalled = lifecycle.recall(STEWARD, claimed().id, note=DECISION)
    taken_down = lifecycle.take_down(STEWARD, offered().id, note=DECISION)

    for quest, readers in ((recalled, ["member", "other-member"]), (taken_down, ["member"])):
        for role in ("member", "other-member", "official"):
            assert shown_to(as_role(role), quest) == ([DECISION] if role in readers else [])


def test_the_other_side_answers_once():
    quest = disputed()

    quest = lifecycle.answer(PERFORMER, quest.id, text=ANSWER)

    assert (quest.status, quest.dispute_answer) == (DISPUTED, ANSWER)
    with pytest.raises(WrongStatus, match="already been answered"):
        lifecycle.answer(PERFORMER, quest.id, text="Noch etwas dazu.")
    assert history.entries("quest", quest.id).items[0].verb == "answer"


def test_who_disputed_does_not_answer_and_neither_does_anybody_else():
    theirs = lifecycle.dispute(PERFORMER, submitted().id, reason="Niemand bestätigt meine Arbeit.")
    with pytest.raises(WrongStatus, match="the other side can answer"):
        lifecycle.answer(PERFORMER, theirs.id, text=ANSWER)
    assert lifecycle.answer(CREATOR, theirs.id, text=ANSWER).dispute_answer == ANSWER

    quest = disputed()
    for person in (BYSTANDER, STEWARD):
        with pytest.raises(NotAllowed):
            lifecycle.answer(person, quest.id, text=ANSWER)
    lifecycle.decide(STEWARD, quest.id, decision="cancel", note=DECISION)
    with pytest.raises(StatusChanged):
        lifecycle.answer(PERFORMER, quest.id, text=ANSWER)


def test_an_answer_is_sent_from_the_page_of_the_quest(as_role):
    quest = disputed()
    client = as_role("other-member")
    form = client.get(f"/quests/{quest.id}/").content.decode().partition('id="form-answer"')[2]
    assert TEXT not in form.partition("</form>")[0]

    assert client.post(f"/quests/{quest.id}/do/answer", {"text": ANSWER}).status_code == 302

    assert stored(quest).dispute_answer == ANSWER


def test_the_desk_shows_the_photos_and_what_both_sides_wrote(as_role):
    quest = lifecycle.submit(PERFORMER, claimed().id, text=TEXT, photos=[PHOTO])
    lifecycle.attest(PERFORMER, quest.id, notes="Gern geschehen.")
    lifecycle.dispute(CREATOR, quest.id, reason=REASON)
    client = as_role("steward")
    before = client.get(f"/quests/desk/decide/{quest.id}").content.decode()
    lifecycle.answer(PERFORMER, quest.id, text=ANSWER)
    after = client.get(f"/quests/desk/decide/{quest.id}").content.decode()

    assert "None yet." in before
    for told in (
        TEXT,
        REASON,
        ANSWER,
        "Note of Milan Petrov",
        "Gern geschehen.",
        f"/quests/{quest.id}/photos/a-s.jpg",
    ):
        assert told in after
