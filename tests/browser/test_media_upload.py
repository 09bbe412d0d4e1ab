"""Uploading in a real browser: dropped, chosen or photographed files, each with its own progress."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from cms.media.repository import media as library
from tests.browser.files import a_pdf, a_photo, broken, drop, expect_in
from tests.browser.signing_in import sign_in
from tests.cms.files import picture
from tests.media_bucket import Bucket

Accessible = Callable[[Page], None]
pytestmark = pytest.mark.usefixtures("db", "files")


def row(page: Page, name: str):
    return page.locator(".upload").filter(has_text=name)


def test_two_files_that_are_dropped_are_sent_and_described(desktop: Page) -> None:
    page = sign_in(desktop, "official")
    page.goto("/cms/media/new")

    drop(page, "#upload-form", a_photo("Finale.jpg"), a_pdf())

    expect_in(row(page, "Finale.jpg"), "Uploaded")
    expect_in(row(page, "Satzung.pdf"), "Uploaded")
    expect(page.locator("#upload-status")).to_contain_text("Uploaded")
    expect(page.get_by_role("textbox", name="What does the picture show?")).to_have_count(1)
    page.get_by_role("textbox", name="What does the picture show?").fill("Jubel am Netz")
    page.keyboard.press("Enter")
    expect_in(row(page, "Finale.jpg"), "Saved.")
    stored = {media.original_name: (media.alt, media.width) for media in library.by_age().items}
    assert stored == {"Finale.jpg": ("Jubel am Netz", 600), "Satzung.pdf": (None, None)}


def test_each_file_says_what_is_wrong_with_it_and_the_others_go_on(
    every_look: Page, assert_accessible: Accessible
) -> None:
    picture("Bekannt.jpg", colour="teal")
    page = sign_in(every_look, "official")
    page.goto("/cms/media/new")

    page.locator("#upload_files").set_input_files(
        [broken(), a_photo("Nochmal.jpg", "teal"), a_photo("Neu.jpg", "navy")]
    )

    expect_in(row(page, "kaputt.jpg"), "damaged or incomplete")
    expect(row(page, "kaputt.jpg").get_by_role("button", name="Try again")).to_be_hidden()
    expect_in(row(page, "Nochmal.jpg"), "Already in the library")
    expect_in(row(page, "Neu.jpg"), "Uploaded")
    assert_accessible(page)
    row(page, "Nochmal.jpg").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bekannt.jpg")


def test_the_bar_shows_how_much_was_sent_and_a_file_can_be_cancelled_and_sent_again(
    desktop: Page, files: Bucket
) -> None:
    page = sign_in(desktop, "official")
    held: list[Route] = []
    to_the_bucket = re.compile(re.escape(files.address) + r"/?$")
    page.route(to_the_bucket, lambda route: held.append(route))
    page.goto("/cms/media/new")

    page.locator("#upload_files").set_input_files([a_photo(f"{number}.jpg") for number in range(3)])

    # Two at a time.
    expect_in(row(page, "0.jpg"), "Uploading")
    expect_in(row(page, "1.jpg"), "Uploading")
    expect_in(row(page, "2.jpg"), "Waiting")
    expect(row(page, "0.jpg").get_by_role("progressbar")).to_have_attribute("max", "100")
    row(page, "0.jpg").get_by_role("button", name="Cancel: 0.jpg").click()
    expect_in(row(page, "0.jpg"), "Cancelled")
    expect_in(row(page, "2.jpg"), "Uploading")
    for route in held[1:]:
        route.continue_()
    page.unroute(to_the_bucket)
    row(page, "0.jpg").get_by_role("button", name="Try again").click()

    # The three are the same picture, so one of them is new.
    for number in range(3):
        expect(row(page, f"{number}.jpg").get_by_role("link", name="Open")).to_be_visible()
    assert len(library.by_age().items) == 1


def test_a_cut_connection_is_told_at_the_file(desktop: Page, files: Bucket) -> None:
    page = sign_in(desktop, "official")
    to_the_bucket = re.compile(re.escape(files.address) + r"/?$")
    page.route(to_the_bucket, lambda route: route.abort())
    page.goto("/cms/media/new")
    page.locator("#upload_files").set_input_files([a_photo("Finale.jpg")])

    expect_in(row(page, "Finale.jpg"), "Upload failed.")
    page.unroute(to_the_bucket)
    row(page, "Finale.jpg").get_by_role("button", name="Try again").click()

    expect_in(row(page, "Finale.jpg"), "Uploaded")


def test_a_phone_offers_its_camera_and_a_desktop_does_not(phone: Page, desktop: Page) -> None:
    for page, offers in ((phone, True), (desktop, False)):
        sign_in(page, "official").goto("/cms/media/new")
        expect(page.get_by_text("Take a photo")).to_be_visible(visible=offers)
    phone.locator("#upload_camera").set_input_files(a_photo("IMG_1.jpg"))
    expect_in(row(phone, "IMG_1.jpg"), "Uploaded")


def test_a_file_is_replaced_and_its_page_shows_the_new_one(desktop: Page) -> None:
    media = picture("Alt.jpg", colour="teal")
    page = sign_in(desktop, "moderator")
    page.goto(f"/cms/media/{media.id}/")
    page.get_by_role("link", name="Replace the file").first.click()

    page.locator("#upload_files").set_input_files(a_photo("Neu.jpg", "navy"))

    expect(page.get_by_role("heading", level=1)).to_have_text("Neu.jpg")
    assert library.get(media.id, strong=True).s3_key != media.s3_key


@pytest.fixture
def without_script(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(
        base_url=str(live_server), java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    yield sign_in(context.new_page(), "official")
    context.close()


def test_without_javascript_the_form_does_the_same(without_script: Page) -> None:
    page = without_script
    page.goto("/cms/media/new")
    page.locator("#upload_files").set_input_files([a_photo("Finale.jpg"), broken()])
    page.get_by_role("button", name="Upload", exact=True).click()

    expect_in(row(page, "Finale.jpg"), "Uploaded")
    expect_in(row(page, "kaputt.jpg"), "damaged or incomplete")
    page.get_by_label("What does the picture show?").fill("Jubel am Netz")
    page.get_by_role("button", name="Save descriptions").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Media")
    assert [media.alt for media in library.by_age().items] == ["Jubel am Netz"]
