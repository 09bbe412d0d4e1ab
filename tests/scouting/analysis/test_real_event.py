"""Our figures of a real event, New York Tech Valley 2024, against its official ranking and known ratings."""

import json

import pytest
from django.conf import settings

from scouting.analysis import forecasts, ratings
from scouting.analysis.forecasts import HitRate
from scouting.analysis.statistics.team import summary
from scouting.games import definition
from scouting.tba.parsing import matches_of, playoffs_of, teams_of

FOLDER = settings.BASE_DIR.parent / "shared" / "data" / "frc_tba_2024nytr"
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="The data of the real event is not here.")


def told(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


@pytest.fixture(scope="module")
def matches():
    return matches_of(told("matches"))


@pytest.fixture(scope="module")
def expected():
    return {row["team"].removeprefix("frc"): row for row in told("expected")}


def test_all_qualification_matches_and_teams_are_read(matches):
    assert [match.number for match in matches] == list(range(1, 78))
    assert all(match.was_played and len(match.teams) == 6 for match in matches)
    assert len(teams_of(told("teams"), told("rankings"))) == 51


def test_the_ranking_has_all_51_rows_of_the_official_one_in_order(matches):
    rows = ratings.ranking(matches, ratings.ranked_by(matches, definition.shipped(2024).ranking))
    official = told("rankings")["rankings"]
    assert [(row.rank, row.team) for row in rows] == [
        (row["rank"], row["team_key"].removeprefix("frc")) for row in official
    ]
    for row, told_row in zip(rows, official, strict=True):
        record = told_row["record"]
        assert str(row.record) == f"{record['wins']}-{record['losses']}-{record['ties']}"
        assert row.matches == told_row["matches_played"]
        assert list(row.figures) == pytest.approx(told_row["sort_orders"][:5], abs=0.00501)


def test_the_ranking_of_2025_computed_from_its_matches_is_the_official_one():
    folder = FOLDER.parent / "frc_tba_2025mndu2"
    played = matches_of(json.loads((folder / "matches.json").read_text()))
    official = json.loads((folder / "rankings.json").read_text())["rankings"]
    rows = ratings.ranking(played, ratings.ranked_by(played, definition.shipped(2025).ranking))
    assert [(row.rank, row.team) for row in rows] == [
        (row["rank"], row["team_key"].removeprefix("frc")) for row in official
    ]
    for row, told_row in zip(rows, official, strict=True):
        assert list(row.figures) == pytest.approx(told_row["sort_orders"][:5], abs=0.00501)


def test_opr_dpr_and_ccwm_of_all_teams(matches, expected):
    found = ratings.ratings(matches)
    assert found["1796"].opr == pytest.approx(51.4739, abs=1e-3)
    assert found["3173"].opr == pytest.approx(49.6317, abs=1e-3)
    assert found["1591"].opr == pytest.approx(39.2935, abs=1e-3)
    assert found.keys() == expected.keys()
    for figure in ("opr", "dpr", "ccwm"):
        ours = {team: getattr(rating, figure) for team, rating in found.items()}
        assert ours == pytest.approx({team: row[figure] for team, row in expected.items()}, abs=1e-3)


def test_the_parts_of_the_score_add_up_to_the_opr(matches):
    parts = ratings.component_oprs(matches, ["autoPoints", "teleopPoints", "foulPoints", "adjustPoints"])
    sums = {team: sum(part[team] for part in parts.values()) for team in parts["autoPoints"]}
    assert sums == pytest.approx({team: each.opr for team, each in ratings.ratings(matches).items()})


def test_25_matches_are_too_few_and_26_are_enough(matches):
    assert ratings.ratings(matches[:25]) is None
    assert len(ratings.ratings(matches[:26])) == 51


def test_mean_median_and_deviation_of_alliance_scores(matches, expected):
    for team, row in expected.items():
        scores = [match.alliance(match.alliance_of(team)).score for match in matches if team in match.teams]
        found = summary(scores)
        assert found.mean == pytest.approx(row["alliance_score_mean"], abs=1e-4)
        assert found.median == pytest.approx(row["alliance_score_median"], abs=1e-4)
        assert found.deviation == pytest.approx(row["alliance_score_stdev_sample"], abs=1e-4)


@pytest.mark.parametrize(
    ("event", "right", "named"),
    [("2024nytr", 61, 82), ("2025mndu2", 71, 87), ("2026marea", 62, 84)],
)
def test_forecasts_out_of_official_scores_alone_name_three_of_four_winners(event, right, named):
    """Each only of what was known before its match; qualification and playoffs."""
    told = json.loads((FOLDER.parent / f"frc_tba_{event}" / "matches.json").read_text())
    order = forecasts.in_order(matches_of(told), playoffs_of(told))
    found = forecasts.forecasts(order, forecasts.known_before(order), {})
    assert found.hits == HitRate(right, named)
