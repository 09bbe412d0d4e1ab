"""The text to share, in a browser: copied by a button, and selectable without one."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.signing_in import sign_in
from tests.cms.articles import address_of, article

pytestmark = pytest.mark.usefixtures("transactional_db")


def test_a_press_copies_it_and_says_so(
    phone: Page, assert_accessible: Callable[[Page], None], live_server: object
) -> None:
    item = article(published=True)
    page = sign_in(phone, "official")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(address_of(item))
    page.locator("#record-more-button").click()
    page.locator("#share").click()
    assert_accessible(page)
    page.locator("#copy").click()
    expect(page.locator("#copy")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"Derby\n\nFive sets.\n\n{live_server}/news/derby/"
    page.locator("#is-shared").check()
    page.locator("#save").click()
    expect(page.locator("#is-shared")).to_be_checked()


@pytest.fixture
def without_javascript(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_without_javascript_there_is_no_button_but_the_text(without_javascript: Page) -> None:
    item = article(published=True)
    page = sign_in(without_javascript, "official")
    page.goto(address_of(item, "share"))

    expect(page.locator("#copy")).to_be_hidden()
    expect(page.locator("#share-text")).to_have_value(
        "Derby\n\nFive sets.\n\n" + page.url.split("/cms")[0] + "/news/derby/"
    )
