"""A game is told again from its plate appearances."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.rules.batting import RESULTS, Line
from tracker.rules.game_end import has_ended
from tracker.rules.replay import (
    EMPTY_BASE,
    LOST_RUNNER,
    NO_RUN,
    TAKEN_BASE,
    TOO_MANY_BATTED_IN,
    TOO_MANY_OUTS,
    Appearance,
    Box,
    Problem,
    Replacement,
    Rules,
    replay,
)
from tracker.rules.runners import (
    BATTER,
    FIRST,
    HOME,
    NO_CHOICE,
    NO_DOUBLE_PLAY,
    NO_SACRIFICE,
    SECOND,
    THIRD,
    Move,
)

ORDER = ("Ada", "Bea", "Cem", "Dov", "Eva", "Fin", "Gil", "Hal", "Ida")
RULES = Rules()


def appearances(*results, **special):
    """One after the other through the order; `special` are further fields by number, such as n2={…}."""
    return [
        Appearance(
            number, (number - 1) % 9 + 1, ORDER[(number - 1) % 9], result, **special.get(f"n{number}", {})
        )
        for number, result in enumerate(results, start=1)
    ]


def told(*results, rules=RULES, **special):
    return replay(appearances(*results, **special), rules, slots=9)


def state(box):
    return box.inning, box.outs, dict(box.on_base), box.runs


def test_before_the_first_appearance_the_first_batter_is_next():
    box = told()
    assert state(box) == (1, 0, {}, 0)
    assert (box.next_slot, box.imbalance, box.runs_by_inning) == (1, 0, (0,))


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("1B", (1, 0, {FIRST: "Dov", SECOND: "Cem", THIRD: "Bea"}, 1)),
        ("2B", (1, 0, {SECOND: "Dov", THIRD: "Cem"}, 2)),
        ("3B", (1, 0, {THIRD: "Dov"}, 3)),
        ("HR", (1, 0, {}, 4)),
        ("E", (1, 0, {FIRST: "Dov", SECOND: "Cem", THIRD: "Bea"}, 1)),
        ("BB", (1, 0, {FIRST: "Dov", SECOND: "Cem", THIRD: "Bea"}, 1)),
        ("IBB", (1, 0, {FIRST: "Dov", SECOND: "Cem", THIRD: "Bea"}, 1)),
        ("HBP", (1, 0, {FIRST: "Dov", SECOND: "Cem", THIRD: "Bea"}, 1)),
        ("CI", (1, 0, {FIRST: "Dov", SECOND: "Cem", THIRD: "Bea"}, 1)),
        ("FC", (1, 1, {FIRST: "Dov", SECOND: "Cem", THIRD: "Bea"}, 0)),
        ("DP", (1, 2, {THIRD: "Bea"}, 1)),
        ("SF", (1, 1, {FIRST: "Cem", SECOND: "Bea"}, 1)),
        ("SH", (1, 1, {SECOND: "Cem", THIRD: "Bea"}, 1)),
        *((out, (1, 1, {FIRST: "Cem", SECOND: "Bea", THIRD: "Ada"}, 0)) for out in ("K", "FO", "GO", "OUT")),
    ],
)
def test_what_usually_happens_with_the_bases_full(result, expected):
    assert state(told("BB", "BB", "BB", result)) == expected


def test_a_walk_moves_only_who_stands_in_the_way():
    box = told("2B", "BB")
    assert box.on_base == {FIRST: "Bea", SECOND: "Ada"}
    box = told("3B", "BB")
    assert box.on_base == {FIRST: "Bea", THIRD: "Ada"}


def test_a_choice_without_a_forced_runner_takes_the_foremost():
    assert state(told("2B", "FC")) == (1, 1, {FIRST: "Bea"}, 0)
    assert state(told("FC")) == (1, 0, {FIRST: "Ada"}, 0)


def test_a_choice_takes_the_forced_runner_rather_than_the_one_on_third():
    assert state(told("3B", "BB", "FC")) == (1, 1, {FIRST: "Cem", THIRD: "Ada"}, 0)


def test_a_double_play_takes_the_runner_on_first_or_the_foremost():
    assert state(told("1B", "DP")) == (1, 2, {}, 0)
    assert state(told("2B", "DP")) == (1, 2, {}, 0)
    assert state(told("DP")) == (1, 1, {}, 0)


def test_in_a_double_play_at_first_who_is_forced_moves_on_unless_it_ends_the_inning():
    assert state(told("BB", "BB", "DP")) == (1, 2, {THIRD: "Ada"}, 0)
    assert state(told("3B", "BB", "DP")) == (1, 2, {THIRD: "Ada"}, 0)
    forced_in = told("BB", "BB", "BB", "DP")
    assert (forced_in.lines["Dov"], forced_in.lines["Ada"].runs) == (Line(outs_in_play=1), 1)
    ended = told("K", "BB", "BB", "BB", "DP")
    assert state(ended) == (2, 0, {}, 0)
    assert (ended.left_on_base, ended.imbalance, ended.problems) == (2, 0, ())


def test_three_outs_end_the_inning_and_the_next_batter_begins_the_next():
    box = told("1B", "K", "GO", "2B", "FO")
    assert state(box) == (2, 0, {}, 0)
    assert (box.left_on_base, box.putouts, box.next_slot) == (2, 3, 6)


def test_the_order_goes_on_across_innings_and_begins_again_after_the_last():
    assert told(*["K"] * 9).next_slot == 1
    assert told(*["K"] * 10).next_slot == 2


def test_runs_are_those_of_runners_and_batted_in_by_the_batter():
    box = told("1B", "HR", "2B", "1B")
    assert box.runs_by_inning == (2,)
    assert box.lines["Ada"] == Line(singles=1, runs=1)
    assert box.lines["Bea"] == Line(home_runs=1, runs=1, runs_batted_in=2)
    assert box.on_base == {FIRST: "Dov", THIRD: "Cem"}


@pytest.mark.parametrize("result", ["E", "DP"])
def test_no_run_is_batted_in_by_an_error_or_a_double_play(result):
    home = {"moves": (Move(THIRD, HOME), Move(BATTER, out=True))}
    box = told("3B", result, n2=home)
    assert box.runs == 1
    assert box.lines["Bea"].runs_batted_in == 0


def test_the_batters_own_run_is_batted_in_by_a_home_run_only():
    all_home = {"moves": (Move(FIRST, HOME), Move(BATTER, HOME))}
    single = told("BB", "1B", n2=all_home)
    assert (single.runs, single.lines["Bea"]) == (2, Line(singles=1, runs=1, runs_batted_in=1))
    assert told("BB", "HR", n2=all_home).lines["Bea"].runs_batted_in == 2
    # Above the limit of the league it is no home run any more.
    limited = told("BB", "HR", rules=Rules(home_run_limit=0, home_run_above_limit="1B"), n2=all_home)
    assert limited.lines["Bea"].runs_batted_in == 1


def test_the_scorekeeper_has_the_last_word_on_runs_batted_in():
    box = told("3B", "E", n2={"runs_batted_in": 1})
    assert box.lines["Bea"].runs_batted_in == 1


def test_what_was_told_of_the_runners_counts_instead_of_the_usual():
    moves = (Move(SECOND, HOME), Move(BATTER, SECOND))
    assert state(told("2B", "1B", n2={"moves": moves})) == (1, 0, {SECOND: "Bea"}, 1)
    held = (Move(BATTER, FIRST),)
    assert state(told("2B", "1B", n2={"moves": held})) == (1, 0, {FIRST: "Bea", SECOND: "Ada"}, 0)


def test_a_strikeout_of_a_substitute_who_came_with_two_strikes_belongs_to_the_first_batter():
    box = told("K", n1={"charged_to": "Zoe"})
    assert box.lines == {"Zoe": Line(strikeouts=1)}
    box = told("1B", n1={"charged_to": "Zoe"})
    assert box.lines == {"Ada": Line(singles=1)}


def test_a_home_run_above_the_limit_is_an_out():
    rules = Rules(home_run_limit=1)
    box = told("HR", "1B", "HR", rules=rules)
    assert state(box) == (1, 1, {FIRST: "Bea"}, 1)
    assert box.lines["Cem"] == Line(outs_in_play=1)
    assert box.plays[2].result == "OUT"


def test_a_home_run_above_the_limit_may_be_a_single():
    box = told("HR", "HR", rules=Rules(home_run_limit=1, home_run_above_limit="1B"))
    assert state(box) == (1, 0, {FIRST: "Bea"}, 1)


def test_the_tie_breaker_places_the_last_batter_on_second():
    rules = Rules(innings=1, tie_breaker_from=2)
    box = told("K", "K", "K", rules=rules)
    assert state(box) == (2, 0, {SECOND: "Cem"}, 0)
    box = told("K", "K", "K", "2B", rules=rules)
    assert (box.runs, box.placed_runners, box.imbalance) == (1, 1, 0)
    assert box.lines["Cem"] == Line(strikeouts=1, runs=1)


@pytest.mark.parametrize(
    ("results", "special", "problem"),
    [
        (
            ["1B"],
            {"n1": {"moves": (Move(THIRD, HOME), Move(BATTER, FIRST))}},
            Problem(1, 1, THIRD, EMPTY_BASE),
        ),
        (["1B", "1B"], {"n2": {"moves": (Move(BATTER, FIRST),)}}, Problem(2, 1, FIRST, TAKEN_BASE)),
        (["1B", "1B"], {"n2": {"moves": (Move(FIRST, SECOND),)}}, Problem(2, 1, BATTER, LOST_RUNNER)),
        (["1B", "K", "K", "DP"], {}, Problem(4, 1, BATTER, TOO_MANY_OUTS)),
    ],
)
def test_what_cannot_have_been_so_is_named(results, special, problem):
    assert told(*results, **special).problems == (problem,)


def test_a_lost_runner_is_an_imbalance():
    box = told("1B", "1B", n2={"moves": (Move(BATTER, FIRST),)})
    assert box.imbalance == 1


@pytest.mark.parametrize("result", ["SF", "SH"])
def test_with_two_outs_a_sacrifice_moves_nobody_and_is_named(result):
    box = told("3B", "K", "K", result)
    assert (box.inning, box.runs, box.left_on_base) == (2, 0, 1)
    assert box.problems == (Problem(4, 1, BATTER, NO_SACRIFICE),)


@pytest.mark.parametrize(
    ("results", "moves"),
    [
        (("3B", "K", "K", "GO"), (Move(THIRD, HOME), Move(BATTER, out=True))),
        (("BB", "BB", "BB", "K", "K", "FC"), (Move(THIRD, HOME), Move(FIRST, out=True), Move(BATTER, FIRST))),
        (("3B", "BB", "K", "DP"), (Move(THIRD, HOME), Move(FIRST, out=True), Move(BATTER, out=True))),
    ],
)
def test_a_run_on_a_third_out_that_was_forced_is_named(results, moves):
    box = told(*results, **{f"n{len(results)}": {"moves": moves}})
    assert [problem.kind for problem in box.problems] == [NO_RUN]


def test_a_run_before_the_third_out_of_a_runner_who_need_not_run_counts():
    """Second base is empty: the runner on third is not forced, and the one from first is out at second."""
    box = told(
        "3B", "BB", "K", "K", "1B", n5={"moves": (Move(THIRD, HOME), Move(FIRST, out=True), Move(0, 1))}
    )
    assert (box.runs, box.problems) == (1, ())


def test_a_run_in_a_double_play_counts_unless_it_ends_the_inning_by_forced_outs_alone():
    home = (Move(THIRD, HOME), Move(FIRST, out=True), Move(BATTER, out=True))
    fewer_outs = told("3B", "BB", "DP", n3={"moves": home})
    assert (fewer_outs.runs, fewer_outs.problems) == (1, ())
    # First base is empty: the runner from second is put out after the one from third came home.
    last = (Move(THIRD, HOME), Move(SECOND, out=True), Move(BATTER, out=True))
    tagged = told("3B", "2B", "K", "DP", n2={"moves": (Move(BATTER, SECOND),)}, n4={"moves": last})
    assert (tagged.runs, tagged.problems) == (1, ())


@pytest.mark.parametrize(
    ("results", "kind"), [(("1B", "SF"), NO_SACRIFICE), (("DP",), NO_DOUBLE_PLAY), (("FC",), NO_CHOICE)]
)
def test_a_result_that_needs_a_runner_is_named_without_one(results, kind):
    assert [problem.kind for problem in told(*results).problems] == [kind]


def test_whoever_comes_for_a_runner_stands_on_the_base_and_scores():
    came = [Replacement(1, "Ada", "Zoe")]
    box = replay(appearances("3B"), RULES, slots=9, replacements=came)
    assert box.on_base == {THIRD: "Zoe"}
    box = replay(appearances("3B", "1B"), RULES, slots=9, replacements=came)
    assert (box.lines["Zoe"].runs, box.lines["Ada"].runs) == (1, 0)


def test_more_runs_batted_in_than_came_home_are_named():
    assert [each.kind for each in told("GO", n1={"runs_batted_in": 4}).problems] == [TOO_MANY_BATTED_IN]
    own_run = {"moves": (Move(BATTER, HOME),), "runs_batted_in": 1}
    assert [each.kind for each in told("1B", n1=own_run).problems] == [TOO_MANY_BATTED_IN]
    assert told("HR", n1=own_run).problems == ()


def test_nobody_is_placed_in_an_inning_that_nobody_began():
    rules = Rules(tie_breaker_from=2)
    ended = told("K", "K", "K", rules=rules)
    assert (dict(ended.on_base), ended.placed_runners, ended.standing, ended.imbalance) == (
        {SECOND: "Cem"},
        0,
        0,
        0,
    )
    begun = told("K", "K", "K", "K", rules=rules)
    assert (begun.placed_runners, begun.standing, begun.imbalance) == (1, 1, 0)


@given(st.lists(st.sampled_from(RESULTS), max_size=60), st.integers(0, 3), st.randoms())
def test_everybody_who_came_to_bat_scored_was_left_or_was_put_out(results, limit, chance):
    rules = Rules(tie_breaker_from=3, home_run_limit=limit)
    written = appearances(*results)
    box = replay(written, rules, slots=9)

    told_wrong = {TOO_MANY_OUTS, NO_SACRIFICE, NO_DOUBLE_PLAY, NO_CHOICE}
    assert {problem.kind for problem in box.problems} <= told_wrong
    assert box.imbalance == 0
    assert box.team.plate_appearances == len(results)
    assert box.team.runs == box.runs
    shuffled = random.Random(chance.random()).sample(written, len(written))
    assert replay(shuffled, rules, slots=9) == box


def after(inning, us):
    return Box(inning=inning + 1, runs_by_inning=(*us, 0))


@pytest.mark.parametrize(
    ("us", "them", "ended"),
    [
        ([0] * 6, [0] * 6, False),
        ([0] * 6 + [1], [0] * 7, True),
        ([0] * 7, [0] * 7, False),
        ([0] * 8 + [2], [0] * 9, True),
        ([5, 5, 2, 0, 0], [0] * 5, True),
        ([5, 5, 1, 0, 0], [0] * 5, False),
        ([0] * 5, [12, 0, 0, 0, 0], True),
        ([20, 0, 0, 0], [0] * 4, False),
        ([12, 0, 0, 0, 0], [0] * 4, False),
    ],
)
def test_a_game_ends_after_its_innings_or_a_great_lead(us, them, ended):
    rules = Rules(run_ahead=((5, 12),))
    assert has_ended(after(len(us), us), them, rules, is_home=False) is ended


def test_the_home_team_that_leads_does_not_bat_in_the_last_inning():
    box = Box(inning=7, runs_by_inning=(1, 0, 0, 0, 0, 0, 0))
    assert has_ended(box, [0] * 7, RULES, is_home=True)
    assert not has_ended(box, [0] * 7, RULES, is_home=False)
    assert not has_ended(box, [0] * 6, RULES, is_home=True)
    assert not has_ended(box, [0, 0, 0, 0, 0, 0, 1], RULES, is_home=True)


def test_the_home_team_that_is_far_ahead_needs_only_the_half_inning():
    ahead = Box(inning=5, runs_by_inning=(12, 0, 0, 0, 0))
    rules = Rules(run_ahead=((5, 10),))
    assert has_ended(ahead, [0] * 5, rules, is_home=True)
    assert not has_ended(ahead, [0] * 4, rules, is_home=True)
    assert not has_ended(ahead, [5, 0, 0, 0, 0], rules, is_home=True)


@pytest.mark.parametrize(("theirs", "ended"), [([1] + [0] * 5, True), ([0] * 6, False)])
def test_visitors_who_are_behind_after_their_last_half_have_lost(theirs, ended):
    assert has_ended(Box(inning=8, runs_by_inning=(0,) * 8), theirs, RULES, is_home=False) is ended
