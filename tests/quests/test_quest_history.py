"""What the history of a quest shows: names and words, never keys, codes or signatures."""

import html
import re

import pytest

from core.dynamo import history
from quests import repository
from quests.services import lifecycle
from tests.quests.board import CREATOR, PERFORMER, STEWARD, disputed, open_accounts, stored, submitted

pytestmark = pytest.mark.usefixtures("db")
SIGNATURE = "0x" + "ab" * 65


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def words(response) -> str:
    text = re.sub(
        r"<head>.*?</head>|<(script|svg).*?</\1>|<[^>]+>", " ", response.content.decode(), flags=re.S
    )
    return " ".join(html.unescape(text).split())


def versions(client, quest) -> dict[str, str]:
    """The page of each change, by what was done; the latest of its kind."""
    return {
        entry.verb: words(client.get(f"/quests/{quest.id}/version", {"entry": entry.entry_id}))
        for entry in reversed(history.entries("quest", quest.id).items)
    }


def signed_elsewhere(quest):
    """Another program stores what nobody here can verify."""
    signed = [each | {"signature": SIGNATURE} for each in stored(quest).attestations]
    repository.quests.update(stored(quest), {"attestations": signed}, actor=CREATOR.actor)


def test_an_unverified_signature_is_never_called_signed(as_role):
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id, notes="Sauber geflickt.")
    signed_elsewhere(quest)

    page = words(as_role("official").get(f"/quests/{quest.id}/"))

    assert "Sauber geflickt." in page
    assert "1 of 2 confirmations" in page
    assert ", signed" not in page
    assert SIGNATURE not in page


def test_no_page_of_a_change_shows_a_key_a_code_or_a_signature(as_role):
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id, notes="Sauber geflickt.")
    signed_elsewhere(quest)
    lifecycle.attest(PERFORMER, quest.id)
    assert SIGNATURE in str(stored(quest).attestations)
    ended = disputed()
    lifecycle.decide(STEWARD, ended.id, decision="cancel", note="Beide angehört.")
    client = as_role("official")

    for shown in (*versions(client, quest).values(), *versions(client, ended).values()):
        for internal in ("member-sub", "CLAIMED", "SUBMITTED", "COMPLETE", "requestor", SIGNATURE):
            assert internal not in shown
        assert not re.search(r"\d{4}-\d\d-\d\dT", shown)


def test_the_pages_of_the_changes_name_people_and_say_what_became_of_it(as_role):
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id, notes="Sauber geflickt.")
    shown = versions(as_role("official"), quest)

    assert "Status Before: Open After: Claimed" in shown["claim"]
    assert "Claimed by After: Milan Petrov" in shown["claim"]
    assert "Confirmations Added: who offers it: Sauber geflickt." in shown["attest"]
    assert "Attester" not in shown["attest"]
