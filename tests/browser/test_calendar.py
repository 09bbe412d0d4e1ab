"""The calendar in a real browser: a month with room, a list of days on a phone, all by keyboard."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils.timezone import localdate, localtime
from playwright.sync_api import Browser, Page, expect

from cms import demo
from tests.browser.signing_in import sign_in
from tests.cms.occasions import booking, event
from tests.cms.test_demo import demo_people
from tests.cms.trainings import hall, row, team

Accessible = Callable[[Page], None]


def noon() -> datetime:
    """Of today: what begins late in the evening is on two days."""
    return localtime().replace(hour=12, minute=0, second=0, microsecond=0)


def test_every_view_is_accessible(
    live_server: object, every_look: Page, assert_accessible: Accessible
) -> None:
    demo_people()
    demo.load()
    page = sign_in(every_look, "moderator")

    for query in ("", "?view=list", "?kind=bus", "?month=2030-02", "?month=2030-02&view=list&kind=event"):
        page.goto(f"/cms/calendar/{query}")
        assert_accessible(page)


def test_the_months_are_leafed_through_by_keyboard_and_the_focus_stays(
    live_server: object, desktop: Page
) -> None:
    page = sign_in(desktop, "member")
    page.goto("/cms/calendar/?month=2027-03")
    later = page.get_by_role("link", name="April 2027")

    later.press("Enter")
    expect(page.get_by_role("heading", name="April 2027")).to_be_visible()
    expect(page).to_have_url(re.compile("month=2027-04"))
    expect(page.locator("#later")).to_be_focused()
    expect(page.locator("#found")).to_have_text("April 2027: no entries")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="May 2027")).to_be_visible()

    page.go_back()
    expect(page.get_by_role("heading", name="April 2027")).to_be_visible()


def test_kinds_and_teams_narrow_it_and_a_click_opens_an_entry(live_server: object, desktop: Page) -> None:
    herren = team("Herren 1", row("montags", place=hall()))
    team("Damen 1", row("dienstags"))
    event("Derby", start_date=noon(), team_ids=[herren.id])
    booking(localdate() + timedelta(days=1))
    page = sign_in(desktop, "official")
    page.goto("/cms/calendar/?view=list")
    titles = page.locator(".entry-title")
    expect(titles.filter(has_text="Damen 1").first).to_be_visible()

    page.get_by_label("Team").focus()
    page.get_by_label("Team").select_option("Herren 1")
    expect(titles.filter(has_text="Damen 1")).to_have_count(0)
    expect(page.get_by_label("Team")).to_be_focused()
    page.get_by_role("link", name="Event", exact=True).press("Enter")
    expect(titles).to_have_text(["Derby"])
    expect(page.locator("#only-event")).to_be_focused()
    expect(page.locator("#only-event")).to_have_attribute("aria-current", "true")

    page.locator(".entry").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Derby")


def test_a_phone_begins_with_today_and_unfolds_the_earlier_days_that_have_something(
    live_server: object, phone: Page
) -> None:
    today = localdate()
    event("Tonight", start_date=noon())
    first = today.replace(day=1)
    booking(first, first + timedelta(days=27))
    page = sign_in(phone, "member")
    page.goto("/cms/calendar/")

    cells = page.locator(".month td:visible")
    days = 28 if today.day <= 28 else 29
    expect(cells).to_have_count(days - min(today.day - 1, 28))
    expect(cells.first).to_have_id("today")
    if today.day > 1:
        page.get_by_text("Earlier this month").click()
    expect(cells).to_have_count(days)
    expect(page.locator(".month .day-number:visible")).to_have_count(0)
    expect(page.get_by_text(f"{today:%A}, {today.day} {today:%B}")).to_be_visible()
    page.get_by_role("link", name="Today").click()

    expect(page.locator("#today")).to_be_in_viewport()


def test_everything_works_without_javascript(live_server: object, browser: Browser) -> None:
    team("Herren 1", row("montags"))
    event("Party", start_date=noon())
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    page = sign_in(context.new_page(), "member")
    page.goto("/cms/calendar/")

    page.get_by_role("link", name="List").click()
    page.get_by_label("Team").select_option("Herren 1")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".entry-title").first).to_have_text("Herren 1")
    expect(page.locator(".entry-title", has_text="Party")).to_have_count(0)
    page.locator("#later").click()
    after = (localdate().replace(day=1) + timedelta(days=31)).replace(day=1)
    expect(page.locator("#month")).to_have_text(f"{after:%B %Y}")
    context.close()
