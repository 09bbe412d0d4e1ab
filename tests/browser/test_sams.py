"""The pages about SAMS in a browser: readable on every screen, and a sync that shows how far it is."""

from playwright.sync_api import Page, expect

from cms.demo import sams as example
from tests.browser.signing_in import sign_in
from tests.cms.conftest import sams  # noqa: F401
from tests.cms.sams.server import Sams

ADDRESSES = (
    "/cms/sams/",
    "/cms/sams/teams/",
    "/cms/sams/clubs/",
    f"/cms/sams/teams/{example.team_uuid('Damen 1')}/",
)


def test_every_page_is_accessible_on_every_screen(every_look: Page, assert_accessible) -> None:
    example.load()
    sign_in(every_look, "admin")
    for address in ADDRESSES:
        every_look.goto(address)
        assert_accessible(every_look)


def test_a_uuid_is_copied(desktop: Page) -> None:
    example.load()
    desktop.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sign_in(desktop, "official")
    desktop.goto("/cms/sams/clubs/?q=weilbach")
    desktop.get_by_role("button", name="Copy the UUID of TV Weilbach").click()

    expect(desktop.get_by_text("Copied")).to_be_visible()
    assert desktop.evaluate("navigator.clipboard.readText()") == example.uuid_of("club", "TV Weilbach")


def test_a_sync_shows_how_far_it_is_until_it_is_done(desktop: Page, sams: Sams, assert_accessible) -> None:  # noqa: F811
    sign_in(desktop, "admin")
    sams.may_answer.clear()
    desktop.goto("/cms/sams/")
    desktop.get_by_role("button", name="Sync now: Clubs").click()
    expect(desktop.get_by_text("Contacting SAMS …")).to_be_visible()
    assert_accessible(desktop)
    sams.may_answer.set()

    expect(desktop.get_by_role("cell", name="8 found, 8 new")).to_be_visible(timeout=20_000)
    expect(desktop.get_by_role("cell", name="Done")).to_be_visible()
