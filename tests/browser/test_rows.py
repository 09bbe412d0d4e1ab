"""The field of rows in a real browser: keyboard, focus, phone, pickers inside, and no JavaScript."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django import Settings

from cms.roles.models import Role
from cms.roles.repository import roles
from config.engines.dynoxide import Dynoxide
from core.dynamo.actors import Actor
from tests.browser.signing_in import sign_in

MONDAY = {"day": "mon", "start": "18:00", "helper": "coach"}
TUESDAY = {"day": "tue", "start": "19:30", "helper": None}


@pytest.fixture(autouse=True)
def _page_with_a_form(settings: Settings, transactional_db: Dynoxide, alice: Actor) -> None:
    settings.ROOT_URLCONF = "tests.core.crud.fields_page"
    roles.create(Role(id="coach", name="Coach"), actor=alice)


def open_form(page: Page, *trainings: dict[str, Any], path: str = "/team") -> Page:
    sign_in(page, "moderator")
    start = {"name": "Women 1", "roles": ["coach"], "trainings": trainings}
    page.goto(f"{path}?{urlencode({'start': json.dumps(start)})}")
    return page


def row(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=f"Training {number}", exact=True)


def button(page: Page, number: int, name: str) -> Locator:
    return row(page, number).get_by_role("button", name=name, exact=True)


def add(page: Page) -> Locator:
    return page.get_by_role("button", name="Add: Training")


def status(page: Page) -> Locator:
    return page.locator("#id_trainings_status")


def saved(page: Page) -> list[tuple[str, str, str | None]]:
    page.locator("#save").click()
    found = json.loads(page.locator("#saved").text_content() or "")["trainings"]
    return [(each["day"], each["start"], each["helper"]) for each in found]


def listen(page: Page) -> None:
    """Count what autosave would hear."""
    page.evaluate("() => { window.heard = 0; document.querySelector('#team').oninput = () => (heard += 1); }")


def test_a_row_is_added_and_the_focus_is_in_its_first_field(desktop: Page) -> None:
    page = open_form(desktop, MONDAY)
    listen(page)
    add(page).press("Enter")
    expect(row(page, 2).get_by_label("Day")).to_be_focused()
    expect(status(page)).to_have_text("Added: Training 2")
    assert page.evaluate("heard") == 1
    row(page, 2).get_by_label("Day").select_option("Tuesday")
    row(page, 2).get_by_label("Start").fill("19:30")
    helper = row(page, 2).get_by_role("combobox", name="Helper")
    helper.press_sequentially("coa")
    expect(page.get_by_role("listbox").get_by_role("option").first).to_have_text("Coach")
    page.keyboard.press("Enter")

    assert saved(page) == [("mon", "18:00:00", "coach"), ("tue", "19:30:00", "coach")]


def test_rows_are_moved_and_the_focus_stays_on_the_button(desktop: Page) -> None:
    page = open_form(desktop, MONDAY, TUESDAY)
    listen(page)
    button(page, 2, "Move up").press("Enter")
    expect(row(page, 1).get_by_label("Day")).to_have_value("tue")
    expect(button(page, 1, "Move up")).to_be_focused()
    expect(status(page)).to_have_text("Moved to place 1")
    page.keyboard.press("Enter")
    assert page.evaluate("heard") == 1

    assert saved(page) == [("tue", "19:30:00", None), ("mon", "18:00:00", "coach")]


def test_rows_are_removed_and_the_focus_goes_to_the_next_or_to_add(desktop: Page) -> None:
    page = open_form(desktop, MONDAY, TUESDAY)
    listen(page)
    button(page, 1, "Remove").press("Enter")
    expect(status(page)).to_have_text("Removed: Training 1")
    expect(row(page, 1).get_by_label("Day")).to_have_value("tue")
    expect(button(page, 1, "Remove")).to_be_focused()
    page.keyboard.press("Enter")
    expect(add(page)).to_be_focused()
    assert page.evaluate("heard") == 2

    assert saved(page) == []


def test_a_full_list_says_so(desktop: Page) -> None:
    page = open_form(desktop, MONDAY, TUESDAY)
    add(page).click()
    expect(add(page)).to_be_disabled()
    button(page, 3, "Remove").click()
    expect(add(page)).to_be_enabled()


def test_enter_in_a_field_saves_and_presses_no_button_of_a_row(desktop: Page) -> None:
    page = open_form(desktop, MONDAY, TUESDAY)
    page.get_by_label("Name", exact=True).press("Enter")

    found = json.loads(page.locator("#saved").text_content() or "")["trainings"]
    assert [each["day"] for each in found] == ["mon", "tue"]


def test_what_is_wrong_is_said_in_its_row_also_through_htmx(desktop: Page) -> None:
    page = open_form(desktop, MONDAY, path="/team-htmx")
    add(page).click()
    row(page, 2).get_by_label("Start").fill("20:00")
    page.locator("#save").click()
    expect(page.get_by_text("Correct the fields marked below.")).to_be_visible()
    expect(row(page, 2).get_by_label("Day")).to_have_attribute("aria-invalid", "true")
    expect(row(page, 2).get_by_label("Start")).to_have_value("20:00")
    expect(row(page, 1).get_by_label("Day")).not_to_have_attribute("aria-invalid", "true")

    row(page, 2).get_by_label("Day").select_option("Tuesday")
    button(page, 1, "Remove").click()
    assert saved(page) == [("tue", "20:00:00", None)]


def test_rows_are_accessible_and_large_enough_on_every_screen(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    page = open_form(every_look, MONDAY, TUESDAY)
    add(page).click()
    expect(row(page, 3)).to_be_visible()
    assert_accessible(page)
    for found in page.locator(".row-buttons").get_by_role("button").all():
        box = found.bounding_box()
        assert box
        assert box["width"] >= 44
        assert box["height"] >= 44


@pytest.fixture
def without_javascript(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_without_javascript_the_same_buttons_send_the_form_and_keep_what_was_typed(
    without_javascript: Page,
) -> None:
    page = open_form(without_javascript, MONDAY)
    page.get_by_label("Name", exact=True).fill("")
    add(page).click()
    expect(page.locator("#saved")).to_have_count(0)
    expect(page.get_by_text("This field is required.")).to_have_count(0)
    expect(row(page, 2).get_by_label("Day")).to_be_focused()
    row(page, 2).get_by_label("Day").select_option("Tuesday")
    row(page, 2).get_by_label("Start").fill("19:30")
    button(page, 2, "Move up").click()
    expect(button(page, 1, "Move up")).to_be_focused()
    expect(row(page, 1).get_by_label("Start")).to_have_value("19:30")
    expect(row(page, 2).get_by_label("Coach")).to_be_checked()
    button(page, 2, "Remove").click()
    expect(button(page, 1, "Remove")).to_be_focused()
    page.get_by_label("Name", exact=True).fill("Women 2")

    assert saved(page) == [("tue", "19:30:00", None)]
