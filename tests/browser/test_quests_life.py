"""The life of a quest in two browsers: each sees the steps of the other, on phone and desktop."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from quests.limits import LIMITS
from quests.models import COMPLETE
from quests.services import lifecycle
from tests.browser.conftest import OpenPage
from tests.browser.signing_in import sign_in
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    TEXT,
    claimed,
    completed,
    disputed,
    figures,
    offered,
    open_accounts,
    stored,
    submitted,
)

Accessible = Callable[[Page], None]
# Milliseconds: how often an open page asks what is new.
ASKS_EVERY = 8_000


@pytest.fixture(autouse=True)
def _accounts(db: object) -> None:
    open_accounts()
    for limiter in LIMITS.values():
        for person in (CREATOR, PERFORMER):
            limiter.reset(person.sub)


@pytest.mark.journey
def test_a_quest_is_offered_done_and_confirmed_by_two_people(
    live_server: object, open_page: OpenPage
) -> None:
    maya = sign_in(open_page("desktop", "light"), "member")
    milan = sign_in(open_page("phone", "light"), "other-member")
    for page in (maya, milan):
        page.clock.install()
    maya.goto("/quests/")
    maya.get_by_role("link", name="Offer a quest").first.click()
    expect(maya.locator("#cost")).to_contain_text("You have 10.")
    maya.get_by_role("link", name="Bake a cake for the next home game").click()
    maya.get_by_label("Title").fill("Kuchen für das Heimspiel")
    maya.get_by_role("button", name="Offer the quest").click()
    expect(maya.get_by_role("heading", level=1)).to_have_text("Kuchen für das Heimspiel")
    expect(maya.locator("#status")).to_have_text("Open")

    milan.goto("/quests/")
    milan.get_by_role("link", name="Kuchen für das Heimspiel").click()
    milan.get_by_role("button", name="Claim").click()
    expect(milan.locator("#status")).to_have_text("Claimed")
    expect(milan.get_by_text("Claimed. You have 14 days.")).to_be_visible()
    expect(milan.get_by_role("heading", level=1)).to_be_focused()
    maya.clock.run_for(ASKS_EVERY)
    expect(maya.locator("#status")).to_have_text("Claimed")

    milan.get_by_label("What did you do?").fill("kurz")
    milan.get_by_role("button", name="Submit").click()
    expect(milan.get_by_label("What did you do?")).to_be_focused()
    expect(milan.get_by_label("What did you do?")).to_have_value("kurz")
    milan.get_by_label("What did you do?").fill(TEXT)
    milan.get_by_role("button", name="Submit").click()
    expect(milan.locator("#status")).to_have_text("Waiting for confirmation")

    maya.clock.run_for(ASKS_EVERY)
    expect(maya.get_by_text(TEXT)).to_be_visible()
    maya.get_by_label("Note").fill("Danke!")
    maya.get_by_role("button", name="Confirm", exact=True).click()
    expect(maya.get_by_role("heading", name="1 of 2 confirmations")).to_be_visible()
    milan.clock.run_for(ASKS_EVERY)
    expect(milan.get_by_text("Danke!")).to_be_visible()
    milan.get_by_role("button", name="Confirm", exact=True).click()
    expect(milan.locator("#status")).to_have_text("Completed")
    maya.clock.run_for(ASKS_EVERY)
    expect(maya.locator("#timeline")).to_contain_text("The quest is completed.")
    assert figures(PERFORMER) == (12, 50, 8)


def test_what_is_being_typed_is_never_replaced_and_is_still_there_when_it_is_refused(
    live_server: object, desktop: Page
) -> None:
    quest = submitted()
    page = sign_in(desktop, "member")
    page.clock.install()
    page.goto(f"/quests/{quest.id}/")
    page.get_by_text("Request changes").first.click()
    note = page.get_by_label("What is missing?")
    note.fill("Bitte auch das rechte Netz spannen.")
    page.locator("#heading").click()
    lifecycle.dispute(PERFORMER, quest.id, reason="Niemand bestätigt meine Arbeit hier.")

    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(8 * ASKS_EVERY)
    assert asked == []
    expect(note).to_have_value("Bitte auch das rechte Netz spannen.")

    page.get_by_role("button", name="Request changes").click()
    refused = page.locator("#refused")
    expect(refused).to_contain_text("This quest is disputed. A steward will decide.")
    expect(refused).to_contain_text("Bitte auch das rechte Netz spannen.")
    expect(refused).to_be_focused()
    expect(page.locator("#status")).to_have_text("Disputed")


def test_a_step_that_needs_thought_is_opened_first_and_deleting_leads_to_my_quests(
    live_server: object, phone: Page
) -> None:
    quest = offered()
    page = sign_in(phone, "member")
    page.goto(f"/quests/{quest.id}/")
    expect(page.get_by_role("button", name="Delete this quest")).to_be_hidden()

    page.locator("#step-delete > summary").click()
    page.get_by_role("button", name="Delete this quest").click()

    expect(page).to_have_url("/quests/mine/")
    expect(page.get_by_text("Quest deleted. You have your point back.")).to_be_visible()
    assert figures(CREATOR)[0] == 10


def test_every_page_of_the_board_is_accessible(
    live_server: object, every_look: Page, assert_accessible: Accessible
) -> None:
    long = offered(title="Netze in beiden Hallen flicken, und zwar alle" + "samt" * 38)
    work, dispute, done = submitted(title="Kuchen backen"), disputed(title="Tore streichen"), completed()
    mine = claimed(title="Hütte aufräumen")
    page = sign_in(every_look, "other-member")
    for address in (
        "/quests/",
        "/quests/?q=nichts",
        "/quests/new/",
        "/quests/mine/",
        f"/quests/{long.id}/history",
        *(f"/quests/{quest.id}/" for quest in (work, dispute, done, mine)),
    ):
        page.goto(address)
        page.locator("main details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
        assert_accessible(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("This field is required.")).to_be_visible()
    assert_accessible(page)
    sign_in(page, "steward").goto(f"/quests/{dispute.id}/")
    assert_accessible(page)


def test_everything_works_without_javascript(live_server: object, browser: Browser) -> None:
    quest = submitted()
    lifecycle.attest(PERFORMER, quest.id)
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    page = sign_in(context.new_page(), "member")
    page.goto("/quests/?q=netz")
    page.get_by_role("link", name="Netz in Halle 2 flicken").click()
    page.locator("#step-dispute > summary").click()
    page.get_by_label("What went wrong?").fill("Nur kurz.")
    page.get_by_role("button", name="Dispute").click()
    expect(page.get_by_label("What went wrong?")).to_have_value("Nur kurz.")
    expect(page.get_by_text("at least 20 characters")).to_be_visible()
    page.get_by_role("button", name="Confirm", exact=True).click()

    expect(page).to_have_url(f"/quests/{quest.id}/")
    expect(page.locator("#status")).to_have_text("Completed")
    expect(page.get_by_text("Confirmed.")).to_be_visible()
    assert stored(quest).status == COMPLETE
    context.close()
