"""Pictures in the forms of other records: the cover of an article on a phone, pictures within its text."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from cms.media.repository import media as library
from cms.news.repository import news
from tests.browser.files import a_photo, broken, drop, expect_in, paste
from tests.browser.signing_in import sign_in
from tests.cms.articles import article
from tests.cms.files import picture

Accessible = Callable[[Page], None]
pytestmark = pytest.mark.usefixtures("db", "files")


def chosen(page: Page) -> Locator:
    return page.locator("#id_image_ids_media [data-chosen] > li")


def names(page: Page) -> list[str]:
    return page.locator("#id_image_ids_media .chosen-name").all_inner_texts()


def text_of(page: Page) -> Locator:
    """The editor, never the plain field that it replaces once its script has run."""
    return page.get_by_role("textbox", name=re.compile("^Content")).and_(page.locator("[contenteditable]"))


def key_of(page: Page) -> str:
    return page.url.rstrip("/").split("/")[-1]


def test_a_photo_from_the_phone_becomes_the_cover_of_an_article(
    phone: Page, assert_accessible: Accessible
) -> None:
    page = sign_in(phone, "official")
    page.goto("/cms/news/new")
    page.get_by_role("textbox", name="Title", exact=True).fill("Derby")
    text_of(page).click()
    page.keyboard.type("Five sets.")

    page.locator("#id_image_ids_camera").set_input_files(a_photo("IMG_1.jpg"))
    expect(chosen(page)).to_have_count(1)
    page.get_by_label("What does the picture show?").fill("Jubel am Netz")
    page.keyboard.press("Enter")
    expect_in(page.locator(".upload"), "Saved.")
    assert_accessible(page)
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator("#record-head")).to_contain_text("Published")

    page.goto("/news/derby/")
    expect(page.get_by_role("img", name="Jubel am Netz")).to_be_visible()
    assert_accessible(page)


def test_pictures_are_chosen_from_the_library_put_in_order_and_removed(
    every_look: Page, assert_accessible: Accessible
) -> None:
    for name, colour in (("A.jpg", "red"), ("B.jpg", "navy"), ("Sommer.jpg", "teal")):
        picture(name, colour=colour)
    item = article("Derby", by="official")
    page = sign_in(every_look, "official")
    page.goto(f"/cms/news/{item.id}/")

    page.get_by_role("button", name="Choose from library").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("checkbox", name="A.jpg").check()
    expect(page.locator("#choose-q")).to_be_visible()
    assert_accessible(page)
    page.locator("#choose-q").fill("sommer")
    expect(dialog.get_by_role("checkbox")).to_have_count(1)
    dialog.get_by_role("checkbox", name="Sommer.jpg").check()
    dialog.get_by_role("button", name="Use selected files").click()

    expect(chosen(page)).to_have_count(2)
    assert names(page) == ["A.jpg", "Sommer.jpg"]
    page.get_by_role("button", name="Move forward: Sommer.jpg").click()
    assert names(page) == ["Sommer.jpg", "A.jpg"]
    expect(page.get_by_role("button", name="Move forward: Sommer.jpg")).to_be_focused()
    page.get_by_role("button", name="Remove: A.jpg").click()
    expect(page.get_by_role("button", name="Remove: Sommer.jpg")).to_be_focused()
    assert_accessible(page)

    # Nothing was typed, and yet it is kept.
    expect(page.locator("#save-state")).to_contain_text("Draft saved at")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("#save-state")).to_contain_text("Saved at")
    (kept,) = news.get(item.id, strong=True).image_ids
    assert library.get(kept).original_name == "Sommer.jpg"


def test_the_dialog_closes_by_escape_and_the_focus_is_where_it_was(desktop: Page) -> None:
    picture()
    page = sign_in(desktop, "official")
    page.goto("/cms/news/new")
    button = page.get_by_role("button", name="Choose from library")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#choose-q")).to_be_focused()

    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()


def test_a_picture_of_the_library_is_put_into_the_text(desktop: Page) -> None:
    media = picture("Halle.jpg", alt="Die Halle")
    page = sign_in(desktop, "official")
    page.goto("/cms/news/new")
    page.get_by_role("textbox", name="Title", exact=True).fill("Derby")
    text_of(page).click()
    page.keyboard.type("Five sets.")
    page.get_by_role("button", name="Picture", exact=True).click()

    page.get_by_role("dialog").get_by_role("button", name="Halle.jpg").click()

    expect(text_of(page).get_by_role("img", name="Die Halle")).to_be_visible()
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("#save-state")).to_contain_text("Saved at")
    assert news.get(key_of(page), strong=True).text_image_ids == [media.id]
    page.reload()
    expect(text_of(page).get_by_role("img", name="Die Halle")).to_have_js_property("complete", True)


@pytest.mark.parametrize("bring", [drop, paste])
def test_a_picture_that_is_dropped_or_pasted_into_the_text_is_uploaded_and_shown_there(
    desktop: Page, bring: Callable[..., None]
) -> None:
    page = sign_in(desktop, "official")
    page.goto("/cms/news/new")
    page.get_by_role("textbox", name="Title", exact=True).fill("Derby")
    expect(text_of(page)).to_have_attribute("contenteditable", "true")

    bring(page, "#id_content_editor", a_photo("Finale.jpg"))

    expect(text_of(page).locator("figure img")).to_be_visible()
    page.get_by_label("What does the picture show?").fill("Jubel am Netz")
    page.keyboard.press("Enter")
    expect_in(page.locator(".upload"), "Saved.")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("#save-state")).to_contain_text("Saved at")
    (media,) = library.by_age().items
    assert (media.alt, media.s3_key.partition("/")[0]) == ("Jubel am Netz", "news")
    assert news.get(key_of(page), strong=True).text_image_ids == [media.id]


def test_a_picture_is_uploaded_in_the_dialog_of_the_text_described_and_used(
    every_look: Page, assert_accessible: Accessible
) -> None:
    picture("Halle.jpg", alt="Die Halle", colour="red")
    page = sign_in(every_look, "official")
    page.goto("/cms/news/new")
    page.get_by_role("textbox", name="Title", exact=True).fill("Derby")
    text_of(page).click()
    page.keyboard.type("Five sets.")
    page.get_by_role("button", name="Picture", exact=True).click()
    dialog = page.get_by_role("dialog")

    dialog.locator("#choose_files").set_input_files(a_photo("Finale.jpg"))

    expect(dialog.get_by_label("What does the picture show?")).to_be_focused()
    assert_accessible(page)
    page.keyboard.type("Jubel am Netz")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("button", name="Use this picture: Finale.jpg")).to_be_focused()
    expect_in(dialog.locator(".upload"), "Saved.")
    page.keyboard.press("Enter")

    expect(dialog).to_have_count(0)
    expect(text_of(page).get_by_role("img", name="Jubel am Netz")).to_be_visible()
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("#save-state")).to_contain_text("Saved at")
    media = library.get(news.get(key_of(page), strong=True).text_image_ids[0])
    assert (media.original_name, media.alt, media.s3_key.partition("/")[0]) == (
        "Finale.jpg",
        "Jubel am Netz",
        "news",
    )


def test_a_broken_file_is_refused_in_the_dialog_and_closing_it_uses_nothing(desktop: Page) -> None:
    picture("Halle.jpg", alt="Die Halle")
    page = sign_in(desktop, "official")
    page.goto("/cms/news/new")
    expect(text_of(page)).to_have_attribute("contenteditable", "true")
    page.get_by_role("button", name="Picture", exact=True).click()
    dialog = page.get_by_role("dialog")

    dialog.locator("#choose_files").set_input_files(broken())
    expect(dialog.locator(".upload .errorlist")).to_be_visible()
    expect(dialog.get_by_role("button", name=re.compile("^Use this picture"))).to_have_count(0)

    dialog.locator("#choose_files").set_input_files(a_photo("Nochmal.jpg", colour="red", size=(640, 480)))
    expect_in(dialog.locator(".upload").last, "Uploaded")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(text_of(page).locator("figure")).to_have_count(0)
