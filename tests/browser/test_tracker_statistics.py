"""Softball figures in a browser: readable on every screen, sorted by keyboard, printed on one sheet."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.signing_in import sign_in
from tests.tracker import club, season
from tracker import repository
from tracker.rules.replay import Rules
from tracker.rules.season_rules import stored

NAMES = ("Ada", "Beatrix", "Cem", "Dov", "Eva-Maria", "Fin", "Gil", "Hal", "Ida")
LAST_NAMES = ("Lindqvist", "von Hohenstein", "Aydin", "Katz", "Brandt", "Okafor", "Sato", "Moor", "Weiß")
PLACES = ((0.2, 0.4), (0.5, 0.2), (0.8, 0.45), (0.36, 0.7), (0.6, 0.75), (0.45, 0.3))
RESULTS = (
    "1B", "K", "2B", "FO", "HR", "BB", "GO", "SF", "E", "1B", "FC",
    "3B", "PO", "LO", "K", "HBP", "1B", "DP", "2B", "OUT", "CI", "SH",
)  # fmt: skip


@pytest.fixture
def owner(db):
    return club.person("Olivia")


@pytest.fixture
def team(owner):
    return club.team_of(owner)


@pytest.fixture
def played(owner, team):
    """A game of the owner with eight others; the last play cannot have been so."""
    spring = season.season_of(team, "Spring 2026", actor=owner)
    own = repository.teams.roster(team.id).of_person(owner.sub)
    others = [
        club.ghost(team, first, number, actor=owner, last_name=last, positions=["SS"])
        for number, (first, last) in enumerate(zip(NAMES, LAST_NAMES, strict=True), start=1)
    ]
    results = [
        (result, {"hit_location": {"x": PLACES[number % 6][0], "y": PLACES[number % 6][1]}})
        for number, result in enumerate(RESULTS)
    ]
    results.append(("1B", {"runners": [{"from": 0, "to": 1}, {"from": 3, "to": 4}]}))
    return season.played(
        team,
        [own, *others[:8]],
        results,
        actor=owner,
        season_id=spring.id,
        opponent_by_inning=[0, 2, 1, 0, 0, 0, 1],
        opponent_score=4,
        location="Lincoln Park, Field 3",
        rules=stored(Rules(tie_breaker_from=8)),
    )


def addresses(team, played):
    own = played.lineup[0]["playerId"]
    return (
        f"/tracker/teams/{team.id}/statistics/",
        f"/tracker/teams/{team.id}/players/{own}/",
        "/tracker/me/statistics/",
        f"/tracker/games/{played.id}/box/",
        f"/tracker/games/{played.id}/scorecard/",
    )


def test_every_page_is_accessible_on_every_screen(every_look: Page, owner, team, played, assert_accessible):
    sign_in(every_look, owner)
    for address in addresses(team, played):
        every_look.goto(address)
        every_look.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
        assert_accessible(every_look)


def test_empty_pages_are_accessible_too(phone: Page, owner, team, assert_accessible):
    sign_in(phone, owner)
    for address in (f"/tracker/teams/{team.id}/statistics/", "/tracker/me/statistics/"):
        phone.goto(address)
        expect(phone.get_by_role("heading", name="No stats yet")).to_be_visible()
        assert_accessible(phone)


def test_on_a_phone_name_and_the_four_best_known_figures_are_in_sight(phone: Page, owner, team, played):
    sign_in(phone, owner)
    phone.goto(f"/tracker/teams/{team.id}/statistics/")
    row = phone.locator("#figures .stat-table tbody tr").first
    row.scroll_into_view_if_needed()
    expect(row.locator("th")).to_be_in_viewport(ratio=1)
    for place in range(4):
        expect(row.locator("td").nth(place)).to_be_in_viewport(ratio=1)
    expect(phone.get_by_text("Swipe sideways to see all columns.").first).to_be_visible()


def test_columns_are_sorted_with_the_keyboard_and_the_focus_stays(desktop: Page, owner, team, played):
    sign_in(desktop, owner)
    desktop.goto(f"/tracker/teams/{team.id}/statistics/")
    players = desktop.get_by_role("region", name="Players", exact=True)
    heading = players.get_by_role("columnheader", name=re.compile("^HR"))
    link = heading.get_by_role("link")
    link.focus()
    desktop.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(link).to_be_focused()
    desktop.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "ascending")
    desktop.get_by_label("At least").fill("3")
    desktop.get_by_role("button", name="Show").click()
    expect(desktop.locator("#left-out")).to_be_visible()
    expect(heading).to_have_attribute("aria-sort", "ascending")


def test_a_scorecard_is_one_sheet_of_paper(desktop: Page, owner, played):
    sign_in(desktop, owner)
    desktop.goto(f"/tracker/games/{played.id}/scorecard/")
    paper = desktop.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    (box,) = re.findall(rb"/MediaBox\s*\[([^\]]*)\]", paper)
    width, height = [round(float(side) / 72 * 25.4) for side in box.split()[2:]]
    assert (width, height) == (297, 210)
