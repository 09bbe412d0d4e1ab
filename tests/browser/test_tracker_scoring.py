"""Scoring on a phone: a whole game with lost answers, no scripts, every step told and taken back."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.scoring_screen import Accessible, LosingAnswers, last_is, tap
from tests.browser.signing_in import sign_in
from tests.tracker.club import nine, person, team_of
from tests.tracker.scorebook import START, Played
from tracker import repository
from tracker.games.models import COMING, FINAL, Answer
from tracker.games.services import games
from tracker.rules import box_scores
from tracker.scoring.services import scoring

pytestmark = pytest.mark.usefixtures("no_recording_limit")

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
    refused = page.get_by_text("There cannot be more RBI than runs.")
    expect(refused).to_be_visible()
    expect(refused).to_be_in_viewport()
    assert played.results() == []


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
    alone = games.create(ada, team.id, {"opponent_name": "Someone"})
    games.move(ada, alone.id, "IN_PROGRESS")
    sign_in(page, ada).goto(f"/tracker/games/{alone.id}/score/")
    page.locator('input[value="1B"]').check(force=True)
    assert_accessible(page)
