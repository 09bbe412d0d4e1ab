"""What is expected of a match: of made-up events with known answers, and only of what was known before."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scouting.analysis.forecasts import (
    AVERAGE_MATCHES,
    Evidence,
    Forecasts,
    HitRate,
    Opr,
    blended,
    forecasts,
    in_order,
    known_before,
)
from scouting.events.event import Alliance, Match, Playoff

A, B, C, D, E, F = (str(number) for number in range(101, 107))


def alliance(*teams, score=None, fouls=0):
    return Alliance(teams, score, official={"foulPoints": fouls} if fouls else {})


def match(number, red, blue, scores=(None, None), fouls=(0, 0), time=None):
    return Match(
        number,
        alliance(*red, score=scores[0], fouls=fouls[0]),
        alliance(*blue, score=scores[1], fouls=fouls[1]),
        time=time,
    )


def expected_of(matches, scouted=None, playoffs=()) -> Forecasts:
    order = in_order(matches, playoffs)
    return forecasts(order, known_before(order), scouted or {})


def numbers(forecast):
    return forecast.red, forecast.blue


# --- The strength of a robot ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scouted", "official", "strength"),
    [
        (None, None, None),
        (Evidence(30, 1), None, 30),
        (None, Evidence(12, 5), 12),
        # One form beside nine official matches is a tenth of the evidence.
        (Evidence(90, 1), Evidence(40, 9), 45),
        (Evidence(20, 6), Evidence(50, 3), 30),
        (Evidence(99, 0), Evidence(50, 3), 50),
    ],
)
def test_each_source_counts_by_the_matches_that_it_knows(scouted, official, strength):
    assert blended(scouted, official) == strength


def test_after_one_match_a_robot_is_between_its_share_and_the_average():
    """100 points of six robots: 16.7 on average. Red has 10 more than three such robots, shared by 3 + 1."""
    opr = Opr([A, B, C, D, E, F])
    assert opr.of(A) is None
    opr.add(alliance(A, B, C, score=60))
    opr.add(alliance(D, E, F, score=40))
    assert [opr.of(team).points for team in (A, D)] == pytest.approx([100 / 6 + 10 / 4, 100 / 6 - 10 / 4])
    assert opr.of(A).matches == 1


def test_points_of_fouls_are_nobodys():
    opr = Opr([A, B, C])
    opr.add(alliance(A, B, C, score=80, fouls=20))
    assert opr.of(A).points == pytest.approx(20)


def test_points_of_referees_are_nobodys_either():
    adjusted = Alliance((A, B, C), 85, official={"foulPoints": 20, "adjustPoints": 5})
    opr = Opr([A, B, C])
    opr.add(adjusted)
    assert adjusted.own_score == 60
    assert opr.of(A).points == pytest.approx(20)
    assert Alliance((A, B, C), 55, official={"adjustPoints": -5}).own_score == 60


@given(
    st.lists(
        st.tuples(st.permutations("ABCDEFGH"), st.integers(0, 300)).map(lambda each: (each[0][:3], each[1])),
        min_size=1,
        max_size=40,
    )
)
def test_one_alliance_after_the_other_gives_the_least_squares_of_all(alliances):
    """At the least sum the errors of a robot's alliances and its way to the average outweigh each other."""
    opr = Opr("ABCDEFGH")
    for teams, score in alliances:
        opr.add(alliance(*teams, score=score))
    average = sum(score for _teams, score in alliances) / (3 * len(alliances))
    found = {team: evidence.points for team in "ABCDEFGH" if (evidence := opr.of(team))}
    for team, points in found.items():
        errors = [score - sum(map(found.get, teams)) for teams, score in alliances if team in teams]
        assert sum(errors) == pytest.approx(AVERAGE_MATCHES * (points - average), abs=1e-6)


# --- The forecast of a match ------------------------------------------------------------------------------


def test_nothing_is_expected_of_the_first_match_and_of_the_second_what_the_first_told():
    plan = [
        match(1, (A, B, C), (D, E, F), scores=(66, 40), fouls=(6, 0)),
        match(2, (A, D, E), (B, C, F)),
    ]
    found = expected_of(plan, {1: [(A, 30.0), (D, 20.0)]})
    assert numbers(found.of(plan[0])) == (None, None)
    strong, weak = 100 / 6 + 10 / 4, 100 / 6 - 10 / 4
    red = (30 + strong) / 2 + (20 + weak) / 2 + weak
    assert numbers(found.of(plan[1])) == pytest.approx((red, strong + strong + weak))
    # 60 and 40 points are 10 from their mean.
    lead = red - (strong + strong + weak)
    assert found.of(plan[1]).red_chance == pytest.approx(1 / (1 + 10 ** (-5 / 8 * lead / 10)))


def test_scouts_alone_are_enough_where_no_scores_are_told():
    plan = [match(1, (A,), (B,)), match(2, (A,), (B,)), match(3, (A,), (B,))]
    found = expected_of(plan, {1: [(A, 10.0), (B, 4.0)], 2: [(A, 20.0)]})
    assert [numbers(found.of(each)) for each in plan] == [(None, None), (10, 4), (15, 4)]
    assert found.of(plan[2]).red_chance is None


def test_an_alliance_with_a_robot_that_nobody_knows_has_no_forecast():
    plan = [match(1, (A,), (B,), scores=(10, 4)), match(2, (A, C), (B,))]
    found = expected_of(plan)
    assert found.of(plan[1]).red is None
    assert found.of(plan[1]).red_chance is None
    assert found.hits == HitRate()


