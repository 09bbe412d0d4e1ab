"""Two orders of a pick list become one: what each lead moved is there, and only a real clash is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scouting.selection.merge import MINE, SORTED, THEIRS, Merge, merged
from scouting.selection.models import COLUMNS, DO_NOT_PICK, FIRST, SECOND, THIRD, UNSORTED

TEAMS = tuple("ABCDEFGH")


def order(**columns):
    """Columns as words, the rounds by their names: order(r1="A B")."""
    return {column: tuple(columns.get(column, "").split()) for column in SORTED}


def put(some, team, column, place=0):
    """As a lead puts a team to a place of a column, counted from 0."""
    found = {name: [each for each in teams if each != team] for name, teams in some.items()}
    if column != UNSORTED:
        found[column].insert(place, team)
    return {name: tuple(teams) for name, teams in found.items()}


BASE = order(r1="A B C", r2="D E", dnp="F")


# --- What is merged ---------------------------------------------------------------------------------------


def test_moves_of_different_teams_are_all_there():
    mine = put(put(BASE, "G", FIRST, 3), "D", DO_NOT_PICK, 1)
    theirs = put(put(BASE, "C", FIRST, 0), "H", SECOND, 2)
    assert merged(BASE, mine, theirs) == Merge(order(r1="C A B G", r2="E H", dnp="F D"))


def test_a_team_comes_behind_the_one_that_it_was_put_behind_wherever_that_is_now():
    mine = put(BASE, "G", FIRST, 1)
    theirs = put(put(BASE, "H", FIRST, 0), "C", UNSORTED)
    assert merged(BASE, mine, theirs) == Merge(order(r1="H A G B", r2="D E", dnp="F"))


def test_what_both_moved_alike_is_moved_once():
    both = put(BASE, "A", SECOND, 1)
    assert merged(BASE, put(both, "G", SECOND, 2), both) == Merge(order(r1="B C", r2="D A G E", dnp="F"))


def test_a_team_that_both_took_off_the_list_is_off_the_list():
    off = put(BASE, "B", UNSORTED)
    assert merged(BASE, off, off) == Merge(order(r1="A C", r2="D E", dnp="F"))


# --- What clashes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("winner", "column"), [(MINE, SECOND), (THEIRS, THIRD)])
def test_one_team_in_two_columns_clashes_and_the_winner_is_followed(winner, column):
    found = merged(BASE, put(BASE, "A", SECOND), put(BASE, "A", THIRD), winner=winner)
    assert found.clashes == ("A",)
    assert found.order == put(BASE, "A", column)


@pytest.mark.parametrize(("winner", "round_one"), [(MINE, "C A B D"), (THEIRS, "A C B D")])
def test_one_team_in_two_places_of_a_column_clashes(winner, round_one):
    base = order(r1="A B C D")
    found = merged(base, put(base, "C", FIRST, 0), put(base, "C", FIRST, 1), winner=winner)
    assert found.clashes == ("C",)
    assert found.order == order(r1=round_one)


@pytest.mark.parametrize(("winner", "round_one"), [(MINE, "G H A B C"), (THEIRS, "H G A B C")])
def test_two_teams_in_the_same_place_clash_and_both_stay(winner, round_one):
    found = merged(BASE, put(BASE, "G", FIRST), put(BASE, "H", FIRST), winner=winner)
    assert found.clashes == ("G", "H")
    assert found.order == order(r1=round_one, r2="D E", dnp="F")


def test_what_does_not_clash_is_taken_from_both_sides_whoever_wins():
    mine = put(put(BASE, "A", SECOND), "G", DO_NOT_PICK, 1)
    theirs = put(put(BASE, "A", THIRD), "H", SECOND, 2)
    for winner, column in ((MINE, SECOND), (THEIRS, THIRD)):
        found = merged(BASE, mine, theirs, winner=winner)
        assert found.clashes == ("A",)
        assert "G" in found.order[DO_NOT_PICK]
        assert found.order[SECOND][-1] == "H"
        assert "A" in found.order[column]


def test_two_teams_that_were_moved_to_a_place_in_different_order_clash():
    mine, theirs = order(r1="G H A B C", r2="D E", dnp="F"), order(r1="H G A B C", r2="D E", dnp="F")
    assert merged(BASE, mine, theirs) == Merge(mine, ("G", "H"))
    assert merged(BASE, mine, theirs, winner=THEIRS).order == theirs


# --- Whatever anybody moved -------------------------------------------------------------------------------


@st.composite
def orders(draw):
    teams = draw(st.permutations(TEAMS))
    columns = [draw(st.sampled_from(COLUMNS)) for _team in teams]
    return {
        column: tuple(team for team, where in zip(teams, columns, strict=True) if where == column)
        for column in SORTED
    }


@st.composite
def moves(draw, columns=COLUMNS):
    """A few moves: teams, columns and places."""
    column, place = st.sampled_from(columns), st.integers(0, 8)
    return draw(st.lists(st.tuples(st.sampled_from(TEAMS), column, place), max_size=4))


def after(some, steps):
    for step in steps:
        some = put(some, *step)
    return some


def teams_in(some):
    return [team for column in SORTED for team in some[column]]


def column_of(some, team):
    return next((column for column in SORTED if team in some[column]), UNSORTED)


@given(orders(), orders(), orders(), st.sampled_from([MINE, THEIRS]))
def test_nobody_is_lost_and_nobody_is_there_twice(base, mine, theirs, winner):
    found = merged(base, mine, theirs, winner=winner)
    listed = teams_in(found.order)
    assert len(listed) == len(set(listed))
    for team in TEAMS:
        before, here, there = (column_of(each, team) for each in (base, mine, theirs))
        # A team is where somebody put it; where nobody did, it stays.
        moved_to = {column for column in (here, there) if column != before}
        assert column_of(found.order, team) in (moved_to or {before})
        assert len(moved_to) < 2 or team in found.clashes


@given(orders(), orders())
def test_where_only_one_side_moved_anything_its_order_is_the_order(base, other):
    for one in (
        merged(base, other, base),
        merged(base, base, other),
        merged(base, other, other),
    ):
        assert one == Merge(other)


@given(orders(), moves(), moves())
def test_what_does_not_clash_is_the_same_whoever_comes_first(base, first, second):
    mine, theirs = after(base, first), after(base, second)
    one, other = merged(base, mine, theirs), merged(base, theirs, mine)
    assert set(one.clashes) == set(other.clashes)
    if not one.clashes:
        assert one.order == other.order
    assert one.order == merged(base, theirs, mine, winner=THEIRS).order


@given(orders(), moves([FIRST, SECOND]), moves([THIRD, DO_NOT_PICK]))
def test_moves_in_different_columns_are_as_if_one_lead_had_made_them_all(base, first, second):
    """The teams of each side stay within its two columns, so neither touches what the other sorts."""
    first = [step for step in first if column_of(base, step[0]) in (FIRST, SECOND)]
    second = [step for step in second if column_of(base, step[0]) in (THIRD, DO_NOT_PICK)]
    together = after(after(base, first), second)
    assert merged(base, after(base, first), after(base, second)) == Merge(together)


@given(orders(), moves(), moves())
def test_a_clash_that_was_settled_is_not_asked_about_again(base, first, second):
    """Whoever saw what others saved goes on from there: saving once more takes it as it is."""
    mine, theirs = after(base, first), after(base, second)
    for winner in (MINE, THEIRS):
        settled = merged(base, mine, theirs, winner=winner).order
        assert merged(theirs, settled, theirs) == Merge(settled)
