"""News from end to end in a real browser: on a phone, on a desktop, and without JavaScript."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.awaiting import eventually
from tests.browser.conftest import OpenPage
from tests.browser.signing_in import sign_in

Accessible = Callable[[Page], None]
# Pages that a fixture opens by name do not ask for it by themselves.
pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(params=["phone", "desktop"])
def writer(request: pytest.FixtureRequest) -> Page:
    """Odile, an official, who writes articles and changes her own."""
    page: Page = request.getfixturevalue(request.param)
    return sign_in(page, "official")


@pytest.fixture
def without_script(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(
        base_url=str(live_server), java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    yield sign_in(context.new_page(), "official")
    context.close()


def text_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name=re.compile("^Content"))


def title_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Title", exact=True)


def head_of(page: Page) -> Locator:
    return page.locator("#record-head")


def begin(page: Page, title: str, text: str) -> None:
    page.goto("/cms/news/new")
    title_of(page).fill(title)
    expect(text_of(page)).to_have_attribute("contenteditable", "true")
    text_of(page).click()
    page.keyboard.type(text)


def publish(page: Page, title: str, text: str = "Five sets, two hours.") -> str:
    """An article that readers see; returns the address of its form."""
    begin(page, title, text)
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(head_of(page).get_by_text("Published")).to_be_visible()
    return page.url


def more(page: Page, name: str) -> None:
    page.locator("#record-more-button").click()
    page.locator("#record-more").get_by_text(name, exact=True).click()


def test_the_life_of_an_article(writer: Page, assert_accessible: Accessible) -> None:
    page = writer

    begin(page, "Derby in der Mühlenhalle", "Five sets, two hours.")
    page.get_by_role("button", name="Save draft").click()
    expect(head_of(page)).to_contain_text("Draft")
    expect(page.get_by_role("heading", level=1)).to_have_text("Derby in der Mühlenhalle")
    assert_accessible(page)

    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview-note")).to_be_visible()
    expect(page.get_by_text("Five sets, two hours.")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Phone").click()
    expect(page.get_by_role("link", name="Phone")).to_have_attribute("aria-current", "true")
    page.get_by_role("link", name="Back to the form").click()

    page.get_by_role("button", name="Publish", exact=True).click()
    expect(head_of(page)).to_contain_text("Published")
    record = page.url

    title_of(page).fill("Derby won")
    page.get_by_role("button", name="Save for later").click()
    expect(head_of(page)).to_contain_text("Changed")
    page.get_by_role("link", name="See what changed").click()
    expect(page.locator("ins")).to_have_text(re.compile("Derby won"))
    assert_accessible(page)
    page.get_by_role("link", name="Back to the form").click()
    page.get_by_role("button", name="Publish changes").click()
    expect(page.locator("#toasts")).to_contain_text("Published.")
    page.goto("/news/derby-in-der-muehlenhalle/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Derby won")
    assert_accessible(page)

    page.goto(record)
    more(page, "History")
    page.get_by_role("link", name="What changed").nth(0).click()
    expect(page.locator("del")).to_have_text(re.compile("Derby in der Mühlenhalle"))
    assert_accessible(page)
    page.get_by_role("link", name="Restore this version").last.click()
    page.get_by_role("button", name="Restore this version").click()
    expect(head_of(page)).to_contain_text("Changed")
    expect(title_of(page)).to_have_value("Derby in der Mühlenhalle")

    more(page, "Delete")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert_accessible(page)
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("News")
    assert_accessible(page)
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(page.locator("#toasts")).to_contain_text("was restored")

    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find anything").fill("derby")
    page.get_by_role("option", name=re.compile("Derby won")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Derby won")


@pytest.mark.journey
def test_the_life_of_an_article_without_javascript(without_script: Page) -> None:
    page = without_script
    page.goto("/cms/news/new")
    title_of(page).fill("Derby in der Mühlenhalle")
    text_of(page).fill("Five sets, two hours.")
    page.get_by_role("button", name="Save draft").click()
    expect(head_of(page)).to_contain_text("Draft")

    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Five sets, two hours.")).to_be_visible()
    page.get_by_role("link", name="Back to the form").click()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(head_of(page)).to_contain_text("Published")
    record = page.url

    title_of(page).fill("Derby won")
    page.get_by_role("button", name="Save for later").click()
    expect(head_of(page)).to_contain_text("Changed")
    page.get_by_role("link", name="See what changed").click()
    expect(page.locator("ins")).to_have_text(re.compile("Derby won"))
    page.get_by_role("link", name="Back to the form").click()
    page.get_by_role("button", name="Publish changes").click()
    page.goto("/news/derby-in-der-muehlenhalle/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Derby won")

    page.goto(record)
    more(page, "History")
    page.get_by_role("link", name="Restore this version").last.click()
    page.get_by_role("button", name="Restore this version").click()
    expect(title_of(page)).to_have_value("Derby in der Mühlenhalle")

    more(page, "Delete")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("News")
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(page.locator("#toasts")).to_contain_text("Derby won")

    page.locator("#open-palette").click()
    page.get_by_role("searchbox").or_(page.get_by_role("textbox")).first.fill("derby")
    page.keyboard.press("Enter")
    page.get_by_role("link", name=re.compile("Derby won")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Derby won")


def test_two_people_edit_one_article_and_neither_loses_a_word(
    writer: Page, open_page: OpenPage, assert_accessible: Accessible
) -> None:
    address = publish(writer, "Derby")
    other = sign_in(open_page("desktop", "dark"), "moderator")
    other.goto(address)

    title_of(writer).fill("Derby, told by Odile")
    writer.get_by_role("button", name="Publish changes").click()
    expect(writer.locator("#toasts")).to_contain_text("Published.")
    title_of(other).fill("Derby, told by Moritz")
    other.get_by_role("button", name="Publish changes").click()

    expect(other.get_by_text("Derby, told by Odile").first).to_be_visible()
    expect(other.get_by_text("Derby, told by Moritz").first).to_be_visible()
    assert_accessible(other)
    other.get_by_role("button", name="Save merged version").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Derby, told by Moritz")


def test_who_types_into_a_text_that_somebody_else_changed_is_told_at_once(
    desktop: Page, open_page: OpenPage
) -> None:
    writer = sign_in(desktop, "official")
    address = publish(writer, "Derby")
    other = sign_in(open_page("desktop", "light"), "moderator")
    other.goto(address)
    text_of(writer).click()
    writer.keyboard.type("And Odile adds this.")
    expect(writer.locator("#save-state")).to_contain_text("Draft saved at")

    title_of(other).fill("Derby, told by Moritz")

    expect(other.locator("#save-state")).to_contain_text("Odile Brandt changed this draft")
    expect(title_of(other)).to_have_value("Derby, told by Moritz")


def test_what_is_typed_when_the_browser_dies_is_offered(desktop: Page, open_page: OpenPage) -> None:
    writer = sign_in(desktop, "official")
    begin(writer, "Half an article", "Half a sentence")
    expect(writer.locator("#save-state")).to_contain_text("Draft saved at")
    writer.close(run_before_unload=False)

    again = sign_in(open_page("phone", "light"), "official")
    again.goto("/desk/")
    again.get_by_role("link", name="Half an article").click()

    expect(title_of(again)).to_have_value("Half an article")
    expect(text_of(again)).to_have_text("Half a sentence")


@pytest.mark.journey
def test_what_is_typed_without_a_connection_is_kept_when_it_is_back(desktop: Page) -> None:
    page = sign_in(desktop, "official")
    begin(page, "Half an article", "Half a sentence")
    expect(page.locator("#save-state")).to_contain_text("Draft saved at")

    page.context.set_offline(True)
    page.keyboard.type(" and the rest")
    expect(page.locator("#save-state")).to_have_text("Not saved yet")
    page.context.set_offline(False)

    expect(page.locator("#save-state")).to_contain_text("Draft saved at")
    page.reload()
    expect(text_of(page)).to_have_text("Half a sentence and the rest")


def test_what_is_typed_while_a_save_runs_is_kept_afterwards(desktop: Page) -> None:
    page = sign_in(desktop, "official")
    begin(page, "Half an article", "Half a sentence")
    held: list[Route] = []
    page.route("**/cms/news/*/", lambda route: held.append(route), times=1)

    with page.expect_request("**/cms/news/*/"):
        page.keyboard.press("Control+s")
        page.keyboard.type(" and the rest")
    # Playwright calls the route while something is asked of the page.
    eventually(lambda: page.title() and held, bool)
    held[0].continue_()

    expect(page.locator("#save-state")).to_contain_text("Draft saved at")
    page.reload()
    expect(text_of(page)).to_have_text("Half a sentence and the rest")


def test_a_session_that_ends_while_typing_loses_nothing(desktop: Page) -> None:
    writer = sign_in(desktop, "official")
    begin(writer, "Half an article", "Half a sentence")
    expect(writer.locator("#save-state")).to_contain_text("Draft saved at")
    writer.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)

    writer.keyboard.type(" and the rest")
    expect(writer.get_by_role("dialog")).to_be_visible()
    sign_in(writer, "official")
    writer.keyboard.press("Escape")
    text_of(writer).click()
    writer.keyboard.press("Control+s")

    expect(head_of(writer)).to_contain_text("Draft")
    writer.reload()
    expect(text_of(writer)).to_have_text("Half a sentence and the rest")


def test_saving_by_keyboard_leaves_the_caret_where_it_is(desktop: Page) -> None:
    page = sign_in(desktop, "official")
    begin(page, "Derby", "Five sets")

    page.keyboard.press("Control+s")
    expect(page.locator("#save-state")).to_contain_text("Saved at")
    page.keyboard.type(", two hours")
    page.keyboard.press("Control+Enter")

    expect(head_of(page)).to_contain_text("Published")
    expect(text_of(page)).to_be_focused()
    expect(text_of(page)).to_have_text("Five sets, two hours")
    page.reload()
    expect(text_of(page)).to_have_text("Five sets, two hours")
    expect(head_of(page)).not_to_contain_text("Changed")


@pytest.mark.parametrize("screen", ["desktop", "without_script"])
def test_enter_in_a_field_saves(request: pytest.FixtureRequest, screen: str) -> None:
    page = sign_in(request.getfixturevalue(screen), "official")
    page.goto("/cms/news/new")
    title_of(page).fill("Derby")

    title_of(page).press("Enter")

    expect(head_of(page)).to_contain_text("Draft")
    expect(page.locator("#toasts")).to_contain_text("Saved.")


def test_the_first_thing_to_correct_has_the_focus(writer: Page, assert_accessible: Accessible) -> None:
    begin(writer, "", "Text without a title")

    writer.get_by_role("button", name="Publish", exact=True).click()

    expect(title_of(writer)).to_be_focused()
    expect(title_of(writer)).to_have_attribute("aria-invalid", "true")
    expect(text_of(writer)).to_have_text("Text without a title")
    assert_accessible(writer)


def test_every_screen_of_news_is_accessible(every_look: Page, assert_accessible: Accessible) -> None:
    page = sign_in(every_look, "moderator")
    publish(page, "Derby")
    begin(page, "A draft with a-very-long-word-that-cannot-be-broken-anywhere-at-all", "Text")
    page.get_by_role("button", name="Save draft").click()
    expect(head_of(page)).to_contain_text("Draft")

    for address in ["", "?status=draft", "?q=nothing-like-this", "new", "trash"]:
        page.goto(f"/cms/news/{address}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert_accessible(page)
