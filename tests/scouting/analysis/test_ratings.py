"""What the official scores say of each team: OPR and its kin, the ranking, and what to expect of a match."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scouting.analysis import ratings
from scouting.analysis.ratings import Record
from scouting.events.event import Alliance, Match

TEAMS = ("20", "2053", "2095", "254", "254B", "71", "7198", "118")


def alliance(*teams, score=None, surrogates=(), disqualified=(), **official):
    return Alliance(teams, score, surrogates, official, disqualified)


def solo(number, *teams, score):
    """A match whose blue side has nobody, for sums of red alone."""
    return Match(number, alliance(*teams, score=score), alliance(score=0))


def round_robin(worth):
    """Every pair of teams against the next pair; alliances score what their robots are worth."""
    pairs = [(one, other) for place, one in enumerate(TEAMS) for other in TEAMS[place + 1 :]]
    return [
        Match(
            number,
            alliance(*red, score=sum(worth[team] for team in red)),
            alliance(*blue, score=sum(worth[team] for team in blue)),
        )
        for number, (red, blue) in enumerate(pairwise(pairs), 1)
    ]


def test_the_toy_example_of_the_blue_alliance():
    sums = {("A", "B"): 10, ("A", "C"): 13, ("B", "C"): 7, ("A", "D"): 15, ("B", "D"): 10}
    matches = [solo(number, *pair, score=score) for number, (pair, score) in enumerate(sums.items(), 1)]
    found = {team: rating.opr for team, rating in ratings.ratings(matches).items()}
    assert found == pytest.approx({"A": 7.75, "B": 2.25, "C": 5, "D": 7.5})


@given(st.fixed_dictionaries({team: st.integers(0, 200) for team in TEAMS}))
def test_robots_that_always_score_the_same_are_found_exactly(worth):
    found = ratings.ratings(round_robin(worth))
    assert {team: rating.opr for team, rating in found.items()} == pytest.approx(worth, abs=1e-6)
    for rating in found.values():
        assert rating.ccwm == pytest.approx(rating.opr - rating.dpr)


@given(st.data())
def test_opr_is_the_best_fit(data):
    """At the least squares the errors of each team's alliances sum to nothing."""
    scores = st.integers(0, 300)
    matches = [
        Match(
            each.number,
            alliance(*each.red.teams, score=data.draw(scores)),
            alliance(*each.blue.teams, score=0),
        )
        for each in round_robin(dict.fromkeys(TEAMS, 0))
    ]
    found = ratings.ratings(matches)
    for team in TEAMS:
        errors = [
            side.score - sum(found[each].opr for each in side.teams)
            for match in matches
            for side in (match.red, match.blue)
            if team in side.teams
        ]
        assert sum(errors) == pytest.approx(0, abs=1e-6)


def test_two_robots_that_only_ever_play_together_cannot_be_told_apart():
    assert ratings.ratings([solo(1, "20", "254B", score=30), solo(2, "20", "254B", score=40)]) is None


@pytest.mark.parametrize("matches", [[], [Match(1, alliance("20"), alliance("254B"))]])
def test_before_a_match_was_played_there_is_no_rating(matches):
    assert ratings.ratings(matches) is None
    assert ratings.component_oprs(matches, ["autoPoints"]) is None


def test_a_part_of_the_score_has_an_opr_of_its_own_where_it_was_told():
    matches = [
        Match(1, alliance("20", "254B", score=9, autoPoints=5), alliance("71", "20", score=9, autoPoints=3)),
        Match(
            2, alliance("71", "254B", score=9, autoPoints=6), alliance("20", score=9, autoPoints=1, coop=True)
        ),
        Match(3, alliance("118", score=50), alliance("20", score=9)),
    ]
    assert ratings.component_keys(matches) == ["autoPoints", "coop"]
    found = ratings.component_oprs(matches, ["autoPoints", "coop"])
    assert found["autoPoints"] == pytest.approx({"20": 1, "254B": 4, "71": 2})
    # What a told score does not name is nothing: 3a + b + c = 1, a + 2b + c = 0, a + b + 2c = 0.
    assert found["coop"] == pytest.approx({"20": 3 / 7, "254B": -1 / 7, "71": -1 / 7})


