"""Unpublishing and its undo in a real browser, with and without JavaScript."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from cms.news.repository import news
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
    expect(editor.get_by_text("Unpublished. It is no longer on the website.")).to_be_visible()
    expect(editor.locator("#record-head").get_by_text("Draft")).to_be_visible()
    editor.locator("#toasts").get_by_role("button", name="Undo").click()

    expect(editor.locator("#record-head").get_by_text("Published")).to_be_visible()
    assert news.get(item.id, strong=True).status == "published"


def test_what_was_typed_just_before_is_still_there(editor: Page) -> None:
    item = article(published=True)
    editor.goto(address_of(item))
    editor.get_by_label("Title").fill("Derby won")

    unpublish(editor)

    expect(editor.get_by_text("Unpublished. It is no longer on the website.")).to_be_visible()
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


def test_a_later_date_is_asked_about_scheduled_and_cancelled(editor: Page) -> None:
    item = article(published=True)
    editor.goto(address_of(item))
    editor.get_by_role("textbox", name="Title", exact=True).fill("Derby won")
    editor.locator("#id_publish_at").fill("2036-12-24T18:00")

    editor.get_by_role("button", name="Publish changes").click()
    editor.get_by_role("button", name="Keep the published version online").click()

    expect(editor.locator("#record-notice")).to_contain_text("will be published on 24 Dec 2036, 18:00")
    assert news.get(item.id, strong=True).title == "Derby"
    editor.get_by_role("button", name="Cancel the schedule").click()
    expect(editor.locator("#record-notice")).to_contain_text("These changes are not published yet.")
    expect(editor.get_by_role("textbox", name="Title", exact=True)).to_have_value("Derby won")


def test_the_question_and_the_schedule_can_be_used_by_everybody(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    item = article(published=True)
    page = sign_in(every_look, "official")
    page.goto(address_of(item))
    page.locator("#id_publish_at").fill("2036-12-24T18:00")

    page.get_by_role("button", name="Publish changes").click()
    expect(page.locator("#offline-heading")).to_be_focused()
    assert_accessible(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_role("button", name="Cancel the schedule")).to_be_visible()
    assert_accessible(page)
