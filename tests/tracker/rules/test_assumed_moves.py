"""Who is out and who moves on in a fielder's choice and a double play, as far as nobody says it."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.rules.batting import DOUBLE_PLAY, FIELDERS_CHOICE, RESULTS
from tracker.rules.replay import Appearance, Rules, replay
from tracker.rules.runners import BASES, BATTER, HOME, OUTS_OF_AN_INNING, assumed_moves, usual_moves

TAKEN = [dict.fromkeys(bases, "Ada") for count in range(4) for bases in combinations(BASES, count)]


def starts(moves):
    return sorted(move.start for move in moves if move.out)


@pytest.mark.parametrize("outs", range(3))
@pytest.mark.parametrize(
    ("bases", "few_outs", "two_outs"),
    [
        ((1,), 1, 1),
        ((2,), 2, 2),
        ((3,), 3, 3),
        ((1, 2), 1, 1),
        ((1, 3), 1, 1),
        ((2, 3), 3, 3),
        # With the bases full a force at home saves a run, unless the third out saves it anyway.
        ((1, 2, 3), 3, 1),
    ],
)
def test_who_is_assumed_to_be_out_in_a_choice_follows_from_the_situation(outs, bases, few_outs, two_outs):
    moves = assumed_moves(FIELDERS_CHOICE, dict.fromkeys(bases, "Ada"), outs, {})
    assert starts(moves) == [two_outs if outs == 2 else few_outs]


@pytest.mark.parametrize("result", sorted(set(RESULTS) - {FIELDERS_CHOICE, DOUBLE_PLAY}))
def test_of_every_other_result_what_is_said_of_one_changes_nothing_for_the_others(result):
    for on_base in TAKEN:
        said = dict.fromkeys(on_base, True)
        assert assumed_moves(result, on_base, 0, said) == usual_moves(result, on_base, 0)


@given(
    st.sampled_from([FIELDERS_CHOICE, DOUBLE_PLAY]),
    st.sampled_from(TAKEN[1:]),
    st.integers(0, 2),
    st.data(),
)
def test_those_who_are_named_are_out_and_others_only_as_far_as_the_result_needs_them(
    result, on_base, outs, data
):
    named = data.draw(st.sets(st.sampled_from([BATTER, *on_base])))
    moves = assumed_moves(result, on_base, outs, dict.fromkeys(named, True))
    out = starts(moves)
    assert set(out) >= named
    assert len(out) == max(len(named), 1 if result == FIELDERS_CHOICE else 2)
    moved = {move.start for move in moves}
    ends = [move.end for move in moves if not move.out] + [base for base in on_base if base not in moved]
    stand = [end for end in ends if end != HOME]
    assert len(stand) == len(set(stand))
    if outs + len(out) >= OUTS_OF_AN_INNING:
        assert HOME not in ends


@given(st.data())
def test_a_game_stays_in_balance_whoever_is_named(data):
    told, box = [], replay([], Rules(), slots=9)
    for number in range(1, data.draw(st.integers(1, 30)) + 1):
        result = data.draw(st.sampled_from(["BB", "1B", "K", FIELDERS_CHOICE, DOUBLE_PLAY]))
        named = data.draw(st.sets(st.sampled_from([BATTER, *box.on_base]), max_size=3 - box.outs))
        moves = assumed_moves(result, box.on_base, box.outs, dict.fromkeys(named, True))
        if box.outs + len(starts(moves)) > OUTS_OF_AN_INNING:
            continue
        told.append(Appearance(number, box.next_slot, f"batter {box.next_slot}", result, moves))
        box = replay(told, Rules(), slots=9)
        assert box.imbalance == 0
        assert box.team.runs == box.runs
