"""The figures of a team: how much, how often, how steadily."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scouting.analysis.consensus import sightings
from scouting.analysis.statistics.team import Remark, summary, team_figures
from scouting.games import definition
from tests.scouting.unsaved import event_figures, report

REBUILT = definition.shipped(2026)


def figures(*forms):
    """Out of sightings in no particular order."""
    return team_figures("254B", reversed(sightings(forms, REBUILT)), REBUILT)


def test_a_series_in_a_few_numbers():
    found = summary([10, 0, 20, 30])
    assert (found.count, found.mean, found.median, found.best) == (4, 15, 15, 30)
    assert found.last_three == pytest.approx(50 / 3)
    assert found.deviation == pytest.approx((500 / 3) ** 0.5)
    assert found.consistency == pytest.approx(1 - (500 / 3) ** 0.5 / 15)


def test_one_match_has_no_deviation_and_none_has_nothing():
    one, none = summary([7]), summary([])
    assert (one.mean, one.median, one.last_three, one.best) == (7, 7, 7, 7)
    assert (one.deviation, one.consistency) == (None, None)
    assert (none.count, none.mean, none.median, none.last_three, none.best) == (0, None, None, None, None)


def test_who_never_scores_is_not_called_consistent():
    assert summary([0, 0, 0]).consistency is None
    assert summary([-5, -3]).consistency is None
    assert summary([5, 5, 5]).consistency == 1


@given(st.lists(st.integers(0, 600), min_size=2, max_size=15))
def test_a_summary_is_what_anybody_would_compute(series):
    found = summary(series)
    mean = sum(series) / len(series)
    middle = sorted(series)[(len(series) - 1) // 2 : len(series) // 2 + 1]
    assert found.mean == pytest.approx(mean)
    assert found.median == pytest.approx(sum(middle) / len(middle))
    assert found.deviation == pytest.approx((sum((x - mean) ** 2 for x in series) / (len(series) - 1)) ** 0.5)
    assert found.last_three == pytest.approx(statistics.mean(series[-3:]))
    assert found.best == sorted(series)[-1]


def test_series_go_by_match_and_keep_their_zeros():
    found = figures(
        report(match=10, teleFuel=30, autoFuel=5),
        report(match=9),
        report(match=2, teleFuel=12, climbLevel="one"),
    )
    assert found.matches == (2, 9, 10)
    assert found.measures["teleFuel"].series == (12, 0, 30)
    assert found.measures["totalScore"].series == (22, 0, 35)
    assert found.measures["autoScore"].series == (0, 0, 5)
    assert found.measures["teleScore"].summary.mean == pytest.approx(52 / 3)
    assert list(found.measures) == [
        "totalScore",
        "autoScore",
        "teleScore",
        "autoFuel",
        "teleFuel",
        "shotsMissed",
    ]
    assert found.measures["teleFuel"].label == "Teleop: Fuel scored"


def test_a_match_to_which_the_robot_did_not_come_counts_apart():
    found = figures(report(match=1, teleFuel=10, win=True), report(match=2, no_show=True, win=True))
    assert (found.matches, found.no_shows) == ((1,), (2,))
    assert found.measures["teleFuel"].series == (10,)
    assert (found.rates["win"].count, found.rates["win"].of) == (1, 1)


def test_rates_are_shares_of_the_matches():
    found = figures(
        report(
            match=1,
            bump=True,
            climbLevel="two",
            climbPosition="side",
            intakePosition=["ground"],
            defense=True,
        ),
        report(match=2, climbLevel="two", climbPosition="center", defended_against=True),
        report(
            match=3, climbLevel="none", climbPosition="side", intakePosition=["ground", "humanPlayerStation"]
        ),
        report(match=4, bump=True),
    )
    shares = {key: rate.share for key, rate in found.rates.items() if rate.count}
    assert shares == {
        "bump.yes": 0.5,
        "climbLevel.two": 0.5,
        "climbLevel.none": 0.25,
        # In match 3 the place was not asked for, since there was no climb.
        "climbPosition.side": 0.25,
        "climbPosition.center": 0.25,
        "intakePosition.ground": 0.5,
        "intakePosition.humanPlayerStation": 0.25,
        "defense": 0.25,
        "defendedAgainst": 0.25,
    }
    assert found.rates["climbLevel.two"].label == "Endgame: Climb: Level 2"


def test_ranking_points_are_a_mean():
    assert figures(report(match=1, rp_earned=4), report(match=2, rp_earned=1)).mean_rp == 2.5


def test_accuracy_is_of_all_shots_together():
    shots = figures(report(match=1, teleFuel=30, shotsMissed=10), report(match=2, teleFuel=0, shotsMissed=20))
    assert shots.accuracy == 0.5
    assert figures(report()).accuracy == 0
    assert figures().accuracy is None
    crescendo = definition.shipped(2024)
    assert team_figures("254B", sightings([report()], crescendo), crescendo).accuracy is None


def test_incidents_are_counted_also_where_the_robot_did_not_come():
    found = figures(
        report(match=1, criticals=["Red Card"]),
        report(match=2, criticals=["Robot Died", "Red Card"], no_show=True),
    )
    assert found.criticals == {"Red Card": 2, "Robot Died": 1}
    assert found.critical_count == 3


def test_words_of_all_reports_are_told_with_match_and_scout():
    found = figures(
        report(match=7, comments="Fast", scout_name="Bo"),
        report(match=5, strategy="Shuttles", scout_name="Al"),
        report(match=7, further="a", comments="Slow", scout_name="Cy"),
        report(match=6),
    )
    assert found.remarks == (
        Remark(5, "Al", "Shuttles", ""),
        Remark(7, "Bo", "", "Fast"),
        Remark(7, "Cy", "", "Slow"),
    )


def test_all_teams_come_in_order_also_those_nobody_has_seen():
    seen = sightings([report("2053", 1, teleFuel=3), report("254B", 1, teleFuel=4)], REBUILT)
    found = event_figures(seen, REBUILT, ["20", "2053", "254"])
    assert [(team, each.matches) for team, each in found.items()] == [
        ("20", ()),
        ("254", ()),
        ("254B", (1,)),
        ("2053", (1,)),
    ]
    assert found["20"].rates["bump.yes"].share is None
    assert found["20"].mean_rp is None


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["20", "2053", "254B"]), st.integers(1, 20), st.integers(0, 99), st.booleans()
        ),
        unique_by=lambda drawn: drawn[:2],
    )
)
def test_nothing_is_lost_or_counted_twice(drawn):
    forms = [report(team, match, teleFuel=fuel, bump=bump) for team, match, fuel, bump in drawn]
    found = event_figures(sightings(forms, REBUILT), REBUILT).values()
    assert sum(len(each.matches) for each in found) == len(drawn)
    assert sum(sum(each.measures["teleFuel"].series) for each in found) == sum(
        fuel for _, _, fuel, _ in drawn
    )
    assert sum(each.rates["bump.yes"].count for each in found) == sum(bump for *_, bump in drawn)
