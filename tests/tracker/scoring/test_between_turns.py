"""Plays between turns: a stolen base, a pick-off, a wild pitch. Nobody bats, and the batter stays at bat."""

import csv
import io

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.tracker.club import browser_of
from tests.tracker.scorebook import Played, once
from tests.tracker.scoring.scoring_page import HTMX, address, signed_in, text
from tracker import repository
from tracker.games.services import games
from tracker.rules import box_scores, lineups, runners
from tracker.rules.batting import BETWEEN_TURNS, RESULTS, Line
from tracker.rules.replay import EMPTY_BASE, TOO_MANY_BATTED_IN, Appearance, Replacement, Rules, replay
from tracker.rules.runners import FIRST, HOME, SECOND, THIRD, Move
from tracker.scoring.services import scoring
from tracker.statistics import presenters

ORDER = ("Ada", "Bea", "Cem", "Dov", "Eva", "Fin", "Gil", "Hal", "Ida")
OUT = [{"from": 1, "out": True}]
STEALS_SECOND = [{"from": 1, "to": 2}]


def told(*plays, rules=None, replacements=()):
    """Turns by their result; moves alone are a play between turns, with the batter who is then at bat."""
    appearances, turns = [], 0
    for number, play in enumerate(plays, start=1):
        is_turn = isinstance(play, str)
        slot = turns % 9 + 1
        result, moves = (play, None) if is_turn else (BETWEEN_TURNS, play)
        appearances.append(Appearance(number, slot, ORDER[slot - 1], result, moves))
        turns += is_turn
    return replay(appearances, rules or Rules(), slots=9, replacements=replacements)


# --- What follows from it -----------------------------------------------------------------------------------


def test_the_batter_stays_at_bat_and_it_is_nobodys_plate_appearance():
    box = told("1B", "K", (Move(FIRST, SECOND),))
    assert (box.next_slot, box.inning, box.outs, box.on_base) == (3, 1, 1, {SECOND: "Ada"})
    assert box.lines == {"Ada": Line(singles=1), "Bea": Line(strikeouts=1)}
    assert (box.team.plate_appearances, box.imbalance, box.problems) == (2, 0, ())


def test_a_third_out_on_the_bases_ends_the_inning_and_the_same_batter_leads_off():
    box = told("1B", "K", "2B", "K", (Move(THIRD, out=True),))
    assert (box.inning, box.outs, box.on_base, box.next_slot) == (2, 0, {}, 5)
    # Four came to bat: one was left on second, two struck out, one was put out on the bases.
    assert (box.runs, box.left_on_base, box.putouts, box.imbalance) == (0, 1, 3, 0)
    assert told("1B", "K", "2B", "K", (Move(THIRD, out=True),), "HR").runs_by_inning == (0, 1)


def test_a_run_between_turns_is_the_runners_and_nobody_bats_it_in():
    box = told("3B", "K", "K", (Move(THIRD, HOME),), "K")
    assert (box.runs_by_inning, box.left_on_base, box.putouts, box.imbalance) == ((1, 0), 0, 3, 0)
    assert box.lines["Ada"] == Line(triples=1, runs=1)
    assert (box.team.runs_batted_in, box.problems) == (0, ())


def test_a_run_before_the_third_out_of_a_runner_counts():
    box = told("3B", "BB", "K", "K", (Move(THIRD, HOME), Move(FIRST, out=True)))
    assert (box.runs_by_inning, box.problems, box.imbalance) == ((1, 0), (), 0)


def test_who_runs_for_somebody_between_turns_stands_there_and_scores():
    box = told("1B", (Move(FIRST, FIRST, player="Zoe"),), "HR")
    assert (box.lines["Zoe"], box.lines["Ada"]) == (Line(runs=1), Line(singles=1))


