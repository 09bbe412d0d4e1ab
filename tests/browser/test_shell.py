"""The shell around every page: menu, colours, shortcuts, and the warning before typing is lost."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.browser import shell_page
from tests.browser.signing_in import sign_in

pytestmark = [pytest.mark.urls("tests.browser.shell_page"), pytest.mark.usefixtures("db")]


@pytest.fixture(autouse=True)
def _no_outage_yet() -> None:
    shell_page.outages.clear()


@pytest.fixture
def without_javascript(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(
        base_url=str(live_server), java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    yield sign_in(context.new_page(), "admin")
    context.close()


# --- The menu


def test_on_a_phone_the_menu_is_a_drawer_that_takes_and_returns_the_focus(phone: Page) -> None:
    sign_in(phone, "admin").goto("/desk/")
    opener = phone.get_by_role("button", name="Menu")
    opener.press("Enter")

    expect(phone.get_by_role("link", name="Home")).to_be_focused()
    for _step in range(12):
        phone.keyboard.press("Tab")
        assert phone.evaluate("document.activeElement.matches('body, #menu *')")
    phone.keyboard.press("Escape")
    expect(phone.get_by_role("link", name="Home")).to_be_hidden()
    expect(opener).to_be_focused()
    phone.keyboard.press("Tab")
    expect(phone.locator(".brand").first).to_be_focused()


def test_the_drawer_works_without_javascript(without_javascript: Page) -> None:
    without_javascript.goto("/list")
    expect(without_javascript.get_by_role("link", name="Home")).to_be_hidden()
    without_javascript.get_by_role("button", name="Menu").click()
    without_javascript.get_by_role("link", name="Home").click()

    expect(without_javascript).to_have_url("/desk/")


def test_with_room_the_menu_is_always_there_and_says_where_one_is(desktop: Page) -> None:
    sign_in(desktop, "admin").goto("/desk/")

    expect(desktop.get_by_role("button", name="Menu")).to_be_hidden()
    expect(desktop.get_by_role("link", name="Home")).to_have_attribute("aria-current", "page")
    desktop.get_by_role("navigation", name="Main").get_by_text("Administration").click()
    expect(desktop.get_by_role("list", name="Administration").get_by_role("link")).to_have_text(
        ["Club settings", "People", "SAMS sync", "Webhooks", "Cache and limits"]
    )


def test_a_drawer_left_open_closes_when_there_is_room(phone: Page) -> None:
    sign_in(phone, "admin").goto("/desk/")
    phone.get_by_role("button", name="Menu").click()
    phone.set_viewport_size({"width": 1280, "height": 800})

    expect(phone.locator("#menu:popover-open")).to_have_count(0)
    expect(phone.get_by_role("heading", level=1)).to_be_visible()


def test_the_account_menu_closes_by_escape_and_by_a_click_elsewhere(desktop: Page) -> None:
    sign_in(desktop, "admin").goto("/list")
    summary = desktop.locator("#account-menu summary")
    summary.click()
    desktop.get_by_role("button", name="Sign out").focus()
    desktop.keyboard.press("Escape")
    expect(desktop.get_by_role("button", name="Sign out")).to_be_hidden()
    expect(summary).to_be_focused()

    summary.click()
    desktop.get_by_role("heading", level=1).click()
    expect(desktop.get_by_role("button", name="Sign out")).to_be_hidden()


# --- Colours


def ground(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_the_colours_change_at_once_and_nothing_typed_is_lost(desktop: Page) -> None:
    sign_in(desktop, "member").goto("/form")
    light = ground(desktop)
    desktop.get_by_label("Title").fill("typed")
    desktop.locator("#account-menu summary").click()
    with desktop.expect_response("**/theme"):
        desktop.get_by_role("button", name="Dark").click()

    assert ground(desktop) != light
    expect(desktop.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    expect(desktop.get_by_label("Title")).to_have_value("typed")
    desktop.goto("/list")
    assert ground(desktop) != light


def test_the_colours_can_be_chosen_without_javascript(without_javascript: Page) -> None:
    page = without_javascript
    page.goto("/list")
    page.locator("#account-menu summary").click()
    page.get_by_role("button", name="Dark").click()

    expect(page).to_have_url("/list")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


# --- Shortcuts


def test_single_keys_search_create_and_help(desktop: Page) -> None:
    sign_in(desktop, "member").goto("/list")
    desktop.keyboard.press("/")
    expect(desktop.get_by_role("searchbox")).to_be_focused()
    desktop.keyboard.type("n/?")
    expect(desktop.get_by_role("searchbox")).to_have_value("n/?")
    expect(desktop).to_have_url("/list")

    desktop.locator("#main").focus()
    desktop.keyboard.press("?")
    expect(desktop.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    desktop.keyboard.press("Escape")
    expect(desktop.get_by_role("dialog")).to_have_count(0)
    expect(desktop.locator("#main")).to_be_focused()

    desktop.keyboard.press("n")
    expect(desktop).to_have_url("/form")


def test_ctrl_k_opens_the_palette_also_from_a_field(desktop: Page) -> None:
    sign_in(desktop, "member").goto("/list")
    desktop.get_by_role("searchbox").press("Control+k")

    expect(desktop.get_by_role("dialog", name="Find anything")).to_be_visible()


@pytest.mark.parametrize(("keys", "verb"), [("Control+s", "save"), ("Control+Enter", "publish")])
@pytest.mark.parametrize("where", ["Title", "Content"])
def test_the_form_is_saved_and_published_from_every_field(
    desktop: Page, where: str, keys: str, verb: str
) -> None:
    sign_in(desktop, "member").goto("/form")
    desktop.get_by_label("Title").fill("Derby")
    desktop.get_by_role("textbox", name=where).press(keys)

    expect(desktop.locator("#answer")).to_have_text(f"verb: {verb}")


def test_keys_for_the_page_do_nothing_behind_a_dialog(desktop: Page) -> None:
    sign_in(desktop, "member").goto("/list")
    desktop.get_by_role("link", name="Ask about a").click()
    expect(desktop.get_by_role("dialog")).to_be_visible()
    desktop.keyboard.press("n")
    desktop.get_by_role("button", name="No").click()

    expect(desktop.get_by_role("dialog")).to_have_count(0)
    expect(desktop).to_have_url("/list")


# --- Leaving


@pytest.fixture
def questions(desktop: Page) -> list[str]:
    """What the browser asked; every question is answered with yes."""
    asked: list[str] = []

    def leave(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    desktop.on("dialog", leave)
    return asked


def leave(page: Page) -> None:
    page.locator("#away").click()
    expect(page).to_have_url("/list")


def test_the_browser_asks_before_typing_is_lost_and_only_then(desktop: Page, questions: list[str]) -> None:
    sign_in(desktop, "member").goto("/form")
    leave(desktop)
    assert questions == []

    desktop.goto("/form")
    desktop.get_by_label("Title").fill("Derby")
    leave(desktop)
    assert questions == ["beforeunload"]


def test_nobody_is_asked_after_saving(desktop: Page, questions: list[str]) -> None:
    sign_in(desktop, "member").goto("/form")
    desktop.get_by_label("Title").fill("Derby")
    desktop.get_by_role("button", name="Save").click()
    expect(desktop.locator("#answer")).to_have_text("verb: save")
    desktop.get_by_label("Title").fill("Derby again")
    desktop.locator("#form").dispatch_event("htmx:beforeRequest")
    desktop.locator("#form").dispatch_event("fieldhouse:saved")
    leave(desktop)

    assert questions == []


def test_what_is_typed_while_a_save_runs_is_still_unsaved(desktop: Page, questions: list[str]) -> None:
    sign_in(desktop, "member").goto("/form")
    desktop.get_by_label("Title").fill("Derby")
    desktop.locator("#form").dispatch_event("htmx:beforeRequest")
    desktop.get_by_label("Title").fill("Derby again")
    desktop.locator("#form").dispatch_event("fieldhouse:saved")
    leave(desktop)

    assert questions == ["beforeunload"]


def test_a_form_that_was_refused_is_still_unsaved(desktop: Page, questions: list[str]) -> None:
    sign_in(desktop, "member").goto("/form")
    desktop.get_by_label("Title").evaluate("field => field.removeAttribute('maxlength')")
    desktop.get_by_label("Title").fill("much more than twenty characters")
    desktop.get_by_role("button", name="Save").click()
    expect(desktop.locator("#id_title_error")).to_be_visible()
    desktop.get_by_role("heading", level=1).click()
    leave(desktop)

    assert questions == ["beforeunload"]


def test_a_form_that_could_not_be_sent_is_still_unsaved(desktop: Page, questions: list[str]) -> None:
    sign_in(desktop, "member").goto("/form?htmx")
    desktop.get_by_label("Title").fill("Derby")
    desktop.get_by_role("button", name="Save").click()
    expect(desktop.get_by_text("A sentence about outage.")).to_be_visible()
    leave(desktop)

    assert questions == ["beforeunload"]
