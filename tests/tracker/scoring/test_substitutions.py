"""Substitutions keep their place among the plays, whatever is taken back or out, brought back or put in."""

import random

import pytest

from tests.tracker.club import ghost
from tests.tracker.scorebook import Played
from tracker.rules import box_scores
from tracker.scoring.services import lineup, scoring

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def played():
    return Played()


@pytest.fixture
def ida(played):
    return ghost(played.team, "Ida", 10, actor=played.owner)


@pytest.fixture
def jo(played):
    return ghost(played.team, "Jo", 11, actor=played.owner)


def come_in(played, place, player):
    lineup.substitute(played.owner, played.id, place, player.id)


def undo(played):
    last = played.story().at_bats[-1]
    scoring.undo(played.owner, played.id, last.id)
    return last


def redo(played, at_bat):
    scoring.restore(played.owner, played.id, at_bat.id)


def told(played):
    """Everything that a replay says, and who is in each place of the order."""
    story = played.story()
    order = box_scores.order_now(story.game, story.at_bats)
    return box_scores.box_of(story.game, story.at_bats), order


def runs_of(played, player):
    return played.box().lines.get(player.id, {}).get("runs", 0)


def test_a_runner_still_stands_on_base_when_the_hit_is_taken_back_and_brought_back(played, ida):
    played.record("2B")
    come_in(played, 1, ida)
    redo(played, undo(played))
    played.record("1B")
    played.record("1B")
    assert (runs_of(played, ida), runs_of(played, played.batter(1))) == (1, 0)


def test_the_turn_that_was_taken_back_is_still_that_of_whoever_had_it(played, ida):
    played.record("2B")
    come_in(played, 1, ida)
    undo(played)
    assert told(played)[1][0] == played.batter(1).id
    again = played.record("3B")
    assert again.player_id == played.batter(1).id
    assert told(played)[0].on_base == {3: ida.id}
    assert told(played)[1][0] == ida.id


def test_who_came_in_last_is_in_the_place_also_after_a_play_between_two_was_taken_back(played, ida, jo):
    played.record("GO")
    played.record("GO")
    come_in(played, 5, ida)
    played.record("1B")
    come_in(played, 5, jo)
    undo(played)
    assert told(played)[1][4] == ida.id
    played.record("1B")
    played.record("BB")
    assert told(played)[1][4] == jo.id
    assert played.record("K").player_id == jo.id


def test_a_runner_who_came_after_a_play_that_was_taken_back_is_not_on_base_before_it(played, ida):
    played.record("2B")
    played.record("K")
    come_in(played, 1, ida)
    undo(played)
    assert told(played)[0].on_base == {2: played.batter(1).id}
    played.record("HR")
    assert (runs_of(played, ida), runs_of(played, played.batter(1))) == (0, 1)


def test_a_substitution_that_waits_for_a_play_can_be_made_now(played, ida):
    played.record("1B")
    come_in(played, 2, ida)
    undo(played)
    assert told(played)[1][1] == played.batter(2).id
    come_in(played, 2, ida)
    assert told(played)[1][1] == ida.id
    assert len(played.story().game.substitutions) == 1


def test_a_starter_whose_return_waits_for_a_play_can_come_back_now(played, ida):
    come_in(played, 2, ida)
    played.record("1B")
    come_in(played, 2, played.batter(2))
    undo(played)
    come_in(played, 2, played.batter(2))
    assert told(played)[1][1] == played.batter(2).id


def test_taking_out_the_play_before_it_moves_no_substitution(played, ida):
    first = played.record("2B")
    second = played.record("K")
    come_in(played, 1, ida)
    played.record("1B")
    before = told(played)
    for each in (second, first):
        scoring.remove(played.owner, played.id, each.id, seen_version=each.seen_version)
        assert told(played)[1] == before[1]
    for each in (first, second):
        redo(played, each)
    assert told(played) == before


@pytest.mark.parametrize("seed", range(4))
def test_undo_and_redo_of_any_depth_leave_the_replay_as_it_was(played, ida, jo, seed):
    chance = random.Random(seed)
    kim = ghost(played.team, "Kim", 12, actor=played.owner)
    bench = [ida, jo, kim]
    for _turn in range(9):
        played.record(chance.choice(["1B", "2B", "BB", "GO", "K", "3B"]))
        if bench and chance.random() < 0.5:
            come_in(played, chance.choice([1, 4, 7]), bench.pop())
    middle = played.story().at_bats[4]
    forgotten = {"result": "BB", "player_id": middle.player_id}
    scoring.insert(played.owner, played.id, middle.id, forgotten)
    before = told(played)
    for depth in (1, 4, 10):
        undone = [undo(played) for _time in range(depth)]
        for at_bat in reversed(undone):
            redo(played, at_bat)
        assert told(played) == before
        played.box()
    for at_bat in chance.sample(played.story().at_bats, 3):
        scoring.remove(played.owner, played.id, at_bat.id, seen_version=at_bat.seen_version)
        redo(played, at_bat)
        assert told(played) == before