def test_the_tie_breaker_places_who_batted_last_not_who_leads_off():
    rules = Rules(tie_breaker_from=2)
    plays = ("K", "K", "BB", (Move(FIRST, out=True),))
    assert told(*plays, rules=rules).on_base == {SECOND: "Cem"}
    ran = [Replacement(3, "Cem", "Zoe")]
    assert told(*plays, rules=rules, replacements=ran).on_base == {SECOND: "Zoe"}


def test_a_placed_runner_who_is_put_out_before_anybody_bats_is_accounted_for():
    box = told("K", "K", "K", (Move(SECOND, out=True),), rules=Rules(tie_breaker_from=2))
    assert (box.inning, box.outs, box.next_slot) == (2, 1, 4)
    assert (box.placed_runners, box.putouts, box.imbalance) == (1, 4, 0)


@pytest.mark.parametrize(
    ("plays", "kind"),
    [
        (("K", (Move(FIRST, SECOND),)), EMPTY_BASE),
        (("1B", ()), runners.NOBODY_MOVED),
    ],
)
def test_what_cannot_have_been_so_is_named(plays, kind):
    assert kind in [problem.kind for problem in told(*plays).problems]


def test_no_run_is_batted_in_between_turns_whatever_was_said():
    three = Appearance(1, 1, "Ada", "3B")
    home = Appearance(2, 2, "Bea", BETWEEN_TURNS, (Move(THIRD, HOME),), runs_batted_in=1)
    box = replay([three, home], Rules(), slots=9)
    assert [problem.kind for problem in box.problems] == [TOO_MANY_BATTED_IN]


@given(st.lists(st.sampled_from([*RESULTS, "out", "advance"]), max_size=60))
def test_everybody_is_accounted_for_also_with_plays_between_turns(drawn):
    plays = []
    for each in drawn:
        on_base = told(*plays, rules=Rules(tie_breaker_from=3)).on_base
        if each in RESULTS:
            plays.append(each)
        elif on_base:
            foremost = max(on_base)
            plays.append((Move(foremost, out=True) if each == "out" else Move(foremost, foremost + 1),))
    box = told(*plays, rules=Rules(tie_breaker_from=3))
    turns = [play for play in plays if isinstance(play, str)]
    assert (box.imbalance, box.team.plate_appearances) == (0, len(turns))
    assert (box.team.runs, box.next_slot) == (box.runs, len(turns) % 9 + 1)


# --- Writing it down ----------------------------------------------------------------------------------------


@pytest.fixture
def played(db):
    return Played()


@pytest.fixture
def client(played):
    return signed_in(played.owner)


def at_bats_of(played, number):
    return int(repository.players.of(played.team.id, played.batter(number).id, strong=True).at_bats or 0)


def between(played, **fields):
    """What the form sends for it, with the batter who is at bat."""
    shown = signed_in(played.owner).get(address(played)).context
    batter = shown["situation"].batter
    sent = {
        "result": BETWEEN_TURNS,
        "player": batter,
        "seen": shown["seen"],
        "situation": shown["situation_hash"],
    }
    return sent | fields


def test_it_is_stored_like_a_turn_and_counts_for_nobody(played):
    played.record("1B")
    place = {"hit_location": {"x": 0.5, "y": 0.5}, "hit_type": "bunt", "rbis": 1}
    stolen = played.record(BETWEEN_TURNS, runners=STEALS_SECOND, **place)
    assert (stolen.hit_location, stolen.hit_type, stolen.rbis) == (None, None, None)
    assert (stolen.player_id, stolen.batting_order) == (played.batter(2).id, 2)
    assert [at_bats_of(played, number) for number in (1, 2)] == [1, 0]
    assert played.box().lines == {played.batter(1).id: {"singles": 1}}
    assert repository.at_bats.of_player(played.batter(2).id).items == []


