"""Two scorekeepers of one game: what one writes down arrives at the other."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.scoring_screen import last_is, tap
from tests.browser.signing_in import sign_in
from tests.tracker.club import SCOREKEEPER, ghost, join, person
from tests.tracker.scorebook import Played
from tracker.games.services import games
from tracker.scoring.services import lineup

pytestmark = pytest.mark.usefixtures("no_recording_limit")


def test_what_another_scorekeeper_writes_down_arrives_by_itself_and_is_never_doubled(
    live_server: object, open_page: OpenPage
) -> None:
    played = Played()
    sam = person("Sam")
    join(sam, played.team, SCOREKEEPER, actor=played.owner)
    page = sign_in(open_page("phone", "light"), sam)
    page.goto(f"/tracker/games/{played.id}/score/")
    played.record("1B")
    expect(page.locator("#batter")).to_contain_text("#2 Bea")
    tap(page, "K")
    played.record("HR")
    page.locator("#record").tap()
    refused = page.locator("#refused")
    expect(refused).to_contain_text("Home run, #2 Bea recorded by Olga Example")
    expect(refused).to_contain_text("You had chosen: Strikeout, #2 Bea.")
    expect(refused).to_be_focused()
    expect(page.locator("#batter")).to_contain_text("#3 Cem")
    expect(page.locator("#play input[name=result]:checked")).to_have_count(0)
    expect(page.locator("#record")).to_have_text("Record")
    assert played.results() == ["1B", "HR"]


def test_what_was_chosen_for_a_batter_is_not_chosen_for_whoever_came_in_meanwhile(
    live_server: object, phone: Page
) -> None:
    played = Played()
    zoe = ghost(played.team, "Zoe", 10, actor=played.owner)
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    tap(page, "2B")
    lineup.substitute(played.owner, played.id, 1, zoe.id)
    page.locator("#record").tap()
    expect(page.locator("#refused")).to_contain_text("#10 Zoe came in for #1 Ada.")
    expect(page.locator("#batter")).to_contain_text("#10 Zoe")
    expect(page.locator("#play input[name=result]:checked")).to_have_count(0)
    tap(page, "2B")
    expect(page.locator("#record")).to_have_text("Record: Double, #10 Zoe")
    page.locator("#record").tap()
    last_is(page, 1)
    assert [each.player_id for each in played.story().at_bats] == [zoe.id]


def test_the_live_page_updates_by_itself(live_server: object, desktop: Page) -> None:
    played = Played()
    token = games.live_token(games.share(played.owner, played.id, shared=True))
    desktop.goto(f"/tracker/live/{token}/")
    expect(desktop.locator("#batter")).to_contain_text("#1 Ada")
    played.record("HR")
    # It asks every 15 seconds.
    expect(desktop.locator("#batter")).to_contain_text("#2 Bea")
