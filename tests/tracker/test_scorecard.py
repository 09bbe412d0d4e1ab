"""The scorecard of a game, made for a sheet of paper."""

import pytest

from dynamo.metering import metered
from tests.tracker import club, season
from tests.tracker.test_box_score import told
from tracker import box_score

pytestmark = pytest.mark.usefixtures("db")


def test_each_batter_has_a_line_and_each_inning_a_column():
    game, _at_bats, box = told(["1B", "HR", "K", "K", "K", "BB"])
    innings, rows = box_score.card(game, box, str)
    assert innings == [1, 2, 3, 4, 5, 6, 7]
    marks = {row.names[0]: [[mark.result for mark in cell] for cell in row.innings[:2]] for row in rows}
    assert marks["Ada"] == [["1B"], []]
    assert marks["Fin"] == [[], ["BB"]]
    assert marks["Ida"] == [[], []]


def test_a_mark_says_who_came_home_what_was_batted_in_and_how_many_are_out():
    game, _at_bats, box = told(["1B", "2B", "K", "SF", "DP"])
    _innings, rows = box_score.card(game, box, str)
    first = {row.names[0]: row.innings[0][0] for row in rows if row.innings[0]}
    assert [(name, mark.scored, mark.runs_batted_in, mark.outs) for name, mark in first.items()] == [
        ("Ada", True, 0, 0),
        ("Bea", False, 0, 0),
        ("Cem", False, 0, 1),
        ("Dov", False, 1, 2),
        ("Eva", False, 0, 3),
    ]


def test_who_bats_twice_in_an_inning_has_two_marks_there():
    game, _at_bats, box = told(["1B"] * 9 + ["HR"])
    _innings, rows = box_score.card(game, box, str)
    assert [mark.result for mark in rows[0].innings[0]] == ["1B", "HR"]
    assert [mark.scored for mark in rows[0].innings[0]] == [True, True]


def test_a_substitute_shares_the_line():
    came = [{"battingOrder": 1, "playerId": "Zoe", "after": 9}]
    game, _at_bats, box = told([*["K"] * 9, ("1B", {"player_id": "Zoe"})], substitutions=came)
    _innings, rows = box_score.card(game, box, str)
    assert rows[0].names == ["Ada", "Zoe"]
    assert (rows[0].line.at_bats, rows[0].line.hits) == (2, 1)
    assert rows[0].innings[3][0].batter == "Zoe"


def test_the_page_is_four_requests():
    owner = club.person("Olivia")
    team = club.team_of(owner)
    game = season.played(team, club.nine(team, actor=owner), ["1B", "HR"], actor=owner)
    browser = club.browser_of(owner)
    with metered() as spent:
        page = browser.get(f"/tracker/games/{game.id}/scorecard/")
    assert (page.status_code, spent.requests) == (200, 4)
    assert page.text.count("card-mark home") == 2