def test_it_is_sent_twice_and_stored_once_undone_brought_back_and_corrected(played):
    key = once(played.owner)
    played.record("1B")
    for _attempt in range(2):
        stolen = played.record(BETWEEN_TURNS, runners=STEALS_SECOND, seen=1, once=key)
    assert played.results() == ["1B", BETWEEN_TURNS]
    scoring.undo(played.owner, played.id, stolen.id)
    assert (played.results(), played.box().on_base) == (["1B"], 1)
    back = scoring.restore(played.owner, played.id, stolen.id).at_bat
    fields = {"result": BETWEEN_TURNS, "player_id": back.player_id, "runners": OUT}
    scoring.correct(played.owner, played.id, back.id, fields, seen_version=back.seen_version)
    assert (played.box().on_base, played.box().putouts) == (0, 1)


def test_a_turn_that_becomes_a_play_between_turns_and_back_is_counted_right(played):
    played.record("1B")
    wrong = played.record("K")
    fields = {"result": BETWEEN_TURNS, "player_id": wrong.player_id, "runners": OUT}
    right = scoring.correct(played.owner, played.id, wrong.id, fields, seen_version=wrong.seen_version).at_bat
    assert at_bats_of(played, 2) == 0
    assert repository.at_bats.of_player(wrong.player_id).items == []
    fields = {"result": "K", "player_id": wrong.player_id}
    scoring.correct(played.owner, played.id, wrong.id, fields, seen_version=right.seen_version)
    assert at_bats_of(played, 2) == 1
    assert [each.result for each in repository.at_bats.of_player(wrong.player_id).items] == ["K"]


def test_one_that_was_forgotten_is_inserted(played):
    played.record("1B")
    later = played.record("2B")
    fields = {"result": BETWEEN_TURNS, "player_id": played.batter(2).id, "runners": OUT}
    scoring.insert(played.owner, played.id, later.id, fields)
    assert played.results() == ["1B", BETWEEN_TURNS, "2B"]
    assert (played.box().on_base, played.box().putouts) == (1, 1)


def test_the_place_of_the_batter_is_still_free_in_the_line_up(played):
    played.record("1B")
    played.record(BETWEEN_TURNS, runners=STEALS_SECOND)
    story = played.story()
    assert lineups.locked(story.game, story.at_bats) == {1}


# --- The scoring screen -------------------------------------------------------------------------------------


def test_the_tile_is_there_only_with_somebody_on_base(played, client):
    assert 'value="RUN"' not in text(client.get(address(played)))
    played.record("1B")
    assert 'value="RUN"' in text(client.get(address(played)))


def test_a_pick_off_ends_the_inning_and_the_batter_leads_off(played, client):
    for result in ("1B", "K", "K"):
        played.record(result)
    answer = client.post(address(played, "record"), between(played, runner_1="out"), headers=HTMX)
    assert answer.status_code == 200
    assert "</span> #4 Dov</h2>" in text(answer)
    assert (answer.context["box"].inning, answer.context["box"].outs) == (2, 0)
    (stored,) = [each for each in played.story().at_bats if each.result == BETWEEN_TURNS]
    assert (stored.runners, stored.rbis, stored.hit_location) == (OUT, None, None)
    assert "Undo: Runners: 1st → Out" in text(answer)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Say which runner moved or was put out."),
        ({"runner_1": "1"}, "Say which runner moved or was put out."),
        ({"runner_1": "3"}, "Two runners cannot be on the same base."),
    ],
)
def test_what_cannot_be_between_turns_is_refused(played, client, fields, said):
    played.record("3B")
    played.record("BB")
    answer = client.post(address(played, "record"), between(played, **fields))
    assert answer.status_code == 422
    assert said in text(answer)
    assert played.results() == ["3B", "BB"]


def test_nothing_that_belongs_to_a_batter_is_asked_or_kept(played, client):
    """What was chosen before for another result does not stand in the way."""
    played.record("1B")
    page = text(client.get(address(played)))
    for part in (
        'class="score-runner of-batter" data-runner="0"',
        'class="score-runners of-batter" id="more"',
    ):
        assert part in page
    chosen = {
        "runner_0": "2",
        "rbis": "5",
        "hit_type": "bunt",
        "hit_x": "7",
        "hit_y": "0.5",
        "charged_to": "x",
    }
    sent = between(played, runner_1="2", player="nobody", **chosen)
    assert client.post(address(played, "record"), sent).status_code == 302
    stolen = played.story().at_bats[-1]
    assert (stolen.player_id, stolen.runners) == (played.batter(2).id, STEALS_SECOND)
    assert (stolen.rbis, stolen.hit_type, stolen.hit_location, stolen.charged_to) == (None,) * 4


