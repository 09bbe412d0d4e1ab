"""Scoring on a phone without a network: what could not be sent waits and says so."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scoring_screen import Accessible, LosingAnswers, last_is, tap
from tests.browser.signing_in import sign_in
from tests.tracker.scorebook import Played
from tracker.scoring.services import scoring

pytestmark = pytest.mark.usefixtures("no_recording_limit")


@pytest.mark.journey
def test_a_tap_right_after_the_answer_is_kept_when_it_is_lost(live_server: object, phone: Page) -> None:
    """Sent without htmx, because it did not know the form yet, nothing would be left to be sent again."""
    played = Played()
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    losing = LosingAnswers(page)
    page.evaluate(
        """() => document.addEventListener("htmx:afterSwap", () => queueMicrotask(() => {
             document.querySelector('#play input[value="GO"]').click();
             document.getElementById("record").click();
           }), { once: true })"""
    )
    losing.number = 2
    tap(page, "1B")
    page.locator("#record").tap()
    expect(page.locator("#unsent")).to_be_visible()
    assert played.results() == ["1B", "GO"]
    page.get_by_role("button", name="Send again").tap()
    last_is(page, 2)
    assert played.results() == ["1B", "GO"]


def test_an_entry_that_cannot_be_sent_stays_on_the_screen_until_it_is_sent(
    live_server: object, phone: Page, assert_accessible: Accessible
) -> None:
    played = Played()
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    page.context.set_offline(True)
    tap(page, "2B")
    page.locator("#field").tap(position={"x": 80, "y": 160})
    expect(page.locator("#unsent")).to_be_visible()
    again = page.get_by_role("button", name="Send again")
    expect(again).to_be_focused()
    again.tap()
    expect(page.locator("#unsent")).to_be_visible()
    assert played.results() == []
    page.context.set_offline(False)
    assert_accessible(page)
    again.tap()
    last_is(page, 1)
    (at_bat,) = played.story().at_bats
    assert (at_bat.result, at_bat.hit_location) == ("2B", {"x": 0.25, "y": 0.5})


def test_while_an_entry_waits_nothing_else_can_throw_it_away(live_server: object, phone: Page) -> None:
    played = Played()
    played.record("1B")
    scoring.set_opponent_runs(played.owner, played.id, 1, 0, seen_runs=None)
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    page.context.set_offline(True)
    tap(page, "GO")
    page.locator("#record").tap()
    expect(page.locator("#unsent")).to_be_visible()
    expect(page.locator("#toasts > *")).to_have_count(0)
    page.context.set_offline(False)
    for other in ("#undo", "#opponent-more", "#opponent-begin"):
        page.locator(other).tap(force=True)
        # The tap leads back to what waits.
        expect(page.get_by_role("button", name="Send again")).to_be_focused()
        expect(page.locator("#unsent")).to_be_in_viewport()
    page.get_by_role("button", name="Send again").tap()
    last_is(page, 2)
    assert played.results() == ["1B", "GO"]
    assert played.story().game.opponent_by_inning == [0]
    page.locator("#opponent-more").tap()
    expect(page.locator("#runs")).to_contain_text("0 : 1")


def test_runs_of_the_opponent_that_could_not_be_sent_wait_and_say_so(
    live_server: object, phone: Page
) -> None:
    played = Played()
    scoring.set_opponent_runs(played.owner, played.id, 1, 0, seen_runs=None)
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    page.context.set_offline(True)
    page.locator("#opponent-more").tap()
    again = page.locator("#opponent-again")
    expect(again).to_be_focused()
    expect(page.locator("#opponent-unsent")).to_contain_text("Not sent yet.")
    expect(page.locator("#opponent-runs")).to_have_text("1")
    expect(page.locator("#toasts > *")).to_have_count(0)
    for waits in ("#play", "#opponent-more", "#opponent-next"):
        expect(page.locator(waits)).to_have_attribute("inert", "")
    again.tap()
    expect(page.locator("#opponent-unsent")).to_be_visible()
    page.context.set_offline(False)
    again.tap()
    expect(page.locator("#runs")).to_contain_text("0 : 1")
    expect(page.locator("#opponent-unsent")).to_be_hidden()
    assert played.story().game.opponent_by_inning == [1]
