"""The scorecard of a game, made for a sheet of paper."""

import pytest

from core.dynamo.metering import metered
from tests.tracker import club, season
from tests.tracker.statistics.test_box_score import told
from tracker.rules.replay import Rules
from tracker.rules.season_rules import stored
from tracker.statistics import presenters

pytestmark = pytest.mark.usefixtures("db")


def test_each_batter_has_a_line_and_each_inning_a_column():
    game, _at_bats, box = told(["1B", "HR", "K", "K", "K", "BB"])
    innings, rows = presenters.card(game, box, str)
    assert innings == [1, 2, 3, 4, 5, 6, 7]
    marks = {row.names[0]: [[mark.result for mark in cell] for cell in row.innings[:2]] for row in rows}
    assert marks["Ada"] == [["1B"], []]
    assert marks["Fin"] == [[], ["BB"]]
    assert marks["Ida"] == [[], []]


def test_a_mark_says_who_came_home_what_was_batted_in_and_how_many_are_out():
    game, _at_bats, box = told(["1B", "2B", "K", "SF", "DP"])
    _innings, rows = presenters.card(game, box, str)
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
    _innings, rows = presenters.card(game, box, str)
    assert [mark.result for mark in rows[0].innings[0]] == ["1B", "HR"]
    assert [mark.scored for mark in rows[0].innings[0]] == [True, True]


def test_a_substitute_shares_the_line():
    came = [{"battingOrder": 1, "playerId": "Zoe", "after": 9}]
    game, _at_bats, box = told([*["K"] * 9, ("1B", {"player_id": "Zoe"})], substitutions=came)
    _innings, rows = presenters.card(game, box, str)
    assert rows[0].names == ["Ada", "Zoe"]
    assert (rows[0].line.at_bats, rows[0].line.hits) == (2, 1)
    assert rows[0].innings[3][0].batter == "Zoe"


def home(results, **fields):
    """By batter, in the order of their turns: whether the mark says that the trip ended at home."""
    game, _at_bats, box = told(results, **fields)
    _innings, rows = presenters.card(game, box, str)
    return {
        (row.slot, inning, place): mark.scored
        for row in rows
        for inning, cell in enumerate(row.innings, start=1)
        for place, mark in enumerate(cell)
    }


def test_the_run_of_somebody_who_ran_for_the_batter_is_marked_at_the_batter():
    ran = {"runners": [{"from": 1, "to": 3, "playerId": "Zoe"}, {"from": 0, "to": 1}]}
    assert home(["1B", ("1B", ran), "1B"]) == {(1, 1, 0): True, (2, 1, 0): False, (3, 1, 0): False}


def test_a_courtesy_runner_who_bats_too_has_the_run_at_whom_they_ran_for():
    """Ida runs for Ada and scores; her own turn in the same inning ends on base."""
    ran = {"runners": [{"from": 1, "to": 3, "playerId": "Ida"}, {"from": 0, "to": 1}]}
    marks = home(["1B", ("1B", ran), *["BB"] * 7])
    assert (marks[1, 1, 0], marks[9, 1, 0]) == (True, False)
    assert [slot for (slot, _inning, _place), scored in marks.items() if scored] == [1, 2, 3, 4, 5, 6]


def test_a_courtesy_runner_who_batted_before_has_no_second_run_there():
    """Ada makes an out and then runs for Bea: the run is Bea's trip."""
    ran = {"runners": [{"from": 1, "to": 4, "playerId": "Ada"}, {"from": 0, "to": 2}]}
    assert home(["K", "1B", ("2B", ran)]) == {(1, 1, 0): False, (2, 1, 0): True, (3, 1, 0): False}


def test_the_run_of_a_pinch_runner_is_marked_at_the_batter_whose_place_they_took():
    came = [{"battingOrder": 1, "playerId": "Zoe", "after": 1}]
    assert home(["3B", "1B"], substitutions=came) == {(1, 1, 0): True, (2, 1, 0): False}


def test_the_run_of_a_runner_who_was_placed_is_marked_nowhere():
    """Cem starts the second inning on second base, scores, and comes to bat again without a run."""
    placed = stored(Rules(tie_breaker_from=2))
    marks = home(["K", "K", "K", "2B", *["BB"] * 8], rules=placed)
    assert marks[3, 2, 0] is False
    assert sum(marks.values()) == 6


def test_the_page_is_four_requests():
    owner = club.person("Olivia")
    team = club.team_of(owner)
    game = season.played(team, club.nine(team, actor=owner), ["1B", "HR"], actor=owner)
    browser = club.browser_of(owner)
    with metered() as spent:
        page = browser.get(f"/tracker/games/{game.id}/scorecard/")
    assert (page.status_code, spent.requests) == (200, 4)
    assert page.text.count("card-mark home") == 2
