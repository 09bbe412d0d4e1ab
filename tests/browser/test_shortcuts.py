"""Single keys as shortcuts: whoever dictates or hits them by accident switches them off."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.signing_in import sign_in

pytestmark = [pytest.mark.urls("tests.browser.shell_page"), pytest.mark.usefixtures("db")]


def test_single_keys_can_be_switched_off_in_this_browser(
    desktop: Page, assert_accessible: Callable[[Page], None]
) -> None:
    sign_in(desktop, "member").goto("/list")
    dialog = desktop.get_by_role("dialog", name="Keyboard shortcuts")
    desktop.locator("#main").press("?")
    expect(dialog.get_by_text("New entry")).to_be_visible()
    dialog.get_by_label("Single-key shortcuts").uncheck()
    expect(dialog.get_by_text("New entry")).to_be_hidden()
    assert_accessible(desktop)
    desktop.keyboard.press("Escape")

    desktop.reload()
    for key in ("?", "/", "n"):
        desktop.locator("#main").press(key)
    expect(dialog).to_be_hidden()
    expect(desktop.locator("#main")).to_be_focused()
    expect(desktop).to_have_url("/list")
    desktop.locator("#main").press("Control+k")
    expect(desktop.get_by_role("dialog", name="Find anything")).to_be_visible()
    desktop.keyboard.press("Escape")

    desktop.locator("#account-menu summary").click()
    desktop.get_by_role("button", name="Keyboard shortcuts").click()
    dialog.get_by_label("Single-key shortcuts").check()
    desktop.keyboard.press("Escape")
    desktop.locator("#main").press("n")
    expect(desktop).to_have_url("/form")
