"""Scoring on a phone: a whole game with lost answers, two scorekeepers, no network, no scripts."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import OpenPage
from tests.browser.signing_in import sign_in
from tests.tracker.club import SCOREKEEPER, ghost, join, nine, person, team_of
from tests.tracker.rules import test_scoring_rules
from tests.tracker.scorebook import START, Played
from tracker import repository
from tracker.games.models import COMING, FINAL, Answer
from tracker.games.services import games
from tracker.rules import box_scores
from tracker.scoring.limits import RECORDING
from tracker.scoring.services import lineup, scoring

Accessible = Callable[[Page], None]

# Seven innings: what happens in each, and what the opponent scores.
INNINGS = (
    (("1B", "HR", "K", "GO", "FO"), 1),
    (("BB", "1B", "2B", "DP", "LO"), 0),
    (("K", "K", "E", "3B", "PO"), 2),
    (("1B", "FC", "SH", "1B", "K"), 0),
    (("HBP", "2B", "SF", "HR", "K", "K"), 0),
    (("GO", "FO", "LO"), 3),
    (("2B", "2B", "K", "FO", "1B", "GO"), 0),
)
LOST = (3, 12, 27)


@pytest.fixture(autouse=True)
def _no_limit(db: object) -> None:
    RECORDING.reset("sub-olga")


def tap(page: Page, result: str) -> None:
    page.locator("label.score-tile", has=page.locator(f'input[value="{result}"]')).tap()


def last_is(page: Page, number: int) -> None:
    """The play was answered: the next turn is on the screen."""
    expect(page.locator('#play input[name="seen"]')).to_have_value(str(number))


class LosingAnswers:
    """Lets a request reach the server, and loses what it answers: that with this number, if there is one."""

    def __init__(self, page: Page) -> None:
        self.number: int | None = None
        self.asked = 0
        self.lost = 0
        page.route("**/record/", self.handle)

    def handle(self, route: Route) -> None:
        self.asked += 1
        if self.asked != self.number:
            route.continue_()
            return
        self.lost += 1
        # Carried out by the server, and never heard of.
        route.fetch()
        route.abort()


def test_a_whole_game_from_the_line_up_to_final_with_three_lost_answers(
    live_server: object, phone: Page
) -> None:
    olga = person("Olga")
    team = team_of(olga)
    players = nine(team, actor=olga)
    game = games.create(olga, team.id, {"opponent_name": "Rivertown Rockets", "scheduled_start": START})
    for player in players:
        repository.answers.create(
            Answer.about(game.id, player.id, team_id=game.team_id, answer=COMING), actor=olga.actor
        )
    page = sign_in(phone, olga)
    page.goto(f"/tracker/games/{game.id}/lineup/?from=coming")
    page.get_by_role("button", name="Save").last.click()
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("link", name="Score the game").click()
    losing = LosingAnswers(page)

    number = 0
    for inning, (results, theirs) in enumerate(INNINGS, start=1):
        expect(page.locator("#inning")).to_have_text("Top 1" if inning == 1 else f"After top {inning - 1}")
        for result in results:
            expect(page.locator("#batter")).to_contain_text(
                f"#{number % 9 + 1} {players[number % 9].first_name}"
            )
            losing.number = losing.asked + 1 if number in LOST else None
            tap(page, result)
            if result in ("2B", "HR"):
                page.locator("#field").tap(position={"x": 160, "y": 60})
            else:
                page.locator("#record").tap()
            if number in LOST:
                expect(page.locator("#unsent")).to_be_visible()
                page.get_by_role("button", name="Send again").tap()
            number += 1
            last_is(page, number)
            # Sent again, it is known as what was stored: nobody is told that somebody else was faster.
            expect(page.locator("#refused")).to_have_count(0)
        page.locator("#opponent-begin").tap()
        expect(page.locator('#opponent-next input[name="inning"]')).to_have_value(str(inning + 1))
        for runs in range(1, theirs + 1):
            page.locator("#opponent-more").tap()
            expect(page.locator("#opponent-runs")).to_have_text(str(runs))

    expect(page.locator("#ended")).to_be_visible()
    page.locator("#finish").click()
    page.get_by_role("button", name="Finish the game").click()
    expect(page.locator("#status")).to_have_text("Final")

    story = repository.games.story(game.id, strong=True)
    box = box_scores.box_of(story.game, story.at_bats)
    assert losing.lost == 3
    assert [each.result for each in story.at_bats] == [
        each for results, _theirs in INNINGS for each in results
    ]
    assert (story.game.status, story.game.team_score, story.game.opponent_score) == (FINAL, 8, 6)
    assert box.runs_by_inning == (2, 1, 1, 0, 3, 0, 1, 0)
    assert (box.imbalance, len(box.problems)) == (0, 0)
    assert [each.hit_location for each in story.at_bats if each.result == "HR"] == [
        {"x": 0.5, "y": 0.188}
    ] * 2
    kept = repository.boxes.get(team.id, None, game.id, strong=True)
    assert kept is not None
    assert (
        kept.serialize()
        == box_scores.stored_box(story.game, story.at_bats, revision=int(kept.revision)).serialize()
    )
    counts = [repository.players.of(team.id, player.id, strong=True).at_bats for player in players]
    assert sum(counts) == len(story.at_bats) == number


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


def test_after_a_turn_and_after_undo_every_tile_is_where_it_was(live_server: object, phone: Page) -> None:
    played = Played()
    for number in range(1, 10):
        played.record("1B" if number % 2 else "K")
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    tiles = page.locator("#tiles")
    place = tiles.bounding_box()
    tap(page, "GO")
    page.locator("#field").tap()
    last_is(page, 10)
    for label in page.locator(".score-tile").all():
        expect(label).to_be_in_viewport(ratio=1)
    assert tiles.bounding_box() == place
    page.locator("#undo").tap()
    last_is(page, 9)
    assert tiles.bounding_box() == place


def test_what_is_refused_is_in_sight(live_server: object, phone: Page) -> None:
    played = Played()
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    tap(page, "1B")
    page.locator("#runners > summary").click()
    page.get_by_label("Runs batted in").select_option("4")
    page.locator("#record").tap()
    refused = page.get_by_text("More runs cannot be batted in than come home.")
    expect(refused).to_be_visible()
    expect(refused).to_be_in_viewport()
    assert played.results() == []


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


def test_one_long_word_makes_no_page_wider_than_the_phone(live_server: object, phone: Page) -> None:
    played = Played(opponent_name="Donaudampfschifffahrtsgesellschaftskapitaene" * 2)
    long = {"first_name": "Maximiliane" * 4, "last_name": "Leutheusserschnarrenberger"}
    repository.players.update(played.batter(1), long, actor=played.owner.actor)
    played.record("1B")
    games.share(played.owner, played.id, shared=True)
    token = games.live_token(played.story().game)
    page = sign_in(phone, played.owner)
    game, team = f"games/{played.id}/", f"teams/{played.team.id}/"
    for address in (f"{game}score/", game, f"{game}box/", f"live/{token}/", team, f"{team}games/"):
        page.goto(f"/tracker/{address}")
        assert page.evaluate("document.documentElement.scrollWidth") == 390, address


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
    expect(refused).to_contain_text("Home run, #2 Bea written down by Olga Example")
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


def test_what_is_usual_is_shown_and_can_be_changed(live_server: object, phone: Page) -> None:
    played = Played()
    for result in ("1B", "2B"):
        played.record(result)
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    tap(page, "1B")
    expect(page.locator("#usual")).to_have_text("3rd → Home · 2nd → 3rd · RBI 1")
    expect(page.locator("#record")).to_have_text("Record: Single, #3 Cem")
    page.locator("#runners > summary").click()
    page.get_by_label("#2 Bea on 2nd", exact=True).select_option(label="Home")
    expect(page.locator("#usual")).to_have_text("3rd → Home · 2nd → Home · RBI 2")
    page.get_by_label("Runs batted in").select_option("1")
    page.locator("#record").tap()
    last_is(page, 3)
    expect(page.locator("#runs")).to_contain_text("2 : 0")
    expect(page.locator("#batter")).to_be_focused()
    assert (played.box().runs, played.story().at_bats[2].rbis) == (2, 1)


def test_a_runner_is_picked_off_between_turns(live_server: object, phone: Page) -> None:
    played = Played()
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    expect(page.locator('input[value="RUN"]')).to_have_count(0)
    for result in ("1B", "K", "K"):
        played.record(result)
    page.goto(f"/tracker/games/{played.id}/score/")
    tap(page, "RUN")
    # What there is to be told is open, and a place on the field is not asked for.
    expect(page.locator("#field")).to_be_hidden()
    expect(page.locator("#record")).to_have_text("Record: Runners")
    page.get_by_label("#1 Ada on 1st", exact=True).select_option(label="Out")
    expect(page.locator("#usual")).to_have_text("1st → Out · RBI 0")
    page.locator("#record").tap()
    last_is(page, 4)
    expect(page.locator("#inning")).to_have_text("After top 1")
    expect(page.locator("#batter")).to_contain_text("#4 Dov")
    last = page.locator("#plays li").first
    expect(last).to_contain_text("#1 Ada out from 1st: Runners between turns, 1 out")


@pytest.mark.journey
def test_undo_goes_back_and_redo_forth_in_several_steps(live_server: object, phone: Page) -> None:
    played = Played()
    for result in ("1B", "HR"):
        played.record(result)
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    page.get_by_role("button", name="Undo: Home run, #2 Bea").tap()
    last_is(page, 1)
    page.get_by_role("button", name="Undo: Single, #1 Ada").tap()
    last_is(page, 0)
    expect(page.locator("#undo")).to_have_count(0)
    expect(page.locator("#toasts > *")).to_have_count(0)
    page.get_by_role("button", name="Redo: Single, #1 Ada").tap()
    last_is(page, 1)
    page.get_by_role("button", name="Redo: Home run, #2 Bea").tap()
    last_is(page, 2)
    expect(page.locator("#redo")).to_have_count(0)
    assert played.results() == ["1B", "HR"]


@pytest.mark.journey
def test_the_line_says_what_will_be_stored_with_the_first_tap_and_after_every_choice(
    live_server: object, phone: Page
) -> None:
    played = Played()
    for result in ("BB", "BB"):
        played.record(result)
    page = sign_in(phone, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    tap(page, "FC")
    line = page.locator('#summaries [data-result="FC"]')
    expect(line).to_have_text("Out: runner from 1st. 2nd → 3rd, batter → 1st. 1 out.")
    expect(line).to_be_in_viewport()
    assert [url for url in asked if "preview" in url] == []
    page.locator("#runners > summary").tap()
    page.locator('[data-runner="2"] select').first.select_option("out")
    summary = page.locator("#summary")
    expect(summary).to_contain_text("Out: runner from 2nd. 1st → 2nd, batter → 1st. 1 out.")
    expect(line).to_be_hidden()
    tap(page, "1B")
    expect(summary).to_contain_text("Out: runner from 2nd. 1st → 2nd, batter → 1st. 1 out.")
    page.locator('[data-runner="2"] select').first.select_option("")
    expect(summary).to_have_count(0)
    expect(page.locator('#summaries [data-result="1B"]')).to_have_text(
        "2nd → 3rd, 1st → 2nd, batter → 1st. 0 outs."
    )
    page.locator("#record").tap()
    last_is(page, 3)
    assert [each.runners for each in played.story().at_bats] == [None] * 3


def test_everything_works_without_javascript(live_server: object, browser: Browser) -> None:
    played = Played()
    context = browser.new_context(
        base_url=str(live_server), java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    page = sign_in(context.new_page(), played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    page.get_by_role("radio", name="3B Triple").check(force=True)
    page.locator("#field").click(position={"x": 80, "y": 160})
    expect(page.locator("#batter")).to_contain_text("#2 Bea")
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.get_by_text("Choose a result.")).to_be_visible()
    page.get_by_role("radio", name="1B Single").check(force=True)
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("#runs")).to_contain_text("1 : 0")
    page.get_by_role("button", name="They bat in inning 1").click()
    page.get_by_role("button", name="One run more").click()
    expect(page.locator("#runs")).to_contain_text("1 : 1")
    page.get_by_role("button", name="Undo: Single, #2 Bea").click()
    page.get_by_role("link", name="3B #1 Ada").click()
    page.get_by_role("radio", name="2B Double").check(force=True)
    page.get_by_role("button", name="Save the correction").click()
    expect(page.get_by_text("Corrected.")).to_be_visible()
    (at_bat,) = played.story().at_bats
    assert (at_bat.result, at_bat.hit_location) == ("2B", {"x": 0.25, "y": 0.5})
    context.close()


def test_the_pages_are_accessible(
    live_server: object, every_look: Page, assert_accessible: Accessible
) -> None:
    played = Played()
    at_bats = [played.record(result) for result in ("1B", "HR", "2B", "K", "BB")]
    scoring.set_opponent_runs(played.owner, played.id, 1, 3, seen_runs=None)
    ada = person("Ada")
    team = team_of(ada, "Monday League", team_type="PERSONAL")
    page = sign_in(every_look, played.owner)
    page.goto(f"/tracker/games/{played.id}/score/")
    assert_accessible(page)
    page.locator('input[value="1B"]').check(force=True)
    page.locator("main details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    assert_accessible(page)
    for address in (f"plays/{at_bats[2].id}/", f"plays/{at_bats[2].id}/before/"):
        page.goto(f"/tracker/games/{played.id}/{address}")
        assert_accessible(page)
    token = games.live_token(games.share(played.owner, played.id, shared=True))
    page.goto(f"/tracker/live/{token}/")
    assert_accessible(page)
    alone = games.create(ada, team.id, {"opponent_name": "Somebody"})
    games.move(ada, alone.id, "IN_PROGRESS")
    sign_in(page, ada).goto(f"/tracker/games/{alone.id}/score/")
    page.locator('input[value="1B"]').check(force=True)
    assert_accessible(page)


def test_the_live_page_updates_by_itself(live_server: object, desktop: Page) -> None:
    played = Played()
    token = games.live_token(games.share(played.owner, played.id, shared=True))
    desktop.goto(f"/tracker/live/{token}/")
    expect(desktop.locator("#batter")).to_contain_text("#1 Ada")
    played.record("HR")
    # It asks every 15 seconds.
    expect(desktop.locator("#batter")).to_contain_text("#2 Bea")


@pytest.fixture
def free_page(browser: Browser, live_server: object) -> Iterator[Page]:
    """A page that may import a module, which ours allow their own scripts only."""
    context = browser.new_context(base_url=str(live_server), bypass_csp=True)
    yield context.new_page()
    context.close()


def test_the_rules_in_the_browser_give_what_the_servers_give(free_page: Page) -> None:
    vectors: list[dict[str, Any]] = json.loads(
        Path(test_scoring_rules.__file__).with_name("vectors.json").read_text()
    )
    free_page.goto("/healthz")
    told = free_page.evaluate(
        """async (vectors) => {
            const game = await import("/static/tracker/scoring-rules.js");
            return vectors.map(({ plays, rules, slots }) => {
                let state = game.start();
                return plays.map((play) => {
                    const result = game.countedAs(play.result, state.homeRuns, rules);
                    const { bases: taken, outs: before } = state;
                    const runsLeft = (rules.runLimit ?? Infinity) - state.inningRuns;
                    const moves = play.moves ?? (play.said
                        ? game.assumedMoves(result, taken, before, play.said)
                        : game.usualMoves(result, taken, before));
                    state = game.after(state, { ...play, moves }, rules, slots);
                    const { inning, outs, bases, slot, runs } = state;
                    const battedIn = game.usualRunsBattedIn(result, moves, runsLeft);
                    return [{ inning, outs, bases, next: slot, runs }, battedIn];
                });
            });
        }""",
        vectors,
    )
    for vector, answers in zip(vectors, told, strict=True):
        for play, (after, batted_in) in zip(vector["plays"], answers, strict=True):
            assert (after, batted_in) == (play["after"], play.get("rbi", batted_in)), vector["name"]