def test_the_ranking_goes_by_the_figures_of_the_game_in_their_order():
    matches = [
        Match(
            1, alliance("20", "71", score=30, rp=2, auto=5), alliance("254B", "118", score=20, rp=2, auto=9)
        ),
        Match(
            2,
            alliance("20", score=44, rp=3, foulPoints=4, auto=1),
            alliance("254B", "118", score=40, rp=3, auto=0, surrogates=("118",)),
        ),
        Match(3, alliance("20"), alliance("118")),
    ]
    rows = ratings.ranking(matches, ("rp", "points", "auto"))
    assert [(row.rank, row.team, row.figures) for row in rows] == [
        (1, "20", (2.5, 35, 3)),
        (2, "254B", (2.5, 30, 4.5)),
        (3, "71", (2, 30, 5)),
        (4, "118", (2, 20, 9)),
    ]
    assert [row.record for row in rows] == [
        Record(wins=2, losses=0, ties=0),
        Record(wins=0, losses=2, ties=0),
        Record(wins=1, losses=0, ties=0),
        Record(wins=0, losses=1, ties=0),
    ]


def test_a_figure_can_ask_for_a_number_of_both_alliances():
    """The coopertition of 2025: two algae in each processor."""
    matches = [
        Match(1, alliance("20", score=9, rp=1, algae=2), alliance("71", score=9, rp=1, algae=2)),
        Match(2, alliance("20", score=9, rp=1, algae=5), alliance("118", score=9, rp=1, algae=1)),
        Match(3, alliance("20", score=9, rp=1), alliance("71", score=9, rp=1, algae=3)),
    ]
    rows = ratings.ranking(matches, ("rp", "both2.algae"))
    assert {row.team: row.figures for row in rows} == {
        "20": (1, pytest.approx(1 / 3)),
        "71": (1, 1 / 2),
        "118": (1, 0),
    }
    assert [row.team for row in rows] == ["71", "20", "118"]


@pytest.mark.parametrize("by", [("rp", "points"), ("wins", "points")])
def test_official_ranks_are_the_ranks_and_who_has_none_comes_last(by):
    matches = [Match(1, alliance("20", "71", "8", score=30, rp=3), alliance("118", score=10, rp=0))]
    rows = ratings.ranking(matches, by, {"20": 2, "118": 1, "71": 0})
    assert [(row.rank, row.team) for row in rows] == [(1, "118"), (2, "20"), (None, "8"), (None, "71")]
    computed = ratings.ranking(matches, by, {"20": 0})
    assert [(row.rank, row.team) for row in computed] == [(1, "8"), (2, "20"), (3, "71"), (4, "118")]


def test_what_no_match_tells_is_known():
    matches = [Match(1, alliance("20", score=9, rp=2, auto=1), alliance("71", score=3, algae=1))]
    by = ("rp", "points", "auto", "both2.algae", "both2.coral", "barge")
    assert ratings.missing_figures(matches, by) == ["both2.coral", "barge"]


@pytest.mark.parametrize("by", [("rp", "points"), ("wins", "points")])
def test_a_disqualified_robot_has_played_and_gets_nothing_of_the_match(by):
    red = alliance("20", "71", score=30, disqualified=("71",), rp=1)
    rows = ratings.ranking([Match(1, red, alliance("118", score=10))], by)

    assert [(row.team, row.matches, row.figures, str(row.record)) for row in rows] == [
        ("20", 1, (1, 30), "1-0-0"),
        ("118", 1, (0, 10), "0-1-0"),
        ("71", 1, (0, 0), "0-1-0"),
    ]


def test_a_disqualified_robot_counts_in_opr_like_all_others():
    robots = ("20",), ("20", "71")
    played = [solo(number, *teams, score=10 * number) for number, teams in enumerate(robots, 1)]
    barred = [replace(each, red=replace(each.red, disqualified=each.red.teams)) for each in played]

    assert ratings.ratings(barred) == ratings.ratings(played)


def test_the_game_ranks_where_official_figures_were_told_and_wins_do_elsewhere():
    red, blue = alliance("20", score=9, rp=2, foulPoints=0), alliance("71", score=3, foulPoints=2)
    # No ranking points are none: zeros are not stored.
    assert ratings.ranked_by([Match(1, red, blue)], ("rp", "points")) == ("rp", "points")
    assert ratings.ranked_by([Match(1, red, replace(blue, official={}))], ("rp",)) == ("wins", "points")
    assert ratings.ranked_by([Match(1, blue, blue)], ("rp",)) == ("wins", "points")
    assert ratings.ranked_by([Match(1, red, blue)], ()) == ("wins", "points")
    assert ratings.ranked_by([], ("points",)) == ("points",)


