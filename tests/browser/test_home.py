"""The first page in a real browser: on every screen, by keyboard, and on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from cms.news.models import News
from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo import history, transactions, working_copies
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from core.people.services import ENTITY, SCOPE
from tests.browser.signing_in import sign_in
from tests.cast import CAST

ADMIN = CAST["admin"].actor


@pytest.fixture
def busy_club(db: object) -> None:
    """An administrator with something on the desk, in a club where something happened."""
    live = news.create(News(title="Herbst" + "turnier" * 30, status="published"), actor=ADMIN)
    news.create(News(title="Derby"), actor=ADMIN)
    roles.create(Role(name="Trainer"), actor=SYSTEM)
    for key, based_on in ((live.id, 1), (new_id(), None)):
        working_copies.save(
            entity="news", key=key, label="Changed", values={}, seen_version=0, based_on=based_on, actor=ADMIN
        )
    invited = history.entry(
        entity=ENTITY,
        key="ada",
        scope=SCOPE,
        label="Ada Lind",
        verb="invite",
        actor=ADMIN,
        at=now(),
        fields=[],
        before={},
    )
    transactions.send(invited)


@pytest.mark.usefixtures("busy_club")
@pytest.mark.parametrize("role", ["admin", pytest.param("member", marks=pytest.mark.journey), "official"])
def test_the_first_page_is_accessible_on_every_screen(
    every_look: Page, role: str, assert_accessible: Callable[[Page], None]
) -> None:
    page = sign_in(every_look, role)
    page.goto("/desk/")

    expect(page.get_by_role("heading", level=1)).to_have_text(f"Hello, {CAST[role].name.split()[0]}")
    assert_accessible(page)
    heights = page.locator("main :is(.tile, .tabs a, .activity li)").evaluate_all(
        "found => found.map(one => one.getBoundingClientRect().height)"
    )
    assert heights
    assert min(heights) >= 44


@pytest.mark.usefixtures("busy_club")
def test_another_scope_is_shown_in_place_and_the_focus_stays(desktop: Page) -> None:
    page = sign_in(desktop, "admin")
    page.goto("/desk/")
    expect(page.get_by_role("link", name="Website", exact=True)).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="Administration").focus()

    page.keyboard.press("Enter")

    activity = page.get_by_role("region", name="Recent activity")
    expect(activity.get_by_role("listitem")).to_contain_text(["Amara Lindqvist invited “Ada Lind”"])
    expect(page.get_by_role("link", name="Administration")).to_be_focused()
    expect(page.get_by_role("link", name="Administration")).to_have_attribute("aria-current", "page")
    expect(page).to_have_url("/desk/?scope=admin")
    page.go_back()
    expect(activity.get_by_role("link", name="“Trainer”")).to_be_visible()


@pytest.mark.usefixtures("busy_club")
def test_a_draft_is_opened_by_a_tap_on_its_whole_row(phone: Page) -> None:
    page = sign_in(phone, "admin")
    page.goto("/desk/")
    row = page.get_by_role("list", name="Your drafts and changes").get_by_role("listitem")
    age = row.filter(has_text="Derby").get_by_text("just now").bounding_box()
    assert age

    page.touchscreen.tap(age["x"] + 5, age["y"] + 5)

    expect(page.get_by_role("heading", level=1)).to_have_text("Derby")


@pytest.mark.usefixtures("db")
def test_who_may_begin_nothing_can_still_find_everything(
    desktop: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.palette.actions", lambda _user: [])
    page = sign_in(desktop, "member")
    page.goto("/desk/")

    page.locator("#begin-search").click()

    expect(page.get_by_role("dialog", name="Find anything")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#begin-search")).to_be_focused()


@pytest.mark.usefixtures("db")
def test_what_else_waits_comes_right_after_the_page(desktop: Page) -> None:
    """A moderator has more sources of what waits than the first page can ask for."""
    page = sign_in(desktop, "moderator")
    page.goto("/desk/")

    expect(page.locator("#nothing-waits")).to_contain_text("Nothing to do.")
