"""Where people stumbled: each has its own small promise."""

import pytest

from quests.services import accounts, lifecycle
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    STEWARD,
    TEXT,
    account_of,
    claimed,
    offered,
    open_accounts,
    stored,
    submitted,
)

pytestmark = pytest.mark.usefixtures("db")
PHOTO = {"name": "netz.jpg", "s3Key": "private/quests/a/n.jpg", "smallKey": "private/quests/a/s.jpg"}


@pytest.fixture
def handed_back():
    open_accounts()
    quest = lifecycle.submit(PERFORMER, claimed().id, text=TEXT, photos=[PHOTO])
    return lifecycle.request_changes(CREATOR, quest.id, note="Das linke Netz bitte auch.")


def page_of(client, quest) -> str:
    return client.get(f"/quests/{quest.id}/").content.decode()


def test_whoever_is_asked_for_changes_goes_on_from_what_was_submitted(as_role, handed_back):
    page = page_of(as_role("other-member"), handed_back)

    assert TEXT in page.partition('id="form-submit"')[2].partition("</form>")[0]


def test_photos_stay_unless_there_are_new_ones(handed_back):
    again = lifecycle.submit(PERFORMER, handed_back.id, text=TEXT, photos=[])
    assert again.photos == [PHOTO]

    lifecycle.request_changes(CREATOR, again.id, note="Das rechte Netz bitte auch.")
    newer = PHOTO | {"name": "rechts.jpg"}
    assert lifecycle.submit(PERFORMER, again.id, text=TEXT, photos=[newer]).photos == [newer]


def test_confirmations_are_counted_only_once_the_work_is_submitted(as_role, handed_back):
    assert "of 2 confirmations" not in page_of(as_role("member"), handed_back)
    assert "0 of 2 confirmations" in page_of(as_role("member"), submitted())


def test_who_offers_a_quest_and_who_took_it_on_can_be_looked_up(as_role, handed_back):
    page = page_of(as_role("official"), handed_back)

    assert f'href="/quests/people/{CREATOR.sub}/">Maya Rosenthal</a>' in page
    assert f'href="/quests/people/{PERFORMER.sub}/">Milan Petrov</a>' in page


@pytest.mark.parametrize(("wallet", "code"), [("", 302), ("0x12", 422)])
def test_whoever_has_no_account_gets_one_with_the_wallet(as_role, wallet, code):
    """Only when the sign-in could not open it."""
    response = as_role("member").post("/quests/wallet", {"wallet": wallet})

    assert response.status_code == code
    assert int(account_of(CREATOR).points) == 10


def test_an_account_that_another_tab_opens_just_then_is_used(monkeypatch):
    create = accounts.create_account

    def overtaken(user):
        create(user)
        return create(user)

    monkeypatch.setattr(accounts, "create_account", overtaken)

    assert stored(offered()).creator_id == CREATOR.sub


@pytest.mark.parametrize("verb", ["claim", "submit"])
def test_a_reload_after_a_refused_step_leads_to_the_quest(as_role, verb):
    open_accounts()
    quest = offered()

    response = as_role("other-member").get(f"/quests/{quest.id}/do/{verb}")

    assert (response.status_code, response["Location"]) == (302, f"/quests/{quest.id}/")


def test_the_desk_says_that_a_name_needs_two_letters(as_role):
    open_accounts()
    page = as_role("steward").get("/quests/desk/people/?q=m").content.decode()

    assert "Type at least two letters." in page
    assert "is called" not in page


def test_a_steward_finds_no_button_for_the_own_points(as_role):
    open_accounts()
    page = as_role("steward").get("/quests/desk/people/", {"q": STEWARD.name.split()[0]}).content.decode()

    assert STEWARD.name in page
    assert f"/quests/people/{STEWARD.sub}/adjust" not in page


def test_a_reward_that_was_lowered_meanwhile_is_looked_at_before_it_is_claimed(as_role):
    open_accounts()
    quest = offered()
    seen = {"seen": lifecycle.action_version(quest)}
    lifecycle.edit(CREATOR, quest.id, {"reward_xp": 10}, seen_version=quest.seen_version)

    response = as_role("other-member").post(f"/quests/{quest.id}/do/claim", seen)

    page = response.content.decode()
    assert response.status_code == 409
    assert "This quest was changed in the meantime. Check it and try again." in page
    newer = page.partition('name="seen" value="')[2].partition('"')[0]
    assert as_role("other-member").post(f"/quests/{quest.id}/do/claim", {"seen": newer}).status_code == 302


def test_newer_work_is_looked_at_before_it_is_confirmed(as_role):
    open_accounts()
    quest = submitted()
    seen = {"seen": lifecycle.action_version(quest), "notes": "Danke!"}
    lifecycle.request_changes(CREATOR, quest.id, note="Das linke Netz bitte auch.")
    again = lifecycle.submit(PERFORMER, quest.id, text="Nun auch das linke.", photos=[])

    assert as_role("member").post(f"/quests/{quest.id}/do/attest", seen).status_code == 409
    assert not stored(quest).has_requestor_attestation

    lifecycle.attest(PERFORMER, quest.id)
    seen["seen"] = lifecycle.action_version(again)
    assert as_role("member").post(f"/quests/{quest.id}/do/attest", seen).status_code == 302
