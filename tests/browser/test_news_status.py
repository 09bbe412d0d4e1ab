"""Unpublishing and its undo in a real browser, with and without JavaScript."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from cms.repository import news
from tests.browser.signing_in import sign_in
from tests.cast import CAST
from tests.cms.articles import address_of, article


@pytest.fixture(params=["phone", "desktop", "without_javascript"])
def editor(request: pytest.FixtureRequest, live_server: object) -> Page:
    page: Page = request.getfixturevalue(request.param)
    return sign_in(page, "official")


@pytest.fixture
def without_javascript(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False, locale="en-GB")
    yield context.new_page()
    context.close()


def unpublish(page: Page) -> None:
    page.locator("#record-more summary").click()
    page.get_by_role("button", name="Unpublish").click()


def test_unpublish_then_undo(editor: Page) -> None:
    item = article(published=True)
    editor.goto(address_of(item))

    unpublish(editor)
    expect(editor.get_by_text("Unpublished. Readers do not see it.")).to_be_visible()
    expect(editor.locator("#record-head").get_by_text("Draft")).to_be_visible()
    editor.locator("#toasts").get_by_role("button", name="Undo").click()

    expect(editor.locator("#record-head").get_by_text("Published")).to_be_visible()
    assert news.get(item.id, strong=True).status == "published"


def test_what_was_typed_just_before_is_still_there(editor: Page) -> None:
    item = article(published=True)
    editor.goto(address_of(item))
    editor.get_by_label("Title").fill("Derby won")

    unpublish(editor)

    expect(editor.get_by_text("Unpublished. Readers do not see it.")).to_be_visible()
    expect(editor.get_by_label("Title")).to_have_value("Derby won")
    assert (news.get(item.id, strong=True).title, news.get(item.id).status) == ("Derby", "draft")


def test_somebody_elses_change_is_shown_beside_what_was_typed(
    live_server: object, desktop: Page, assert_accessible: Callable[[Page], None]
) -> None:
    item = article(published=True)
    sign_in(desktop, "official").goto(address_of(item))
    desktop.get_by_label("Title").fill("Derby won")
    news.update(item, {"title": "Derby lost"}, actor=CAST["moderator"].actor)

    unpublish(desktop)

    expect(desktop.locator("main > form").get_by_text("Derby lost").first).to_be_visible()
    expect(desktop.get_by_text("Derby won").first).to_be_visible()
    assert_accessible(desktop)
    assert news.get(item.id, strong=True).status == "published"