def test_teams_that_are_equal_in_all_figures_come_by_number():
    rows = ratings.ranking(
        [Match(1, alliance("2053", "254B", score=1), alliance("254", score=1))], ("points",)
    )
    assert [row.team for row in rows] == ["254", "254B", "2053"]
    assert {str(row.record) for row in rows} == {"0-0-1"}


def test_the_expected_score_is_the_sum_of_the_three():
    match = Match(1, alliance("20", "71", "118"), alliance("254B", "2053", "2095"))
    strengths = {"20": 10, "71": 20, "118": 30.5, "254B": 5, "2053": 0, "2095": 5}
    forecast = ratings.forecast(match, strengths, deviation=50.5)
    assert (forecast.red, forecast.blue) == (60.5, 10)
    assert forecast.red_chance == pytest.approx(1 / (1 + 10 ** (-5 / 8)))


def test_nothing_is_expected_of_an_alliance_with_an_unknown_robot():
    match = Match(1, alliance("20", "71"), alliance("254B"))
    forecast = ratings.forecast(match, {"20": 10, "254B": 5}, deviation=10)
    assert (forecast.red, forecast.blue, forecast.red_chance) == (None, 5, None)
    assert ratings.forecast(Match(1), {}, deviation=10).red is None


def test_nothing_is_expected_of_an_alliance_with_an_open_place():
    match = Match(2, Alliance(("254", "254B", "2053")), Alliance(("20", "2095"), open_places=(2,)))
    forecast = ratings.forecast(match, dict.fromkeys(match.teams, 20), deviation=10)
    assert (forecast.red, forecast.blue, forecast.red_chance) == (60, None, None)


@given(st.floats(-500, 500), st.floats(-500, 500), st.floats(0.5, 100))
def test_the_chances_of_both_sides_make_one_and_the_stronger_has_the_better(red, blue, deviation):
    assume(abs(red - blue) > 1e-3)
    chance = ratings.win_chance(red, blue, deviation)
    assert chance + ratings.win_chance(blue, red, deviation) == pytest.approx(1)
    assert (chance > 0.5) == (red > blue)


def test_without_a_spread_of_scores_there_is_no_chance_to_tell():
    assert ratings.win_chance(10, 5, None) is None
    assert ratings.win_chance(10, 5, 0) is None


def test_an_epa_moves_by_a_ninth_of_each_surprise():
    matches = [
        Match(1, alliance("20", "71", "118", score=90), alliance("254B", "2053", "2095", score=30)),
        Match(
            2,
            alliance("254B", "71", "118", score=60, foulPoints=12),
            alliance("20", "2053", "2095", score=60),
        ),
    ]
    # Their own scores are 90, 30, 48 and 60: mean 57.
    start = 57 / 3 - (((33**2 + 27**2 + 9**2 + 3**2) / 4) ** 0.5) / 5
    up, down = start + (90 - 3 * start) / 9, start + (30 - 3 * start) / 9
    found = ratings.epa(matches)
    assert found["71"] == pytest.approx(up + (48 - 2 * up - down) / 9)
    assert found["20"] == pytest.approx(up + (60 - 2 * down - up) / 9)
    assert ratings.epa([]) == {}


def test_an_epa_moves_less_in_later_matches():
    assert [ratings.epa_share(played) for played in (0, 6, 9, 12, 30)] == pytest.approx(
        [1 / 3, 1 / 3, 0.8 / 3, 0.2, 0.2]
    )


def test_what_is_left_of_a_surprise_shrinks_with_every_match():
    matches = [Match(number, alliance("20", score=90), alliance("254B", score=30)) for number in range(1, 11)]
    start = 60 / 3 - 30 / 5
    left = math.prod(1 - ratings.epa_share(played) / 3 for played in range(10))
    assert ratings.epa(matches) == pytest.approx(
        {"20": 90 - (90 - start) * left, "254B": 30 - (30 - start) * left}
    )


def test_equations_may_begin_with_a_zero():
    assert ratings._eliminated([[0, 1, 3], [1, 0, 2]]) == [[2], [3]]
