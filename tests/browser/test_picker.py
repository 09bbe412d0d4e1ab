"""The picker of other records in a real browser: keyboard, phone, creating in place, and no JavaScript."""

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

NAMES = ("Captain", "Coach", "Referee", "Trainer", "Treasurer")


@pytest.fixture(autouse=True)
def _page_with_a_form(settings: Settings, transactional_db: Dynoxide, alice: Actor) -> None:
    settings.ROOT_URLCONF = "tests.core.crud.fields_page"
    for name in NAMES:
        roles.create(Role(id=name.lower(), name=name), actor=alice)


def open_form(page: Page, path: str = "/team", role: str = "moderator", **start: Any) -> Page:
    sign_in(page, role)
    page.goto(f"{path}?{urlencode({'start': json.dumps({'name': 'Women 1', **start})})}")
    return page


def search(page: Page, name: str = "Roles") -> Locator:
    return page.get_by_role("combobox", name=name)


def options(page: Page) -> Locator:
    return page.get_by_role("listbox").get_by_role("option")


def entries(page: Page, name: str = "roles") -> list[str]:
    return [text.strip() for text in page.locator(f"#id_{name}_picker .picked li").all_text_contents()]


def saved(page: Page) -> Any:
    page.locator("#save").click()
    return json.loads(page.locator("#saved").text_content() or "")


def listen(page: Page) -> None:
    """Count what autosave would hear."""
    page.evaluate("() => { window.heard = 0; document.querySelector('#team').oninput = () => (heard += 1); }")


def test_records_are_found_while_typing_and_chosen_with_the_keyboard(desktop: Page) -> None:
    page = open_form(desktop)
    listen(page)
    search(page).press_sequentially("tr")
    expect(options(page)).to_have_text(["Trainer", "Treasurer", "Create “tr”…"])
    expect(search(page)).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#id_roles_status")).to_have_text("2 found.")
    assert page.evaluate("heard") == 0

    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    active = search(page).get_attribute("aria-activedescendant")
    expect(page.locator(f"#{active}")).to_have_text("Treasurer")
    page.keyboard.press("Enter")

    assert entries(page) == ["Treasurer"]
    expect(search(page)).to_be_focused()
    expect(search(page)).to_have_value("")
    expect(search(page)).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#id_roles_status")).to_have_text("Chosen: Treasurer")
    assert page.evaluate("heard") == 1

    search(page).press_sequentially("coa")
    expect(options(page)).to_have_text(["Coach", "Create “coa”…"])
    page.keyboard.press("Enter")
    assert entries(page) == ["Treasurer", "Coach"]
    assert saved(page)["roles"] == ["treasurer", "coach"]
    assert entries(page) == ["Treasurer", "Coach"]


def test_escape_closes_the_options_then_clears_the_search_and_chooses_nothing(desktop: Page) -> None:
    page = open_form(desktop)
    search(page).press_sequentially("tr")
    expect(options(page)).to_have_count(3)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(search(page)).to_have_value("tr")
    assert search(page).get_attribute("aria-activedescendant") is None
    page.keyboard.press("Escape")
    expect(search(page)).to_have_value("")

    assert entries(page) == []


def test_arrow_down_offers_the_first_of_the_list_and_goes_round(desktop: Page) -> None:
    page = open_form(desktop)
    search(page).focus()
    page.keyboard.press("ArrowDown")
    expect(options(page)).to_have_text(list(NAMES))
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-active]")).to_have_text("Treasurer")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-active]")).to_have_text("Captain")
    page.keyboard.press("Tab")
    expect(page.get_by_role("listbox")).to_have_count(0)


def test_enter_in_the_search_never_sends_the_form(desktop: Page) -> None:
    page = open_form(desktop, roles=["coach"])
    search(page).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_have_count(0)
    page.get_by_label("Name", exact=True).press("Enter")

    assert json.loads(page.locator("#saved").text_content() or "")["roles"] == ["coach"]


