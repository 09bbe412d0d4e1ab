"""The official figures of batting."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.rules.batting import RESULTS, Line, figure_text, line_of

# The batting lines of two real seasons; outs are what their at-bats leave.
JUDGE = Line(
    singles=85,
    doubles=36,
    triples=1,
    home_runs=58,
    outs_in_play=379,
    walks=133,
    hit_by_pitches=9,
    sacrifice_flies=2,
    interferences=1,
)
ARRAEZ = Line(
    singles=161,
    doubles=32,
    triples=3,
    home_runs=4,
    outs_in_play=437,
    walks=24,
    hit_by_pitches=8,
    sacrifice_flies=1,
    sacrifice_bunts=2,
)


def test_a_season_with_58_home_runs():
    assert (JUDGE.plate_appearances, JUDGE.at_bats, JUDGE.hits) == (704, 559, 180)
    figures = [JUDGE.average, JUDGE.on_base, JUDGE.slugging, JUDGE.on_base_plus_slugging]
    assert [figure_text(figure) for figure in figures] == [".322", ".458", ".701", "1.159"]


def test_ops_is_the_sum_of_what_is_not_yet_rounded():
    assert (ARRAEZ.plate_appearances, ARRAEZ.at_bats, ARRAEZ.hits) == (672, 637, 200)
    figures = [ARRAEZ.on_base, ARRAEZ.slugging, ARRAEZ.on_base_plus_slugging]
    assert [figure_text(figure) for figure in figures] == [".346", ".392", ".739"]


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Fraction(5, 16), ".313"),
        (Fraction(1), "1.000"),
        (Fraction(0), ".000"),
        (Fraction(1, 3), ".333"),
        (Fraction(9995, 10000), "1.000"),
        (Fraction(7, 1000), ".007"),
        (None, "-"),
    ],
)
def test_figures_have_three_decimals_rounded_half_up(figure, text):
    assert figure_text(figure) == text


def test_nothing_to_divide_by_is_a_dash_in_every_figure():
    nothing = Line(walks=0)
    figures = [nothing.average, nothing.on_base, nothing.slugging, nothing.on_base_plus_slugging]
    figures += [nothing.isolated_power, nothing.average_in_play]
    assert {figure_text(figure) for figure in figures} == {"-"}


def test_who_only_walks_is_on_base_without_an_average():
    walks = line_of(["BB", "IBB", "HBP"])
    assert (walks.plate_appearances, walks.at_bats) == (3, 0)
    assert [
        figure_text(walks.average),
        figure_text(walks.on_base),
        figure_text(walks.on_base_plus_slugging),
    ] == [
        "-",
        "1.000",
        "-",
    ]


@pytest.mark.parametrize(
    ("result", "at_bats", "hits", "bases", "in_on_base"),
    [
        ("1B", 1, 1, 1, 1),
        ("2B", 1, 1, 2, 1),
        ("3B", 1, 1, 3, 1),
        ("HR", 1, 1, 4, 1),
        *((out, 1, 0, 0, 1) for out in ("K", "OUT", "FO", "GO", "LO", "PO", "DP", "FC", "E")),
        *((free, 0, 0, 0, 1) for free in ("BB", "IBB", "HBP")),
        ("SF", 0, 0, 0, 1),
        ("SH", 0, 0, 0, 0),
        ("CI", 0, 0, 0, 0),
    ],
)
def test_what_each_result_counts_for(result, at_bats, hits, bases, in_on_base):
    line = line_of([result])
    assert (line.plate_appearances, line.at_bats, line.hits, line.total_bases) == (1, at_bats, hits, bases)
    assert (line.on_base is not None) == bool(in_on_base)


def test_sacrifice_flies_bring_on_base_below_the_average():
    team = line_of(["1B"] * 5 + ["OUT"] * 5 + ["SF"] * 2)
    assert (figure_text(team.average), figure_text(team.on_base)) == (".500", ".417")


def test_power_and_average_in_play():
    line = line_of(["HR", "2B", "1B", "K", "GO", "SF"])
    assert figure_text(line.isolated_power) == ".800"
    assert figure_text(line.average_in_play) == ".500"


@given(st.lists(st.sampled_from(RESULTS)), st.lists(st.sampled_from(RESULTS)))
def test_lines_add_up_in_any_order(one, other):
    together = line_of(one) + line_of(other)
    assert together == line_of([*other, *one]) == line_of(sorted([*one, *other]))
    assert together.plate_appearances == len(one) + len(other)
