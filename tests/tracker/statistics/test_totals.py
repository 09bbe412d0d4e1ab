"""Figures out of box scores: counts are added up, never averages."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from tracker.rules.batting import Line
from tracker.statistics import totals as statistics
from tracker.statistics.models import StoredBox
from tracker.statistics.totals import BY_KEY, GameLine, Leader, Total

MAY = datetime(2026, 5, 30, 12, 0, tzinfo=UTC)


def box(
    number, lines, *, runs=0, against=0, status="FINAL", start=MAY, opponent="Rockets", is_home=True, **fields
):
    return StoredBox(
        pk="TEAM#t",
        sk=f"BOX#-#{number}",
        game_id=f"g-{number}",
        team_id="t",
        status=status,
        runs=runs,
        opponent_score=against,
        scheduled_start=start,
        opponent_name=opponent,
        is_home=is_home,
        lines=lines,
        **fields,
    )


def test_a_player_has_the_sum_of_all_games_and_not_the_mean_of_averages():
    boxes = [box(1, {"ada": {"singles": 1}}), box(2, {"ada": {"outs_in_play": 3}, "bea": {"walks": 1}})]
    totals = statistics.by_player(boxes)
    assert totals == {"ada": Total(2, Line(singles=1, outs_in_play=3)), "bea": Total(1, Line(walks=1))}
    assert BY_KEY["avg"].text(totals["ada"].line) == ".250"
    assert BY_KEY["avg"].text(totals["bea"].line) == "-"
    assert statistics.of_team(boxes) == Total(2, Line(singles=1, outs_in_play=3, walks=1))


def test_a_game_without_a_figure_is_a_game_played():
    boxes = [box(1, {"ada": {"singles": 1}}, also_played=["bea"]), box(2, {"bea": {"walks": 1}})]
    assert statistics.by_player(boxes)["bea"] == Total(2, Line(walks=1))
    assert [each.box.game_id for each in statistics.game_lines(boxes[:1], {"bea"})] == ["g-1"]
    assert statistics.of_team(boxes) == Total(2, Line(singles=1, walks=1))


def test_ties_are_left_out_of_the_share_of_wins_and_unfinished_games_of_the_record():
    scores = [(3, 1), (2, 2), (0, 5), (9, 8), (1, 1)]
    boxes = [box(number, {}, runs=us, against=them) for number, (us, them) in enumerate(scores)]
    boxes.append(box(9, {}, runs=20, status="IN_PROGRESS"))
    record = statistics.record(boxes)
    assert (str(record), record.share) == ("2-1-2", Fraction(2, 3))
    assert statistics.record([box(1, {}, runs=1, against=1)]).share is None


TOTALS = {
    "ada": Total(9, Line(singles=9, outs_in_play=11)),
    "bea": Total(9, Line(singles=9, outs_in_play=11, home_runs=0)),
    "cem": Total(1, Line(singles=1)),
    "dov": Total(9, Line(doubles=2, home_runs=3, outs_in_play=20)),
    "eva": Total(9, Line(outs_in_play=20)),
}


def test_leaders_in_averages_need_plate_appearances_and_who_is_equal_shares_a_place():
    assert statistics.leaders(TOTALS, BY_KEY["avg"], least=20) == [
        Leader(1, "ada", ".450"),
        Leader(1, "bea", ".450"),
        Leader(3, "dov", ".200"),
    ]
    assert statistics.leaders(TOTALS, BY_KEY["avg"], least=0)[0] == Leader(1, "cem", "1.000")


def test_leaders_in_counts_need_one_and_no_number_of_plate_appearances():
    assert statistics.leaders(TOTALS, BY_KEY["hr"], least=99) == [Leader(1, "dov", "3")]


@pytest.mark.parametrize(
    ("descending", "order"), [(True, ["cem", "ada", "dov", "fin"]), (False, ["dov", "ada", "cem", "fin"])]
)
def test_who_has_no_figure_is_last_in_either_order(descending, order):
    totals = {"fin": Total(1, Line(walks=1)), **{name: TOTALS[name] for name in ("ada", "cem", "dov")}}
    assert statistics.ordered(totals, BY_KEY["avg"], descending=descending) == order


def test_games_are_split_by_place_month_and_opponent_and_the_last_ones():
    lines = [
        GameLine(
            box(number, {}, start=MAY + timedelta(days=number), opponent=opponent, is_home=number % 2 == 0),
            Line(singles=1),
        )
        for number, opponent in reversed(
            [*enumerate(["Rockets", "rockets ", "Comets", None, "Comets", "Zebras"])]
        )
    ]
    assert [(str(each.kind), str(each.name), each.total.games) for each in statistics.splits(lines)] == [
        ("Where", "Away", 3),
        ("Where", "Home", 3),
        ("Recent", "Last 5 games", 5),
        ("Month", "June 2026", 4),
        ("Month", "May 2026", 2),
        ("Against", "Comets", 2),
        ("Against", "rockets", 2),
        ("Against", "Zebras", 1),
    ]


def test_the_newest_game_is_the_first_and_one_without_a_date_the_last():
    boxes = [
        box(1, {"ada": {"singles": 1}}, start=None),
        box(2, {"ada": {"singles": 1}}),
        box(3, {"ada": {"singles": 1}}, start=MAY + timedelta(days=1)),
        box(4, {"bea": {"singles": 1}}),
    ]
    assert [each.box.game_id for each in statistics.game_lines(boxes, {"ada"})] == ["g-3", "g-2", "g-1"]


def test_interference_is_a_plate_appearance_but_no_at_bat_and_not_in_on_base():
    total = statistics.of_team([box(1, {"ada": {"interferences": 1}, "bea": {"singles": 1}})])
    figures = {key: BY_KEY[key].text(total.line) for key in ("pa", "ab", "ci", "obp")}
    assert figures == {"pa": "2", "ab": "1", "ci": "1", "obp": "1.000"}


def test_on_base_below_the_average_is_shown_as_it_is():
    line = Line(singles=5, outs_in_play=5, sacrifice_flies=2)
    assert (BY_KEY["avg"].text(line), BY_KEY["obp"].text(line)) == (".500", ".417")
