"""Before the first record: at most 200 px of a phone with the top bar, on a desktop one row of controls."""

from urllib.parse import urlencode

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from cms import demo as cms_demo
from core.accounts import demo as accounts
from core.accounts.cast import CAST
from core.accounts.user import User
from core.crud.registry import resources
from core.crud.resource import Resource
from quests import demo as quests_demo
from scouting import demo as scouting_demo
from tests.browser.signing_in import sign_in
from tests.cms.files import picture
from tests.user_pool import Pool
from tracker import demo as tracker_demo
from tracker.demo.played import id_of

MOST = 200
RECORD = "main :is(tbody tr, .quest-cards > li, .game-list > li, .roster-list > li, .activity > li)"
PEOPLE = {
    person.given_name: User.of(
        sub=f"{person.given_name}-sub", name=person.name, email=person.email, groups=[person.group or ""]
    )
    for person in CAST
}
# Pages of their own, and who looks at them.
OTHER_LISTS = (
    ("quests:mine", (), "Maya"),
    ("quests:leaders", (), "Maya"),
    ("quests:desk", (), "Stellan"),
    ("scouting:events", (), "Leandro"),
    ("scouting:mine", (), "Sina"),
    *(
        (f"tracker:{name}", (id_of("team", "mavericks"),), "Maya")
        for name in ("games", "roster", "members", "invitations")
    ),
    *((f"tracker:all-{name}", (), "Amara") for name in ("people", "teams", "games")),
)


def load() -> None:
    accounts.load()
    for each in (cms_demo, quests_demo, scouting_demo, tracker_demo):
        each.load()


@pytest.fixture
def examples(files: object, filled_once, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "people", lambda: PEOPLE)
    monkeypatch.setattr(quests_demo, "demo_people", lambda: PEOPLE)
    filled_once(load)
    picture()


def lists() -> list[Resource]:
    """The resources that have a list; people have a page of their own."""
    return [resource for resource in resources() if resource.entity != "person"]


def top_of_first(page: Page, record: str = RECORD) -> float:
    box = page.locator(record).first.bounding_box()
    assert box
    return box["y"]


@pytest.mark.usefixtures("examples")
def test_the_first_record_of_every_resource_is_in_sight(phone: Page) -> None:
    page, tops = sign_in(phone, PEOPLE["Amara"]), {}
    for resource in lists():
        page.goto(resource.list_address)
        tops[resource.list_address] = top_of_first(page)

    assert len(tops) > 12
    assert {address: top for address, top in tops.items() if top > MOST} == {}


@pytest.mark.usefixtures("examples")
def test_the_first_record_of_every_other_list_is_in_sight(phone: Page) -> None:
    tops = {}
    for name, args, looks in OTHER_LISTS:
        sign_in(phone, PEOPLE[looks]).goto(reverse(name, args=args))
        tops[name] = top_of_first(phone)

    assert {address: top for address, top in tops.items() if top > MOST} == {}


def test_the_first_person_is_in_sight(phone: Page, pool: Pool) -> None:
    sign_in(phone, pool["admin"]).goto("/people/")

    assert top_of_first(phone) <= MOST


@pytest.mark.usefixtures("examples")
def test_so_it_is_when_filters_are_set_which_can_be_cleared(phone: Page) -> None:
    page, tops = sign_in(phone, PEOPLE["Amara"]), {}
    for resource in lists():
        chosen = {each.name: each.choices[0][0] for each in resource.filters if each.choices}
        if not chosen:
            continue
        page.goto(f"{resource.list_address}?{urlencode(chosen)}")
        expect(page.get_by_role("link", name="Clear", exact=True)).to_be_in_viewport()
        expect(page.locator("#filter-count")).to_contain_text(str(len(chosen)))
        tops[resource.list_address] = top_of_first(page, f"{RECORD}, .empty")

    assert len(tops) > 8
    assert {address: top for address, top in tops.items() if top > MOST} == {}


@pytest.mark.usefixtures("examples")
def test_on_a_desktop_filters_count_and_menu_are_one_row(desktop: Page) -> None:
    page, heights = sign_in(desktop, PEOPLE["Amara"]), {}
    for resource in lists():
        page.goto(resource.list_address)
        box = page.locator(".list-bar").bounding_box()
        heights[resource.list_address] = box["height"] if box else 0

    assert {address: height for address, height in heights.items() if not 44 <= height <= 48} == {}


@pytest.mark.usefixtures("examples")
def test_a_ranking_shows_rank_team_and_opr_and_keeps_rank_and_team_in_place(
    desktop: Page, phone: Page
) -> None:
    def right_of(page: Page, title: str) -> float:
        box = page.get_by_role("columnheader", name=title, exact=True).bounding_box()
        assert box
        return box["x"] + box["width"]

    for page in (desktop, phone):
        sign_in(page, PEOPLE["Leandro"]).goto("/scouting/analysis/ranking/")
        table = page.locator(".figure-box").bounding_box()
        assert table
        assert right_of(page, "Rank") < right_of(page, "Team") < right_of(page, "OPR")
        assert right_of(page, "OPR") <= table["x"] + table["width"]
        before = right_of(page, "Team")
        page.locator(".figure-box").evaluate("box => box.scrollLeft = 200")
        assert right_of(page, "DPR") < right_of(page, "CCWM")
        assert right_of(page, "Team") == before


@pytest.mark.usefixtures("db")
def test_the_toolbar_of_the_editor_is_one_row_and_scrolls_on_a_phone(desktop: Page, phone: Page) -> None:
    for page in (desktop, phone):
        sign_in(page, PEOPLE["Moritz"]).goto("/cms/news/new")
        buttons = page.locator(".richtext-toolbar button").evaluate_all(
            "found => [...new Set(found.filter(one => one.checkVisibility()).map(one => one.offsetTop))]"
        )
        assert len(buttons) == 1

    scrolls = "bar => bar.scrollWidth > bar.clientWidth"
    hint = "bar => getComputedStyle(bar, '::after').backgroundImage.startsWith('linear-gradient')"
    assert not desktop.locator(".richtext-toolbar").first.evaluate(scrolls)
    assert phone.locator(".richtext-toolbar").first.evaluate(scrolls)
    assert phone.locator(".richtext-toolbar").first.evaluate(hint)