TWELVE = [f"{number}" for number in range(101, 113)]
# Robot 101 has 10 points, 102 has 13, and so on.
WORTH = {team: 10 + 3 * index for index, team in enumerate(TWELVE)}


def exact_event(count=40):
    """Every robot always scores what it is worth."""
    trios = [set(trio) for trio in combinations(TWELVE, 3)]
    plan = []
    for number in range(1, count + 1):
        red = trios[(number * 37) % len(trios)]
        blue = next(trio for trio in trios[(number * 61) % len(trios) :] + trios if not trio & red)
        scores = [sum(WORTH[team] for team in side) for side in (red, blue)]
        plan.append(match(number, sorted(red), sorted(blue), scores=scores))
    return plan


def sightings(plan, worth=WORTH):
    return {each.number: [(team, float(worth[team])) for team in each.teams] for each in plan}


def test_perfect_scouts_of_steady_robots_expect_what_happens():
    """Where only scouts tell, the forecast of robots that were seen is exactly the score."""
    plan = [replace_scores(each, None, None) for each in exact_event()]
    found = expected_of(plan, sightings(plan))
    seen: set[str] = set()
    for each, played in zip(plan, exact_event(), strict=True):
        if seen.issuperset(each.teams):
            assert numbers(found.of(each)) == pytest.approx((played.red.score, played.blue.score))
        seen.update(each.teams)


def test_the_hit_rate_counts_matches_with_a_winner_and_a_forecast():
    """In the end the scores of steady robots name the winner of every match that is not a tie."""
    plan = exact_event(200)
    late = expected_of(plan).hits.named - expected_of(plan[:100]).hits.named
    right = expected_of(plan).hits.right - expected_of(plan[:100]).hits.right
    won = [each for each in plan[100:] if each.red.score != each.blue.score]
    assert late == len(won) == 96
    assert right == late


def test_a_hit_a_miss_a_tie_and_a_match_of_unknown_robots():
    plan = [
        match(1, (A,), (B,), scores=(10, 4)),  # Nothing was known before.
        match(2, (A,), (B,), scores=(9, 5)),  # Red was expected, and red won.
        match(3, (B,), (A,), scores=(30, 2)),  # Blue was expected, and red won.
        match(4, (A,), (B,), scores=(7, 7)),  # Nobody won.
        match(5, (A,), (C,), scores=(7, 3)),  # C is not known.
        match(6, (A,), (B,)),
    ]
    hits = expected_of(plan).hits
    assert (hits, hits.share) == (HitRate(right=1, named=2), 0.5)
    assert HitRate().share is None


# --- No match tells of itself -----------------------------------------------------------------------------


def replace_scores(each, red, blue):
    return replace(each, red=replace(each.red, score=red), blue=replace(each.blue, score=blue))


@pytest.mark.parametrize("number", [1, 2, 13, 40])
def test_neither_its_own_result_nor_a_later_one_changes_a_forecast(number):
    plan = exact_event()
    changed = [replace_scores(each, 500, 1) if each.number >= number else each for each in plan]
    scouted = sightings(plan)
    other = scouted | sightings(plan[number - 1 :], dict.fromkeys(TWELVE, 999))
    earlier = [expected_of(plan, scouted).of(each) for each in plan[:number]]
    assert [expected_of(changed, other).of(each) for each in plan[:number]] == earlier
    # What came before does count: the same change one match earlier is seen.
    if 1 < number < 40:
        assert expected_of(changed, other).of(plan[number]) != expected_of(plan, scouted).of(plan[number])


def test_its_own_forms_do_not_count_before_its_score_is_known_either():
    plan = [match(1, (A,), (B,)), match(2, (A,), (B,))]
    found = expected_of(plan, {1: [(A, 10.0), (B, 4.0)], 2: [(A, 99.0), (B, 99.0)]})
    assert numbers(found.of(plan[1])) == (10, 4)


def test_a_match_that_was_played_again_later_tells_nothing_before():
    again = match(1, (A,), (B,), scores=(90, 1), time="2026-03-07T15:00:00.000Z")
    second = match(2, (A,), (B,), scores=(10, 20), time="2026-03-07T14:00:00.000Z")
    to_come = match(3, (A,), (B,), time="2026-03-07T13:00:00.000Z")
    assert [each.number for each in in_order([again, second, to_come])] == [2, 1, 3]
    found = expected_of([again, second, to_come])
    assert found.of(second).red is None
    assert found.of(again).red < found.of(again).blue
    # By its time it would be the first; but it was not played yet.
    assert found.of(to_come).red > found.of(to_come).blue


def test_without_all_times_matches_count_by_their_numbers():
    plan = [
        match(1, (A,), (B,), scores=(90, 1), time="2026-03-07T15:00:00.000Z"),
        match(2, (A,), (B,), scores=(1, 2)),
    ]
    assert [each.number for each in in_order(plan)] == [1, 2]


def test_playoffs_have_forecasts_and_hits_and_tell_nothing_themselves():
    plan = [match(1, (A,), (B,), scores=(10, 4))]
    first = Playoff(1, alliance(A, score=50), alliance(B, score=90))
    second = Playoff(2, alliance(A, score=50), alliance(B, score=20))
    found = expected_of(plan, {}, [first, second])
    assert numbers(found.of(first)) == numbers(found.of(second)) == pytest.approx((8.5, 5.5))
    assert found.hits == HitRate(right=1, named=2)
