"""The table of a league, by the rules of the association: 3/2/1/0 points, wins, set and ball quotient."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms.sams.standings import Played, points_for, standings

RESULTS = [(3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3)]


def names(table):
    return [standing.team for standing in table]


@pytest.mark.parametrize(
    ("sets", "points"), [((3, 0), 3), ((3, 1), 3), ((3, 2), 2), ((2, 3), 1), ((1, 3), 0), ((0, 3), 0)]
)
def test_a_match_gives_three_two_one_or_no_points(sets, points):
    assert points_for(*sets) == points


def results_of(team, *results):
    return [Played((team, f"{team}{number}"), sets) for number, sets in enumerate(results)]


def test_more_points_come_first_also_with_fewer_wins():
    two_wins, five_points = [(3, 2), (3, 2)], [(3, 0), (2, 3), (2, 3)]

    assert names(standings(results_of("A", *two_wins) + results_of("B", *five_points)))[:2] == ["B", "A"]


def test_at_equal_points_more_wins_come_first_also_with_a_worse_set_quotient():
    no_win, one_win = [(2, 3), (2, 3)], [(3, 2), (0, 3), (0, 3), (0, 3)]
    table = standings(results_of("A", *no_win) + results_of("B", *one_win))

    assert [standing.team for standing in table if standing.team in "AB"] == ["B", "A"]


def test_at_equal_wins_the_better_set_quotient_comes_first():
    assert names(standings([Played(("A", "X"), (3, 1)), Played(("B", "Y"), (3, 0))]))[:2] == ["B", "A"]


def test_at_equal_sets_the_better_ball_quotient_comes_first():
    matches = [Played(("A", "X"), (3, 0), (75, 60)), Played(("B", "Y"), (3, 0), (75, 40))]

    assert names(standings(matches))[:2] == ["B", "A"]


def test_a_quotient_is_no_difference():
    three_to_six, six_to_ten = [(3, 0), (0, 3), (0, 3)], [(3, 1), (1, 3), (1, 3), (1, 3)]
    table = standings(results_of("A", *three_to_six) + results_of("B", *six_to_ten))

    assert [standing.team for standing in table if standing.team in "AB"] == ["B", "A"]


def test_teams_that_nothing_tells_apart_share_a_rank():
    table = standings([Played(("B", "D"), (3, 0)), Played(("A", "C"), (3, 0))])

    assert [(standing.rank, standing.team) for standing in table] == [(1, "A"), (1, "B"), (3, "C"), (3, "D")]


def test_a_league_without_a_match_has_an_empty_table():
    assert standings([]) == []


def test_eight_teams_and_56_matches_give_the_table_that_hand_counting_gives():
    chance = Random(8)
    teams = [f"Team {letter}" for letter in "ABCDEFGH"]
    matches = [
        Played(pair, chance.choice(RESULTS), (chance.randint(60, 110), chance.randint(60, 110)))
        for pair in permutations(teams, 2)
    ]
    table = standings(matches)

    assert len(matches) == 56
    assert [standing.played for standing in table] == [14] * 8
    assert sum(standing.points for standing in table) == 56 * 3
    assert [standing.rank for standing in table] == list(range(1, 9))
    for standing in table:
        own = [
            (match.sets if match.teams[0] == standing.team else match.sets[::-1])
            for match in matches
            if standing.team in match.teams
        ]
        expected = sum({(3, 0): 3, (3, 1): 3, (3, 2): 2, (2, 3): 1}.get(sets, 0) for sets in own)
        assert (standing.points, standing.wins) == (expected, sum(won == 3 for won, _lost in own))
        assert (standing.sets_won, standing.sets_lost) == tuple(map(sum, zip(*own, strict=True)))


@given(
    st.lists(
        st.tuples(st.permutations("ABCD"), st.sampled_from(RESULTS)).map(
            lambda drawn: Played((drawn[0][0], drawn[0][1]), drawn[1], (75, 60))
        )
    )
)
def test_the_order_of_the_matches_does_not_matter(matches):
    assert standings(matches) == standings(reversed(matches))
