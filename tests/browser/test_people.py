"""User administration in a real browser: by mouse, by keyboard, without JavaScript, on every screen."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from core.accounts import cast
from tests.cast import session_of
from tests.user_pool import Pool

Accessible = Callable[[Page], None]


def sign_in(page: Page, pool: Pool, role: str = "admin") -> Page:
    cookie = {
        "name": settings.SESSION_COOKIE_NAME,
        "value": str(session_of(pool[role]).session_key),
        "domain": "localhost",
        "path": "/",
        "secure": settings.SESSION_COOKIE_SECURE,
    }
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    return page


TO_TAP = "main :is(a:not(.row-link), button, label.choice, input:not([type=checkbox], [type=hidden]))"


def assert_large_enough(page: Page) -> None:
    """Everything to tap is at least 44 px high; a link of a row covers the whole row."""
    heights = page.locator(TO_TAP).evaluate_all(
        "found => found.filter(one => one.checkVisibility())"
        ".map(one => [one.id, one.getBoundingClientRect().height])"
    )
    assert heights
    assert [(name, height) for name, height in heights if height < 44] == []


def test_every_screen_is_accessible_and_has_large_targets(
    every_look: Page, pool: Pool, assert_accessible: Accessible
) -> None:
    page = sign_in(every_look, pool)
    pool.ask("admin_disable_user", Username=pool["steward"].sub)
    pool.ask("admin_set_user_password", Username=pool["scout"].sub, Password=cast.PASSWORD, Permanent=False)
    for number in range(13):
        pool.add(f"Extra{number:02}", "Person-With-A-Very-Long-Family-Name")
    addresses = ["", "?q=nobody", "invite"] + [
        f"{pool[role].sub}/{verb}" for role, verb in (("admin", ""), ("scout", ""), ("steward", "enable"))
    ]
    for address in addresses:
        page.goto(f"/people/{address}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert_accessible(page)
        assert_large_enough(page)


def test_the_dialog_is_accessible_on_every_screen(
    every_look: Page, pool: Pool, assert_accessible: Accessible
) -> None:
    page = sign_in(every_look, pool)
    page.goto(f"/people/{pool['scout'].sub}/")
    page.get_by_role("link", name="Disable the account").click()

    expect(page.get_by_role("dialog", name="Disable the account")).to_be_visible()
    assert_accessible(page)


def test_a_table_on_a_wide_screen_is_a_list_of_cards_on_a_phone(
    phone: Page, desktop: Page, pool: Pool
) -> None:
    sign_in(phone, pool).goto("/people/")
    sign_in(desktop, pool).goto("/people/")

    wide, narrow = (page.get_by_role("table", name="People") for page in (desktop, phone))
    expect(wide.get_by_role("columnheader", name="Status")).to_be_visible()
    first, second = (wide.get_by_role("cell").nth(number).bounding_box() for number in (0, 1))
    assert first
    assert second
    assert first["y"] == second["y"]
    first, second = (narrow.get_by_role("cell").nth(number).bounding_box() for number in (0, 1))
    assert first
    assert second
    assert first["y"] + first["height"] <= second["y"] + 8


def test_the_search_follows_the_typing_and_keeps_the_focus(desktop: Page, pool: Pool) -> None:
    page = sign_in(desktop, pool)
    page.goto("/people/")

    page.get_by_role("searchbox").press_sequentially("lindq")

    expect(page.get_by_role("table", name="People").get_by_role("row")).to_have_count(2)
    expect(page.get_by_role("status").filter(has_text="1 person")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_focused()
    expect(page).to_have_url("/people/?q=lindq")
    page.reload()
    expect(page.get_by_role("link", name="Amara Lindqvist")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("lindq")


def test_load_more_adds_rows_and_moves_the_focus_to_the_first_of_them(desktop: Page, pool: Pool) -> None:
    for number in range(14):
        pool.add(f"Extra{number:02}", "Person")
    page = sign_in(desktop, pool)
    page.goto("/people/")
    rows = page.locator("#results tbody tr")
    expect(rows).to_have_count(21)

    page.get_by_role("link", name="Load more").focus()
    page.keyboard.press("Enter")

    expect(rows).to_have_count(23)
    expect(page.get_by_role("link", name="Load more")).to_have_count(0)
    expect(page.get_by_role("link", name="Extra11 Person")).to_be_focused()


@pytest.mark.journey
def test_somebody_is_invited_and_disabled_with_the_keyboard_alone(desktop: Page, pool: Pool) -> None:
    page = sign_in(desktop, pool)
    page.goto("/people/")
    page.locator("#main").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Invite a member")).to_be_focused()
    page.keyboard.press("Enter")

    page.get_by_label("First name").focus()
    page.keyboard.type("Ida")
    page.keyboard.press("Tab")
    page.keyboard.type("Berg")
    page.keyboard.press("Tab")
    page.keyboard.type("ida@people.example")
    page.keyboard.press("Tab")
    expect(page.get_by_role("checkbox", name="Admin")).to_be_focused()
    for _step in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")

    expect(page.get_by_role("status").filter(has_text="Invitation sent.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ida Berg")
    expect(page.get_by_label("Scout Fills in")).to_be_checked()

    page.get_by_role("link", name="Disable the account").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("link", name="Disable the account")).to_be_focused()

    page.keyboard.press("Enter")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(dialog.get_by_role("button", name="Disable account")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("#status")).to_have_text("Disabled")


@pytest.fixture
def without_javascript(browser: Browser, live_server: object, pool: Pool) -> Iterator[Page]:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    yield sign_in(context.new_page(), pool)
    context.close()


def test_everything_works_without_javascript(without_javascript: Page, pool: Pool) -> None:
    page = without_javascript
    for number in range(13):
        pool.add(f"Extra{number:02}", "Person")
    page.goto("/people/")
    page.get_by_role("link", name="Load more").click()
    expect(page.get_by_role("link", name="Extra12 Person")).to_be_visible()
    page.get_by_role("searchbox").fill("sina")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Sina Hoffmann").click()
    page.get_by_label("Steward").check()
    page.get_by_role("button", name="Save groups").click()
    expect(page.get_by_text("Groups saved.")).to_be_visible()
    page.get_by_role("link", name="Reset the password").click()
    page.get_by_role("button", name="Reset password").click()
    expect(page.locator("#status")).to_have_text("Invited")
    assert pool.groups_of("scout") == {"scout", "steward"}
