"""The main menu in a real browser: groups that open, close and stay so, and the current entry in sight."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from desk.menu import MENU
from tests.browser.conftest import OpenPage
from tests.browser.signing_in import sign_in

pytestmark = pytest.mark.usefixtures("db")

ALL_OPEN = ".".join(group.id for group in MENU if group.id)
IN_SIGHT = """menu => [...menu.querySelectorAll("a, summary")].filter((each) => {
  const { top, bottom, height } = each.getBoundingClientRect();
  return height && top >= 0 && bottom <= innerHeight && each.checkVisibility();
}).length"""
IS_CURRENT_IN_SIGHT = """menu => {
  const { top, bottom } = menu.querySelector("[aria-current]").getBoundingClientRect();
  return top >= menu.getBoundingClientRect().top && bottom <= innerHeight;
}"""


def with_all_groups_open(page: Page) -> Page:
    cookie = {"name": settings.MENU_COOKIE_NAME, "value": ALL_OPEN, "domain": "localhost", "path": "/"}
    page.context.add_cookies([{**cookie, "secure": True}])  # type: ignore[list-item]
    return page


@pytest.fixture
def without_javascript(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(
        base_url=str(live_server), java_script_enabled=False, viewport={"width": 1280, "height": 500}
    )
    yield sign_in(context.new_page(), "admin")
    context.close()


@pytest.mark.journey
def test_an_administrator_sees_at_most_twelve_entries_on_a_laptop(desktop: Page) -> None:
    sign_in(desktop, "admin").goto("/desk/")

    assert 0 < desktop.locator("#menu").evaluate(IN_SIGHT) <= 12
    expect(desktop.get_by_role("link", name="View website")).to_be_in_viewport()


def test_groups_that_somebody_opens_and_closes_stay_so(desktop: Page) -> None:
    sign_in(desktop, "admin").goto("/desk/")
    quests, scouting = desktop.locator("#menu-quests"), desktop.locator("#menu-scouting")
    for group in (quests, scouting):
        expect(group).not_to_have_attribute("open", "")
        group.locator("summary").press("Enter")
        expect(group).to_have_attribute("open", "")
    scouting.locator("summary").click()

    desktop.get_by_role("link", name="Quest board").click()
    desktop.get_by_role("link", name="Calendar", exact=True).click()
    expect(quests).to_have_attribute("open", "")
    expect(scouting).not_to_have_attribute("open", "")

    quests.locator("summary").click()
    desktop.reload()
    expect(quests).not_to_have_attribute("open", "")


def test_the_group_of_a_page_is_not_kept_open_by_visiting_it(desktop: Page) -> None:
    sign_in(desktop, "admin").goto("/cms/news/")
    expect(desktop.locator("#menu-website")).to_have_attribute("open", "")
    desktop.goto("/desk/")

    expect(desktop.locator("#menu-website")).not_to_have_attribute("open", "")


def test_groups_open_without_javascript(without_javascript: Page) -> None:
    page = without_javascript
    page.goto("/desk/")
    page.locator("#menu").get_by_text("Administration", exact=True).click()
    page.get_by_role("link", name="Webhooks").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Webhooks")
    expect(page.get_by_role("link", name="Webhooks")).to_have_attribute("aria-current", "page")


def test_the_current_entry_is_in_sight_in_a_long_menu(open_page: OpenPage, without_javascript: Page) -> None:
    with_script = open_page("desktop", "light")
    with_script.set_viewport_size({"width": 1280, "height": 500})
    for page in (sign_in(with_script, "admin"), without_javascript):
        with_all_groups_open(page).goto("/cms/sams/")
        assert page.locator("#menu").evaluate("menu => menu.scrollHeight > menu.clientHeight")
        expect(page.get_by_role("link", name="SAMS sync")).to_be_in_viewport(ratio=1)
        assert page.locator("#menu").evaluate(IS_CURRENT_IN_SIGHT)
        assert page.evaluate("scrollY") == 0


def test_the_drawer_of_a_phone_opens_at_the_current_entry(phone: Page) -> None:
    with_all_groups_open(sign_in(phone, "admin")).goto("/cms/sams/")
    phone.get_by_role("button", name="Menu").tap()

    expect(phone.get_by_role("link", name="SAMS sync")).to_be_focused()
    expect(phone.get_by_role("link", name="SAMS sync")).to_be_in_viewport(ratio=1)


def test_an_open_menu_is_accessible(desktop: Page, assert_accessible: Callable[[Page], None]) -> None:
    with_all_groups_open(sign_in(desktop, "admin")).goto("/cms/sams/")

    expect(desktop.get_by_role("list", name="Administration")).to_be_visible()
    assert_accessible(desktop)


def test_every_entry_is_large_enough_for_a_thumb(phone: Page) -> None:
    with_all_groups_open(sign_in(phone, "admin")).goto("/desk/")
    phone.get_by_role("button", name="Menu").tap()

    heights = phone.locator("#menu :is(a, summary)").evaluate_all(
        "found => found.map(each => each.getBoundingClientRect().height)"
    )
    assert len(heights) > 30
    assert min(heights) >= 44


def test_the_menu_of_the_name_leads_to_the_own_page(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    page = sign_in(every_look, "member")
    page.goto("/desk/")
    page.locator("#account-menu summary").click()
    assert_accessible(page)
    page.get_by_role("link", name="Your profile").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Your profile")
    expect(page.get_by_role("link", name="Change name")).to_be_visible()
    assert_accessible(page)
