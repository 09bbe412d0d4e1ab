"""History, differences and the page of two versions in a real browser."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from cms.news.models import News
from cms.news.repository import news
from core.content.richtext import from_plain_text
from tests.browser.signing_in import sign_in
from tests.cast import CAST
from tests.cms.articles import address_of, article

Accessible = Callable[[Page], None]
TEXT = "We played for two hours in a full hall. It took five sets until the last point was made. Thanks."


def change(item: News, **fields: object) -> None:
    news.update(news.get(item.id, strong=True), fields, actor=CAST["moderator"].actor)


def test_the_history_opens_in_place_and_leads_back(every_look: Page, assert_accessible: Accessible) -> None:
    item = article("Derby", text=TEXT)
    change(item, title="Derby won", content=from_plain_text(TEXT.replace("five", "six")), tags=["cup"])
    page = sign_in(every_look, "official")
    page.goto(address_of(item, "history"))
    assert_accessible(page)

    page.get_by_role("link", name="What changed").first.click()
    expect(page.locator("del", has_text="five")).to_be_visible()
    expect(page.locator("[id^=entry-]:focus")).to_have_count(1)
    assert_accessible(page)

    page.get_by_role("link", name="Restore this version").last.click()
    expect(page.get_by_role("heading", name="Restore the version of")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Restore this version").click()
    expect(page.get_by_role("textbox", name="Title")).to_have_value("Derby")


def test_while_a_difference_is_awaited_its_outline_is_shown(phone: Page) -> None:
    item = article("Derby", text=TEXT)
    change(item, title="Derby won")
    page = sign_in(phone, "official")
    page.goto(address_of(item, "history"))
    held: list[Route] = []
    page.route("**/version?*", lambda route: held.append(route))
    line = page.locator("#entries .line").last
    expect(line.locator(".skeleton")).to_be_hidden()
    line.get_by_role("link", name="What changed").click()
    expect(line.locator(".skeleton")).to_be_visible()
    held[0].continue_()

    expect(page.locator("ins", has_text="We played").first).to_be_visible()
    expect(page.locator(".skeleton:visible")).to_have_count(0)


def test_two_versions_are_chosen_from_and_merged(every_look: Page, assert_accessible: Accessible) -> None:
    item = article("Derby", text=TEXT)
    page = sign_in(every_look, "official")
    page.goto(address_of(item))
    page.get_by_role("textbox", name="Title").fill("Derby lost")
    change(item, title="Derby won", content=from_plain_text(TEXT.replace("five", "six")))

    page.get_by_role("button", name="Save draft").click()

    expect(page.get_by_role("heading", name="This was changed while you were editing it")).to_be_focused()
    assert_accessible(page)
    page.get_by_role("radiogroup", name="Title").get_by_role("radio", name="The other version").check()
    page.get_by_role("button", name="Save merged version").click()
    expect(page.get_by_role("textbox", name="Title")).to_have_value("Derby won")
    assert "six sets" in str(news.get(item.id, strong=True).content)


def test_a_record_that_was_deleted_meanwhile_is_put_back(phone: Page, assert_accessible: Accessible) -> None:
    item = article("Derby")
    page = sign_in(phone, "official")
    page.goto(address_of(item))
    page.get_by_role("textbox", name="Title").fill("Derby lost")
    news.delete(item, actor=CAST["moderator"].actor)

    page.get_by_role("button", name="Save draft").click()

    expect(page.get_by_role("heading", name="This was deleted while you were editing it")).to_be_focused()
    assert_accessible(page)
    page.get_by_role("button", name="Restore and save").click()
    expect(page.get_by_role("textbox", name="Title")).to_have_value("Derby lost")
    expect(page.locator("#record-head")).to_contain_text("Derby lost")


def test_what_waits_to_be_published_can_be_looked_at(desktop: Page, assert_accessible: Accessible) -> None:
    item = article("Derby", published=True)
    page = sign_in(desktop, "official")
    page.goto(address_of(item))
    page.get_by_role("textbox", name="Title").fill("Derby lost")
    page.get_by_role("button", name="Save for later").click()

    page.get_by_role("link", name="See what changed").click()

    expect(page.locator("ins", has_text="Derby lost")).to_be_visible()
    assert_accessible(page)
