"""The library in a real browser: looking, describing, and deleting what is used."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from cms.media.repository import media as library
from cms.news.repository import news
from tests.browser.signing_in import sign_in
from tests.cms.articles import article
from tests.cms.files import document, picture

Accessible = Callable[[Page], None]
pytestmark = pytest.mark.usefixtures("db", "files")


def test_grid_list_page_and_upload_page_are_accessible(
    every_look: Page, assert_accessible: Accessible
) -> None:
    described = picture("Sommerfest.jpg", colour="navy", alt="Kinder am Netz")
    picture("IMG_20260704_181530_HDR_original.jpg", colour="teal")
    document()
    article("Derby", image_ids=[described.id])
    page = sign_in(every_look, "moderator")

    page.goto("/cms/media/")
    expect(page.get_by_role("row")).to_have_count(4)
    assert_accessible(page)
    page.locator("#list-more-button").click()
    page.get_by_role("button", name="Show as a list").click()
    expect(page.locator("#list-more-button")).to_be_focused()
    expect(page.locator(".as-grid")).to_have_count(0)
    assert_accessible(page)
    page.get_by_role("link", name="Sommerfest.jpg").click()
    expect(page.get_by_role("link", name="Derby")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Replace the file").first.click()
    assert_accessible(page)
    page.goto("/cms/media/")
    expect(page.get_by_role("row")).to_have_count(4)
    expect(page.locator(".as-grid")).to_have_count(0)
    page.get_by_role("link", name="Upload files").click()
    assert_accessible(page)


def test_several_are_chosen_in_the_grid_and_deleted_at_once(phone: Page) -> None:
    picture("A.jpg", colour="red")
    picture("B.jpg", colour="navy")
    kept = picture("C.jpg", colour="teal")
    page = sign_in(phone, "moderator")
    page.goto("/cms/media/")

    for name in ("A.jpg", "B.jpg"):
        page.get_by_role("checkbox", name=f"Select {name}").check()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete").click()

    expect(page.locator("#told")).to_be_visible()
    assert [media.id for media in library.by_age().items] == [kept.id]


def test_what_is_used_is_deleted_only_with_its_uses(desktop: Page, assert_accessible: Accessible) -> None:
    media = picture("Team.jpg")
    item = article("Derby", image_ids=[media.id])
    page = sign_in(desktop, "moderator")
    page.goto(f"/cms/media/{media.id}/")
    page.locator("#record-more-button").click()
    page.get_by_role("link", name="Delete").click()

    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This is still in use.")
    expect(dialog.get_by_role("link", name="Derby")).to_be_visible()
    assert_accessible(page)
    dialog.get_by_role("button", name="Remove it there and delete").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Media")
    expect(page.locator("#toasts")).to_contain_text("was deleted")
    assert news.get(item.id, strong=True).image_ids == []
    assert library.by_age().items == []


def test_the_address_of_a_file_is_copied(desktop: Page) -> None:
    media = picture()
    page = sign_in(desktop, "official")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/cms/media/{media.id}/")

    page.get_by_role("button", name="Copy").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == media.address
