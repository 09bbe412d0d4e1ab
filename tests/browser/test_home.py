"""Home in a real browser: on every screen, by keyboard, without JavaScript."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cms.news.models import News
from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo import working_copies
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from tests.browser.signing_in import sign_in
from tests.cast import CAST
from tests.cms.occasions import event
from tests.quests.board import disputed, open_accounts
from tests.scouting import field
from tests.tracker.club import ghost, join, team_of
from tracker import repository as softball
from tracker.games.models import Game
from tracker.people import services as people
from tracker.teams.models import SCOREKEEPER

AMARA, MAYA = CAST["admin"], CAST["member"]
TOMORROW = now() + timedelta(days=1)


@pytest.fixture
def busy_club(db: object) -> None:
    """Something for each role: drafts, a dispute, a match to scout, a game to come, an event that is on."""
    open_accounts()
    for person in CAST.values():
        people.open_profile(person)
    live = news.create(News(title="Herbst" + "turnier" * 30, status="published"), actor=AMARA.actor)
    news.create(News(title="Derby", author_ids=[AMARA.sub]), actor=AMARA.actor)
    roles.create(Role(name="Trainer"), actor=AMARA.actor)
    for key, based_on in ((live.id, 1), (new_id(), None)):
        working_copies.save(
            entity="news",
            key=key,
            label="Changed",
            values={},
            seen_version=0,
            based_on=based_on,
            actor=AMARA.actor,
        )
    disputed(title="Netz in Halle 2")
    field.event(matches=3, played=1)
    event("Trainingslager", start_date=now() - timedelta(hours=1), end_date=TOMORROW)
    team = team_of(MAYA, "Falcons")
    for number in range(5):
        ghost(team, f"Ada {number}", number + 1, actor=MAYA)
    join(CAST["guest"], team, SCOREKEEPER, actor=MAYA)
    game: Any = Game.about(
        new_id(), team_id=team.id, opponent_name="Owls", is_home=True, scheduled_start=TOMORROW
    )
    softball.games.create(game, actor=MAYA.actor)


@pytest.fixture
def without_javascript(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(
        base_url=str(live_server), java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    yield context.new_page()
    context.close()


def open_home(page: Page, role: str) -> Page:
    """With all that is loaded after it."""
    sign_in(page, role).goto("/desk/")
    expect(page.locator("#dates .skeleton")).to_have_count(0)
    if page.locator("#activity").count():
        # Not by the locator, which waits for an element that is replaced as soon as it is in sight.
        page.evaluate("document.getElementById('activity').scrollIntoView()")
        expect(page.locator("#activity-link")).to_have_count(0)
    return page


@pytest.mark.usefixtures("busy_club")
@pytest.mark.parametrize(
    "role",
    ["admin", pytest.param("member", marks=pytest.mark.journey), "official", "scout", "steward", "guest"],
)
def test_home_is_accessible_on_every_screen(
    every_look: Page, role: str, assert_accessible: Callable[[Page], None]
) -> None:
    page = open_home(every_look, role)

    expect(page.get_by_role("heading", level=1)).to_have_text(f"Hello, {CAST[role].name.split()[0]}")
    assert_accessible(page)
    heights = page.locator("main :is(.button, .tile, .activity li)").evaluate_all(
        "found => found.map(one => one.getBoundingClientRect().height)"
    )
    assert heights
    assert min(heights) >= 44


@pytest.mark.usefixtures("busy_club")
@pytest.mark.parametrize(
    ("role", "first"),
    [
        ("scout", "Next match at Fieldhouse Test"),
        ("member", "Next game of Falcons"),
        ("guest", "Next game of Falcons"),
        ("steward", "Netz in Halle 2"),
    ],
)
def test_on_a_phone_the_first_thing_of_each_role_is_in_sight(phone: Page, role: str, first: str) -> None:
    page = open_home(phone, role)

    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("main").get_by_text(first, exact=True).first).to_be_in_viewport()


@pytest.mark.usefixtures("busy_club")
def test_a_task_is_opened_by_a_tap_on_its_whole_row(phone: Page) -> None:
    page = sign_in(phone, "steward")
    page.goto("/desk/")
    age = page.locator("#tasks").get_by_text("just now").bounding_box()
    assert age

    page.touchscreen.tap(age["x"] + 5, age["y"] + 5)

    expect(page).to_have_url(re.compile("/quests/desk/decide/"))


@pytest.mark.usefixtures("busy_club")
def test_a_player_answers_on_home_and_stays_there(desktop: Page) -> None:
    page = open_home(desktop, "member")
    page.get_by_role("group", name="Are you coming? Owls").get_by_role("button", name="Yes").click()

    expect(page.get_by_role("button", name="Yes")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#toasts")).to_contain_text("coming")
    expect(page).to_have_url("/desk/")
    page.reload()
    expect(page.locator(".highlight")).to_contain_text("1 coming")


@pytest.mark.usefixtures("db")
def test_creating_is_one_menu_that_opens_by_keyboard(desktop: Page) -> None:
    page = open_home(desktop, "official")
    page.locator("#create-button").press("Enter")
    expect(page.locator("#create-menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#create-menu")).to_be_hidden()
    expect(page.locator("#create-button")).to_be_focused()

    page.locator("#create-button").press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="New article")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url("/cms/news/new")


@pytest.mark.usefixtures("busy_club")
def test_everything_is_reached_without_javascript(without_javascript: Page) -> None:
    page = sign_in(without_javascript, "admin")
    page.goto("/desk/")
    expect(page.get_by_role("link", name="Scout this match")).to_be_visible()
    expect(page.get_by_role("link", name="Resolve: Netz in Halle 2")).to_be_visible()
    expect(page.locator(".skeleton").first).to_be_hidden()
    page.locator("#create-button").click()
    expect(page.get_by_role("link", name="New article")).to_be_visible()
    page.locator("#create-button").click()

    page.get_by_role("link", name="See more to do and your next dates").click()
    expect(page.get_by_role("link", name="Continue: Derby")).to_be_visible()
    expect(page.get_by_role("link", name="Trainingslager")).to_be_visible()

    page.get_by_role("link", name="Home").last.click()
    page.get_by_role("link", name="See recent activity").click()
    expect(page.get_by_role("link", name="“Trainer”")).to_be_visible()


@pytest.mark.usefixtures("db")
def test_somebody_new_finds_where_to_begin(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    page = open_home(every_look, "member")

    expect(page.locator("#nothing-to-do")).to_contain_text("Nothing to do.")
    expect(page.locator("#dates")).to_contain_text("No dates in the next weeks.")
    assert_accessible(page)
    page.get_by_role("link", name="Find a quest").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Quest board")
