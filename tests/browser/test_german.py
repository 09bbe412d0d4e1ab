"""The desk and the website in German: chosen in the account menu, and accessible as in English."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.signing_in import sign_in
from tests.the_club import the_club

Check = Callable[[Page], None]
pytestmark = pytest.mark.usefixtures("transactional_db")
PAGES = ("/desk/", "/cms/news/", "/cms/news/new", "/cms/calendar/", "/quests/", "/tracker/")


def test_a_language_is_chosen_in_the_account_menu_and_stays(desktop: Page, assert_accessible: Check) -> None:
    page = desktop
    sign_in(page, "admin")
    page.goto("/cms/news/")
    page.locator("#account-menu summary").click()
    page.get_by_role("button", name="Deutsch").click()

    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page).to_have_url(re.compile(r"/cms/news/$"))
    for address in PAGES:
        page.goto(address)
        expect(page.locator("html")).to_have_attribute("lang", "de")
        assert_accessible(page)


def test_the_website_of_a_german_club_is_german_and_accessible(
    desktop: Page, assert_accessible: Check
) -> None:
    the_club(language="de")
    for address in ("/", "/teams/", "/dates/"):
        desktop.goto(address)
        expect(desktop.locator("html")).to_have_attribute("lang", "de")
        assert_accessible(desktop)
