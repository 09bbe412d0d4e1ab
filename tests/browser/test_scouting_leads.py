"""A lead prepares an event: the screens of events, settings and games, also without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from scouting.events.repository import event_infos
from scouting.games.repository import stored_games
from scouting.settings import services as settings
from tests.browser.signing_in import sign_in
from tests.scouting.field import KEY, be_at, event

PAGE = f"/scouting/events/{KEY}/"
SCREENS = (
    "/scouting/events/",
    "/scouting/events/new/",
    PAGE,
    f"{PAGE}edit/",
    f"{PAGE}teams/",
    f"{PAGE}schedule/",
    "/scouting/events/trash/",
    f"/scouting/history/teams/{KEY}/",
    "/scouting/settings/",
    "/scouting/games/2026/",
    "/scouting/games/2026/edit/",
)


@pytest.fixture(autouse=True)
def _at_an_event(db: object) -> None:
    event(matches=12, played=4)


def test_every_screen_is_accessible(
    live_server: object, every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    page = sign_in(every_look, "scout-lead")
    for address in SCREENS:
        page.goto(address)
        assert_accessible(page)


def test_an_emptied_team_box_is_brought_back(
    live_server: object, every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    page = sign_in(every_look, "scout-lead")
    page.goto(f"{PAGE}teams/")
    page.get_by_label("One team per line").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("No teams yet.")).to_be_visible()
    page.get_by_role("link", name="History Teams").click()
    page.get_by_role("link", name="What changed").first.click()
    expect(page.locator("del", has_text="254B Robots 254B")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Restore this version").click()
    expect(page.locator("ins", has_text="254B Robots 254B")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Restore this version").click()
    expect(page.get_by_role("cell", name="254B Robots 254B")).to_be_visible()
    assert len(event_infos.read(KEY, strong=True).teams) == 12


def test_an_event_that_is_deleted_comes_back_from_the_trash(
    live_server: object, desktop: Page, assert_accessible: Callable[[Page], None]
) -> None:
    be_at(None)
    page = sign_in(desktop, "scout-lead")
    page.goto(PAGE)
    page.locator("#delete summary").click()
    page.get_by_role("button", name="Delete this event").click()
    expect(page.get_by_text("“Fieldhouse Test” was deleted.")).to_be_visible()
    page.locator("#events-files-button").click()
    assert_accessible(page)
    page.get_by_role("link", name="Trash").click()
    assert_accessible(page)
    page.get_by_role("button", name="Restore Fieldhouse Test").click()
    page.get_by_role("link", name="Fieldhouse Test").click()
    expect(page.get_by_role("cell", name="254B Robots 254B")).to_be_visible()


def test_an_event_is_made_and_chosen_without_scripts(live_server: object, browser: Browser) -> None:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    page = sign_in(context.new_page(), "scout-lead")
    page.goto("/scouting/events/new/")
    page.get_by_label("Code").fill("2026week0")
    page.get_by_label("Our own event").check()
    page.get_by_label("Name").fill("Week 0")
    page.get_by_role("button", name="Add the event").click()
    page.get_by_role("link", name="Edit the teams").click()
    page.get_by_label("One team per line").fill("20 Rocketeers\nnobody")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Line 2: Enter a team number")).to_be_visible()
    expect(page.get_by_label("One team per line")).to_have_value("20 Rocketeers\nnobody")
    page.get_by_label("One team per line").fill("20 Rocketeers\n71")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("cell", name="20 Rocketeers")).to_be_visible()
    page.get_by_role("link", name="Scouting settings").last.click()
    page.get_by_label("Current event").select_option("2026week0")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("2026week0").first).to_be_visible()

    settings.forget()
    assert settings.active().event == "2026week0"
    context.close()


def test_a_question_is_added_looked_at_and_saved(live_server: object, desktop: Page) -> None:
    page = sign_in(desktop, "scout-lead")
    page.goto("/scouting/games/2026/edit/")
    page.get_by_role("button", name="Add: Question").first.click()
    row = page.locator("#id_questions_rows > .rows-list > .row").last
    row.get_by_label("Key", exact=True).fill("hoarded")
    row.get_by_label("Question", exact=True).fill("Hoarded fuel")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("heading", name="Preview: nothing is saved yet")).to_be_focused()
    expect(page.locator("#preview")).to_contain_text("Hoarded fuel")
    assert stored_games.all() == []
    page.locator("#save").click()
    expect(page.get_by_role("heading", name="2026 REBUILT")).to_be_visible()

    assert settings.game(2026).questions[-1].key == "hoarded"
