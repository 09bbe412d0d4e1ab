"""What readers see, and the preview of it, in a real browser on every screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from cms import demo
from tests.browser.signing_in import sign_in
from tests.cms.articles import LONG_AGO, address_of, article
from tests.cms.test_demo import demo_people

Accessible = Callable[[Page], None]
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 3


@pytest.mark.journey
def test_readers_leaf_through_the_news_and_read_an_article(
    live_server: object, every_look: Page, assert_accessible: Accessible
) -> None:
    demo_people()
    demo.load()

    every_look.goto("/news/")
    assert_accessible(every_look)
    every_look.get_by_role("link", name="Older news").click()
    expect(every_look.get_by_role("link", name="Newest news")).to_be_visible()
    every_look.get_by_role("link", name="Aufstieg! Damen 1 spielen künftig in der Oberliga").click()

    expect(every_look.get_by_role("heading", level=1)).to_have_text(
        "Aufstieg! Damen 1 spielen künftig in der Oberliga"
    )
    expect(every_look.get_by_text("by Odile Brandt")).to_be_visible()
    assert_accessible(every_look)


def test_nothing_is_too_wide_for_a_phone(
    live_server: object, phone: Page, assert_accessible: Accessible
) -> None:
    item = article(LONG_WORD[:200], published=True, publish_at=LONG_AGO, text=LONG_WORD, tags=["x" * 40])
    sign_in(phone, "official")

    for address in ("/news/", f"/news/{item.slug}/", address_of(item, "preview")):
        phone.goto(address)
        assert_accessible(phone)


def test_the_preview_has_the_width_of_a_phone_and_its_layout(
    live_server: object, desktop: Page, assert_accessible: Accessible
) -> None:
    item = article(published=True, publish_at=LONG_AGO)
    sign_in(desktop, "official").goto(address_of(item, "preview"))
    wide = layout(desktop)
    assert_accessible(desktop)

    desktop.get_by_role("link", name="Phone").click()
    expect(desktop.get_by_role("link", name="Phone")).to_have_attribute("aria-current", "true")

    assert (wide, layout(desktop)) == ((736, "36px"), (390, "25.6px"))
    assert_accessible(desktop)


def layout(page: Page) -> tuple[float, str]:
    """How wide the readers' part is, and how large its title."""
    box = page.locator("#preview").bounding_box()
    title = page.locator(".article-title")
    return box["width"], title.evaluate("element => getComputedStyle(element).fontSize")
