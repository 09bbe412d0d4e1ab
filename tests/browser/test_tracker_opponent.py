"""The opponent's runs on a phone, and what was chosen meanwhile."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.scoring_screen import last_is, tap
from tests.browser.signing_in import sign_in
from tests.tracker.club import ghost
from tests.tracker.scorebook import Played
from tracker.scoring.services import lineup, scoring

pytestmark = pytest.mark.usefixtures("no_recording_limit")


def test_every_quick_tap_on_the_opponents_runs_counts_and_the_button_stays_under_the_finger(
    live_server: object, phone: Page
) -> None:
    played = Played()
    scoring.set_opponent_runs(played.owner, played.id, 1, 0, seen_runs=None)
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/opponent/", hold_the_first)
    more = page.locator("#opponent-more")
    page.evaluate("scrollTo(0, 150)")
    place = more.bounding_box()
    for _time in range(3):
        more.tap()
    expect(page.locator("#opponent-runs")).to_have_text("3")
    held[0].continue_()
    expect(page.locator("#runs")).to_contain_text("0 : 3")
    expect(more).to_be_focused()
    assert more.bounding_box() == place
    assert played.story().game.opponent_by_inning == [3]
    page.locator("#opponent-less").tap()
    expect(page.locator("#runs")).to_contain_text("0 : 2")


def test_a_result_that_is_chosen_stays_chosen_while_the_opponent_scores(
    live_server: object, phone: Page
) -> None:
    played = Played()
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    tap(page, "2B")
    page.locator("#runners summary").tap()
    page.locator('[data-runner="0"] select').first.select_option("3")
    for control, runs in (("begin", 0), ("more", 1), ("more", 2), ("less", 1)):
        page.locator(f"#opponent-{control}").tap()
        expect(page.locator("#opponent-runs")).to_have_text(str(runs))
        expect(page.locator('input[value="2B"]')).to_be_checked()
        expect(page.locator("#record")).to_have_text("Record: Double, #1 Ada")
    page.locator("#record").tap()
    last_is(page, 1)
    expect(page.locator("input[name=result]:checked")).to_have_count(0)
    (at_bat,) = played.story().at_bats
    assert (at_bat.result, [(each["from"], each["to"]) for each in at_bat.runners]) == ("2B", [(0, 3)])
    page.reload()
    expect(page.locator("input[name=result]:checked")).to_have_count(0)


def test_the_button_for_a_run_stays_under_the_finger_when_the_line_about_a_chosen_result_arrives(
    live_server: object, phone: Page
) -> None:
    played = Played()
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    tap(page, "2B")
    page.locator("#runners summary").tap()
    page.locator('[data-runner="0"] select').first.select_option("3")
    line = page.locator("#summary")
    expect(line).to_be_visible()
    held: list[Route] = []
    page.route("**/preview/", lambda route: held.append(route))
    with page.expect_request("**/preview/"):
        page.locator("#opponent-begin").tap()
    expect(page.locator("#opponent-more")).to_be_focused()
    expect(line).to_be_hidden()
    place = page.locator("#opponent-more").bounding_box()
    held[0].continue_()
    expect(line).to_be_visible()
    assert page.locator("#opponent-more").bounding_box() == pytest.approx(place, abs=0.5)


def test_a_result_that_is_chosen_waits_for_its_turn_when_the_one_before_is_taken_back(
    live_server: object, phone: Page
) -> None:
    played = Played()
    played.record("1B")
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    tap(page, "K")
    page.locator("#undo").tap()
    last_is(page, 0)
    expect(page.locator("input[name=result]:checked")).to_have_count(0)
    tap(page, "HR")
    page.locator("#record").tap()
    last_is(page, 1)
    expect(page.locator("#record")).to_have_text("Record: Strikeout, #2 Bea")
    page.locator("#record").tap()
    last_is(page, 2)
    assert played.results() == ["HR", "K"]


def test_a_result_that_is_chosen_is_still_chosen_after_a_substitution(
    live_server: object, phone: Page
) -> None:
    played = Played()
    zoe = ghost(played.team, "Zoe", 10, actor=played.owner)
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    tap(page, "K")
    # The browser asks whether the page shall be left.
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#substitute").tap()
    page.wait_for_url("**/lineup/**")
    lineup.substitute(played.owner, played.id, 1, zoe.id)
    page.goto(f"/tracker/games/{played.id}/score/")
    expect(page.locator("#batter")).to_contain_text("#10 Zoe")
    expect(page.locator("#record")).to_have_text("Record: Strikeout, #10 Zoe")


def test_while_a_result_is_chosen_the_page_does_not_replace_itself(live_server: object, phone: Page) -> None:
    played = Played()
    page = sign_in(phone, played.owner)
    page.clock.install()
    page.goto(f"/tracker/games/{played.id}/score/")
    tap(page, "K")
    scoring.set_opponent_runs(played.owner, played.id, 1, 4, seen_runs=None)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(60_000)
    expect(page.locator('input[value="K"]')).to_be_checked()
    assert [url for url in asked if "changes" in url] == []


def test_a_second_tap_of_the_same_finger_opens_no_second_inning(live_server: object, phone: Page) -> None:
    played = Played()
    page = sign_in(phone, played.owner)
    page.clock.install()
    page.goto(f"/tracker/games/{played.id}/score/")
    page.evaluate(
        """() => document.addEventListener("htmx:afterSettle", () => setTimeout(() => {
             document.getElementById("opponent-begin").click();
             document.body.dataset.tapped = "";
           }), { once: true })"""
    )
    page.locator("#opponent-begin").tap()
    expect(page.locator("body[data-tapped]")).to_have_count(1)
    expect(page.locator("#opponent-more")).to_be_focused()
    expect(page.locator('#opponent-next input[name="inning"]')).to_have_value("2")
    assert played.story().game.opponent_by_inning == [0]
    page.clock.run_for(1000)
    page.locator("#opponent-begin").tap()
    expect(page.locator('#opponent-next input[name="inning"]')).to_have_value("3")
    assert played.story().game.opponent_by_inning == [0, 0]


def test_an_earlier_inning_of_the_opponent_is_corrected_in_its_place(
    live_server: object, phone: Page
) -> None:
    played = Played()
    for inning in (1, 2, 3):
        scoring.set_opponent_runs(played.owner, played.id, inning, inning, seen_runs=None)
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    page.locator("#opponent-earlier > summary").tap()
    page.locator("#opponent-runs-1").fill("5")
    page.locator("#opponent-save-1").tap()
    expect(page.locator("#runs")).to_contain_text("0 : 10")
    expect(page.locator("#opponent-runs-1")).to_have_value("5")
    expect(page.locator("#opponent-save-1")).to_be_focused()
    assert played.story().game.opponent_by_inning == [5, 2, 3]
