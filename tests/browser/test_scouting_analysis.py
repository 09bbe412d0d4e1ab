"""Analysis and team selection in a browser: readable on every screen, sorted by mouse and by keyboard."""

import pytest
from playwright.sync_api import Page, expect

from scouting.services import selection, settings
from scouting.services.pick_list import Pick
from tests.browser.signing_in import sign_in
from tests.cast import CAST
from tests.scouting import field

ADDRESSES = (
    "/scouting/selection/",
    "/scouting/selection/print",
    "/scouting/analysis/",
    "/scouting/analysis/scatter/?team=20",
    "/scouting/analysis/ranking/",
    "/scouting/analysis/matches/",
    "/scouting/analysis/matches/1/",
    "/scouting/analysis/forms/",
    "/scouting/analysis/scouts/",
    "/scouting/coverage/",
    "/scouting/coverage/pits/",
    "/scouting/compare/?team=20&team=254B&team=2053",
    "/scouting/teams/254B/",
)


@pytest.fixture(autouse=True)
def event(db):
    """Twelve matches; nobody has seen the last robots."""
    event = field.event(played=8)
    field.many(field.forms_of(event)[:45])
    field.pit("20", answers={"notDo": "Climb"})
    yield event
    settings.forget()


def test_every_page_is_accessible_on_every_screen(every_look: Page, assert_accessible) -> None:
    sign_in(every_look, "scout-lead")
    for address in ADDRESSES:
        every_look.goto(address)
        assert_accessible(every_look)


def test_a_team_is_dragged_to_its_place_and_saved(desktop: Page) -> None:
    sign_in(desktop, "scout-lead")
    desktop.goto("/scouting/selection/")
    column = desktop.locator("[data-column=r1]")
    desktop.locator("#pick-20").drag_to(column)
    expect(column.locator("[data-team]")).to_have_count(1)
    desktop.locator("#pick-101").drag_to(column.locator("h2"))
    expect(column.locator("[data-team]")).to_have_count(2)
    expect(column.locator("[data-team]").first).to_have_attribute("data-team", "101")
    expect(desktop.locator("#selection-said")).to_have_text("101 is now in “R1”.")
    desktop.locator("#save").click()
    expect(desktop.locator("#selection-state")).to_contain_text("Saved by Leandro Sato")
    desktop.reload()
    expect(column.locator("[data-team]").first).to_have_attribute("data-team", "101")


def test_who_saves_later_sees_both_orders(phone: Page, event, assert_accessible) -> None:
    sign_in(phone, "scout-lead")
    phone.goto("/scouting/selection/")
    phone.locator("#menu-20").click()
    phone.locator("#to-r1-20").click()
    expect(phone.locator("[data-column=r1] #pick-20")).to_be_visible()
    selection.save(CAST["admin"], event, (Pick("101", column="r2"),), seen_version=0)
    phone.locator("#save").click()
    expect(phone.locator("#conflict-title")).to_contain_text("Amara Lindqvist saved this list")
    expect(phone.locator("#conflict-title")).to_be_focused()
    expect(phone.locator("[data-column=r1] #pick-20")).to_be_visible()
    assert_accessible(phone)
    phone.locator("#save-mine").click()
    expect(phone.locator("#selection-state")).to_contain_text("Saved by Leandro Sato")
    expect(phone.locator("[data-column=r1] #pick-20")).to_be_visible()


def test_a_keyboard_moves_a_team_and_keeps_the_focus_on_it(phone: Page) -> None:
    sign_in(phone, "scout-lead")
    phone.goto("/scouting/selection/")
    for team in ("20", "101"):
        phone.locator(f"#menu-{team}").focus()
        phone.keyboard.press("Enter")
        phone.locator(f"#to-r1-{team}").focus()
        phone.keyboard.press("Enter")
        expect(phone.locator(f"[data-column=r1] #menu-{team}")).to_be_focused()
    phone.locator("#down-101").focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#selection-said")).to_have_text("101 is number 2 in “R1”.")
    expect(phone.locator("#down-101")).to_be_focused()