def test_with_nobody_on_base_there_is_no_such_play(played, client):
    answer = client.post(address(played, "record"), between(played, result=BETWEEN_TURNS))
    assert answer.status_code == 422
    assert "Choose a result." in text(answer)


def test_a_run_before_the_third_out_is_recorded_first(played, client):
    for result in ("3B", "K", "K"):
        played.record(result)
    strikeout = between(played, result="K", runner_3="4", rbis="0")
    refused = client.post(address(played, "record"), strikeout)
    assert refused.status_code == 422
    assert "record it first with Runners." in text(refused)
    client.post(address(played, "record"), between(played, runner_3="4"))
    client.post(address(played, "record"), between(played, result="K"))
    assert played.results() == ["3B", "K", "K", BETWEEN_TURNS, "K"]
    box = played.box()
    assert (box.runs, box.runs_by_inning, box.left_on_base, box.problems) == (1, [1, 0], 0, 0)


def test_it_is_corrected_on_its_page(played, client):
    played.record("1B")
    stolen = played.record(BETWEEN_TURNS, runners=STEALS_SECOND)
    page = client.get(address(played, "", stolen))
    assert "Runners: 1st → 2nd" in text(page)
    assert page.context["form"]["runner_1"].value() == "2"
    sent = between(played, version=stolen.seen_version, runner_1="out")
    assert client.post(address(played, "", stolen), sent).status_code == 302
    assert played.box().putouts == 1


# --- Where it is shown --------------------------------------------------------------------------------------


@pytest.fixture
def shown(played):
    played.record("3B")
    played.record("1B", runners=[{"from": 3, "to": 3}, {"from": 0, "to": 1}])
    played.record(BETWEEN_TURNS, runners=[{"from": 3, "to": 4}, {"from": 1, "out": True}])
    return played


def test_the_plays_say_it_in_words(shown, client):
    page = text(client.get(address(shown)))
    assert "#1 Ada home, #2 Bea out from 1st" in page
    assert '<span class="quiet">between turns, 1 in, 1 out</span>' in page


def test_the_live_page_says_it_in_words(shown):
    token = games.live_token(games.share(shown.owner, shown.id, shared=True))
    assert "#1 Ada home, #2 Bea out from 1st" in text(Client().get(f"/tracker/live/{token}/"))


def test_the_box_score_says_it_in_words_and_stays_in_balance(shown):
    browser = browser_of(shown.owner)
    page = browser.get(f"/tracker/games/{shown.id}/box/")
    assert "Ada home, Bea out from 1st" in text(page)
    assert page.context["balance"].difference == 0
    file = browser.get(f"/tracker/games/{shown.id}/box/?list=plays&as=csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(file.streaming_content).decode("utf-8-sig"))))
    columns = ("Result", "Outs made", "Scored", "RBI", "Batting order")
    assert [rows[2][column] for column in columns] == ["RUN", "1", "Ada", "0", ""]


def test_the_scorecard_has_it_below_and_a_mark_for_the_run(shown):
    page = browser_of(shown.owner).get(f"/tracker/games/{shown.id}/scorecard/")
    assert "Inning 1: Ada home, Bea out from 1st" in text(page)
    assert page.text.count("card-mark home") == 1
    assert "RUN" not in page.text


def test_what_is_wrong_with_it_leads_to_it(played):
    played.record("1B")
    played.record(BETWEEN_TURNS, runners=[{"from": 3, "to": 4}])
    story = played.story()
    (missing,) = presenters.missing(box_scores.box_of(story.game, story.at_bats), story.at_bats, str)
    assert (missing.batter, missing.result) == ("between turns", "RUN")
