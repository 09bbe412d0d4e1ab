"""The club's website in a real browser, on phone and desktop, in light and dark: everything axe looks for."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from cms import demo
from cms.members.repository import members
from cms.news.repository import news
from cms.sponsors.repository import sponsors
from cms.teams.repository import teams
from core.dynamo.actors import SYSTEM
from tests.browser.files import files  # noqa: F401
from tests.cms.club import make_member, make_sponsor, make_team
from tests.cms.files import picture
from tests.cms.test_demo import demo_people

Accessible = Callable[[Page], None]
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitän" * 2
LISTS = ["/", "/teams/", "/dates/", "/dates/past/", "/tables/", "/club/", "/club/people/", "/sponsors/"]


def with_pictures() -> None:
    """Some of the demo's records get one; the others show how they look without."""
    media = picture(alt="Our hall", caption="Before the match")
    for repository, found, field in (
        (teams, teams.at_slug("herren1"), "image_ids"),
        (news, news.public(limit=1, newest_first=True).items[0], "image_ids"),
        (members, members.by_name(limit=1).items[0], "avatar_id"),
        (sponsors, sponsors.by_name(limit=1).items[0], "logo_id"),
    ):
        value = [media.id] if field == "image_ids" else media.id
        repository.update(repository.get(found.id, strong=True), {field: value}, actor=SYSTEM)


@pytest.mark.usefixtures("files")
def test_readers_find_their_way_and_every_page_is_accessible(
    live_server: object, every_look: Page, assert_accessible: Accessible
) -> None:
    demo_people()
    demo.load()
    with_pictures()

    for address in LISTS:
        every_look.goto(address)
        assert_accessible(every_look)

    every_look.goto("/")
    expect(every_look.get_by_role("heading", level=1)).to_have_text("Volleyball in Auenfeld")
    every_look.get_by_role("link", name="Find your team").click()
    every_look.get_by_role("link", name="Men", exact=True).click()
    expect(every_look.locator("#teams > li")).to_have_count(2)
    assert_accessible(every_look)
    every_look.get_by_role("link", name="Herren 1").click()
    every_look.get_by_text("Day by day").click()
    expect(every_look.get_by_role("cell", name="Mühlenhalle").first).to_be_visible()
    expect(every_look.locator(".league-table .ours")).to_be_visible()
    assert_accessible(every_look)
    every_look.get_by_role("link", name="Imprint").click()
    expect(every_look.get_by_role("heading", level=1)).to_have_text("Impressum")
    assert_accessible(every_look)


def test_the_first_tab_leads_past_the_menu(live_server: object, desktop: Page) -> None:
    desktop.goto("/dates/")
    desktop.keyboard.press("Tab")
    expect(desktop.get_by_role("link", name="Skip to content")).to_be_focused()
    desktop.keyboard.press("Enter")

    expect(desktop.get_by_role("main")).to_be_focused()


def test_long_names_are_not_too_wide_for_a_phone(
    live_server: object, phone: Page, assert_accessible: Accessible
) -> None:
    member = make_member(LONG_WORD)
    make_team(LONG_WORD, slug="long", status="published", league="Landesliga", coach_ids=[member.id])
    make_sponsor(LONG_WORD, description=LONG_WORD)

    for address in ("/", "/teams/", "/teams/long/", "/club/people/", "/sponsors/"):
        phone.goto(address)
        assert_accessible(phone)


def test_on_paper_there_is_no_menu(live_server: object, desktop: Page) -> None:
    desktop.goto("/teams/")
    desktop.emulate_media(media="print")

    expect(desktop.get_by_role("heading", level=1)).to_be_visible()
    expect(desktop.locator(".public-nav").first).to_be_hidden()