def test_chosen_records_are_moved_and_removed_and_the_focus_stays_near(desktop: Page) -> None:
    page = open_form(desktop, roles=["captain", "coach", "trainer"])
    listen(page)
    page.get_by_role("button", name="Move up: Trainer").press("Enter")
    assert entries(page) == ["Captain", "Trainer", "Coach"]
    expect(page.get_by_role("button", name="Move up: Trainer")).to_be_focused()
    expect(page.locator("#id_roles_status")).to_have_text("Moved to place 2")
    page.get_by_role("button", name="Move down: Captain").press("Enter")
    assert entries(page) == ["Trainer", "Captain", "Coach"]
    page.get_by_role("button", name="Move up: Trainer").press("Enter")
    assert entries(page) == ["Trainer", "Captain", "Coach"]
    assert page.evaluate("heard") == 2

    page.get_by_role("button", name="Remove: Captain").press("Enter")
    expect(page.get_by_role("button", name="Remove: Coach")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Remove: Trainer")).to_be_focused()
    assert page.evaluate("heard") == 4
    assert saved(page)["roles"] == ["trainer"]
    page.get_by_role("button", name="Remove: Trainer").press("Enter")
    expect(search(page)).to_be_focused()
    expect(page.locator("#id_roles_status")).to_have_text("Removed: Trainer")


def test_a_picker_of_one_replaces_its_record_and_nothing_is_chosen_twice(desktop: Page) -> None:
    page = open_form(desktop, lead="captain", roles=["coach"])
    search(page, "Lead").press_sequentially("coach")
    expect(options(page).first).to_have_text("Coach")
    page.keyboard.press("Enter")
    assert entries(page, "lead") == ["Coach"]

    search(page).press_sequentially("coach")
    expect(options(page).first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.locator("#id_roles_status")).to_have_text("Already selected.")
    result = saved(page)
    assert (result["lead"], result["roles"]) == ("coach", ["coach"])


def test_a_deleted_record_is_said_to_be_and_can_be_removed(desktop: Page) -> None:
    page = open_form(desktop, roles=["gone", "coach"])
    assert entries(page) == ["(deleted)", "Coach"]
    page.get_by_role("button", name="Remove: (deleted)").click()

    assert saved(page)["roles"] == ["coach"]


def test_errors_keep_what_was_chosen_also_through_htmx(desktop: Page) -> None:
    page = open_form(desktop, "/team-htmx", roles=["coach"])
    page.get_by_label("Name", exact=True).fill("")
    search(page).press_sequentially("tra")
    options(page).get_by_text("Trainer").click()
    page.locator("#save").click()
    expect(page.get_by_text("This field is required.")).to_be_visible()
    expect(search(page)).to_have_count(1)
    assert entries(page) == ["Coach", "Trainer"]

    page.get_by_label("Name", exact=True).fill("Women 2")
    assert saved(page)["roles"] == ["coach", "trainer"]


def test_a_missing_record_is_created_in_a_dialog_and_chosen(desktop: Page) -> None:
    page = open_form(desktop)
    listen(page)
    search(page).press_sequentially("Cook")
    options(page).get_by_text("Create “Cook”…").click()
    dialog = page.get_by_role("dialog", name="New role")
    name = dialog.get_by_label("Name")
    expect(name).to_have_value("Cook")
    expect(name).to_be_focused()

    name.fill("Coach")
    name.press("Enter")
    expect(dialog.get_by_text("This is already taken. Choose another.")).to_be_visible()
    expect(name).to_be_focused()
    assert page.evaluate("heard") == 0
    name.fill("Cook of the day")
    dialog.get_by_role("button", name="Create").click()

    expect(dialog).to_have_count(0)
    expect(search(page)).to_be_focused()
    expect(search(page)).to_have_value("")
    assert entries(page) == ["Cook of the day"]
    assert page.evaluate("heard") == 1
    (key,) = saved(page)["roles"]
    assert roles.get(key, strong=True).name == "Cook of the day"


def test_a_dialog_that_is_left_creates_nothing(desktop: Page) -> None:
    page = open_form(desktop)
    for leave in ("Escape", "Cancel"):
        page.locator("#id_roles_new").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_label("Name")).to_be_focused()
        if leave == "Escape":
            page.keyboard.press("Escape")
        else:
            dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_have_count(0)
        expect(search(page)).to_be_focused()

    assert entries(page) == []
    assert [role.name for role in roles.by_name().items] == list(NAMES)


def test_those_who_may_not_create_are_not_offered_to(desktop: Page) -> None:
    page = open_form(desktop, role="member")
    search(page).press_sequentially("cook")
    expect(page.locator("#id_roles_status")).to_have_text("Nothing found.")

    expect(page.get_by_text("Create")).to_have_count(0)
    expect(page.get_by_role("listbox")).to_have_count(0)


def test_the_picker_is_accessible_and_large_enough_on_every_screen(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    page = open_form(every_look, lead="captain", roles=["captain", "coach", "trainer"])
    expect(search(page)).to_be_visible()
    for button in page.locator(".picker").get_by_role("button").all():
        box = button.bounding_box()
        assert box
        assert box["width"] >= 44
        assert box["height"] >= 44
    search(page).press_sequentially("re")
    expect(options(page)).to_have_text(["Referee", "Create “re”…"])
    page.keyboard.press("ArrowDown")
    assert_accessible(page)
    for option in options(page).all():
        box = option.bounding_box()
        assert box
        assert box["height"] >= 44

    page.keyboard.press("Escape")
    page.locator("#id_roles_new").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert_accessible(page)


def test_on_a_phone_an_option_is_chosen_with_a_tap(phone: Page) -> None:
    page = open_form(phone)
    search(page).tap()
    expect(options(page)).to_have_text(list(NAMES))
    options(page).get_by_text("Referee").tap()

    assert entries(page) == ["Referee"]
    assert saved(page)["roles"] == ["referee"]


@pytest.fixture
def without_javascript(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_without_javascript_records_are_found_ticked_moved_and_unticked(
    without_javascript: Page, assert_accessible: Callable[[Page], None]
) -> None:
    page = open_form(without_javascript, lead="captain", roles=["coach"])
    page.get_by_label("Name", exact=True).fill("Women 2")
    page.get_by_role("textbox", name="Roles").fill("tr")
    page.locator("#id_roles_find").click()
    expect(page.locator("#saved")).to_have_count(0)
    expect(page.get_by_label("Name", exact=True)).to_have_value("Women 2")
    expect(page.get_by_label("Trainer")).to_be_focused()
    page.get_by_label("Trainer").check()
    page.get_by_label("Treasurer").check()
    page.get_by_label("Coach").uncheck()
    page.locator("#id_lead_none").check()
    result = saved(page)
    assert (result["name"], result["lead"], result["roles"]) == ("Women 2", None, ["trainer", "treasurer"])

    page.get_by_role("button", name="Move up: Treasurer").click()
    assert saved(page)["roles"] == ["treasurer", "trainer"]
    new = page.locator("#id_roles_new")
    expect(new).to_have_attribute("href", "/cms/roles/new")
    expect(new).to_have_attribute("target", "_blank")
