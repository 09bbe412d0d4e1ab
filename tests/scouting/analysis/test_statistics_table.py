"""All teams by all figures: sorted by one of them, or by a weighted sum of several."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scouting.analysis.consensus import sightings
from scouting.analysis.statistics import table
from scouting.analysis.statistics.table import (
    Row,
    columns,
    official_values,
    ordered,
    values,
    weighted,
    z_scores,
)
from scouting.events.event import Alliance, Match
from scouting.games import definition
from tests.scouting.unsaved import event_figures, report

REBUILT = definition.shipped(2026)
TEAMS = ("20", "254", "254B", "2053")


def rows(*forms, matches=()):
    official = official_values(matches)
    figures = event_figures(sightings(forms, REBUILT), REBUILT, TEAMS)
    return [table.row(team, values(each), official) for team, each in figures.items()]


def given_values(**values):
    """Rows of one figure, by t254B=3 and so on."""
    return [Row(team.removeprefix("t"), {"x": value}) for team, value in values.items()]


def test_every_row_has_the_value_of_every_column():
    keys = [column.key for column in columns(REBUILT)]
    assert len(keys) == len(set(keys))
    for row in rows(report("20", 1, teleFuel=5)):
        assert list(row.values) == keys


def test_columns_of_every_kind():
    by_key = {column.key: column for column in columns(REBUILT)}
    assert by_key["teleFuel.last_three"].label == "Teleop: Fuel scored, last three"
    assert not by_key["teleFuel.last_three"].is_share
    assert by_key["totalScore.consistency"].is_share
    assert by_key["climbLevel.two"].is_share
    assert by_key["opr"].label == "OPR"


def test_values_of_a_team():
    row = rows(
        report("20", 1, teleFuel=5, shotsMissed=5, win=True, rp_earned=3, criticals=["Red Card"]),
        report("20", 2, teleFuel=9, shotsMissed=9),
        report("20", 3, no_show=True),
    )[0]
    picked = (
        "matches",
        "noShows",
        "totalScore.mean",
        "teleFuel.best",
        "win",
        "accuracy",
        "rp",
        "criticals",
        "opr",
    )
    assert [row.values[key] for key in picked] == [2, 1, 7, 9, 0.5, 0.5, 1.5, 1, None]


def test_official_ratings_are_beside_the_scouts_figures():
    red = [Alliance((team,), score) for team, score in (("20", 40), ("254B", 10))]
    matches = [Match(1, red[0], red[1]), Match(2, Alliance(("2053",), 30), Alliance(("254",), 0))]
    found = {row.team: row.values for row in rows(matches=matches)}
    assert (found["20"]["opr"], found["20"]["dpr"], found["20"]["ccwm"]) == pytest.approx((40, 10, 30))
    assert found["254B"]["epa"] < found["20"]["epa"]


def test_rows_sort_by_a_figure_and_who_lacks_it_comes_last():
    unsorted = given_values(t2053=5, t254B=None, t254=7, t20=5, t71=0)
    assert [row.team for row in ordered(unsorted, "x")] == ["254", "20", "2053", "71", "254B"]
    assert [row.team for row in ordered(unsorted, "x", descending=False)] == [
        "71",
        "20",
        "2053",
        "254",
        "254B",
    ]
    assert [row.team for row in ordered(unsorted, "unheard")] == ["20", "71", "254", "254B", "2053"]


def test_z_scores_use_the_deviation_of_all_teams_and_keep_a_zero():
    assert z_scores({"20": 0, "254": 4, "254B": 8, "2053": None}) == pytest.approx(
        {"20": -(1.5**0.5), "254": 0, "254B": 1.5**0.5}
    )


def test_where_all_teams_are_the_same_nobody_stands_out():
    assert z_scores({"20": 0.1, "254": 0.1, "254B": 0.1}) == {"20": 0, "254": 0, "254B": 0}
    assert z_scores({"20": None}) == {}


def test_teams_by_weighted_figures():
    table_rows = [
        Row("20", {"fuel": 10, "fouls": 4}),
        Row("254B", {"fuel": 20, "fouls": 0}),
        Row("2053", {"fuel": 30, "fouls": None}),
        Row("71", {"fuel": 20, "fouls": 2}),
    ]
    found = weighted(table_rows, {"fuel": 2, "fouls": -1, "unused": 0})
    assert [each.team for each in found] == ["254B", "71", "20", "2053"]
    # Fuel: mean 20, deviation √50. Fouls: mean 2, deviation √(8/3).
    assert found[0].score == pytest.approx(2 / (8 / 3) ** 0.5)
    assert found[2].score == pytest.approx(-20 / 50**0.5 - 2 / (8 / 3) ** 0.5)
    assert found[3].score is None


def test_without_weights_there_is_no_order_but_the_number():
    found = weighted(given_values(t254B=1, t20=2), {})
    assert [(each.team, each.score) for each in found] == [("20", None), ("254B", None)]


@given(st.dictionaries(st.sampled_from([str(n) for n in range(1, 9)]), st.integers(-99, 99), min_size=2))
def test_z_scores_have_mean_0_and_deviation_1(values):
    found = z_scores(values)
    assert sum(found.values()) == pytest.approx(0, abs=1e-9)
    spread = sum(z * z for z in found.values()) / len(found)
    assert spread == pytest.approx(0 if len(set(values.values())) == 1 else 1)
