"""Booking the bus in a real browser: refused days are said at their field, and free ones are taken."""

from collections.abc import Callable
from datetime import timedelta

from django.utils.timezone import localdate
from playwright.sync_api import Page, expect

from tests.browser.signing_in import sign_in
from tests.cms.occasions import booking

Accessible = Callable[[Page], None]


def test_a_member_books_the_bus_and_sees_it_in_the_calendar(
    live_server: object, every_look: Page, assert_accessible: Accessible
) -> None:
    day = localdate() + timedelta(days=7)
    booking(day, by="moderator")
    page = sign_in(every_look, "member")
    page.goto("/cms/bus/")
    assert_accessible(page)
    page.get_by_role("link", name="New booking").click()
    expect(page.get_by_label("Driver")).to_have_value("Maya Rosenthal")
    expect(page.get_by_label("From")).to_have_value(day.isoformat())

    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("has booked the bus from")).to_contain_text("Moritz Feldkamp has booked")
    expect(page.get_by_label("From")).to_be_focused()
    assert_accessible(page)

    free = day + timedelta(days=1)
    page.get_by_label("From").fill(free.isoformat())
    page.get_by_label("To").fill((free + timedelta(days=1)).isoformat())
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert_accessible(page)

    page.goto("/cms/bus/")
    page.locator("#list-more-button").click()
    page.locator("#list-more").get_by_role("link", name="Calendar").click()
    expect(page.locator("#only-bus")).to_have_attribute("aria-current", "true")
    page.goto(f"/cms/calendar/?kind=bus&month={free:%Y-%m}")
    expect(page.locator(".entry-title", has_text="Maya Rosenthal").first).to_be_visible()
    assert_accessible(page)
