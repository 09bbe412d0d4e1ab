"""Events, teams and matches in keys."""

import pytest

from core.dynamo.errors import Invalid
from scouting import keys


@pytest.mark.parametrize(
    ("typed", "key"), [(" 254 ", "254"), ("254b", "254B"), ("frc1796", "1796"), ("25599", "25599")]
)
def test_a_team_is_written_in_one_way(typed, key):
    assert keys.team_key(typed) == key


@pytest.mark.parametrize("typed", ["", "0", "025", "25600", "254BB", "B", "12 34", "1٢"])
def test_what_is_no_team_is_refused(typed):
    with pytest.raises(Invalid):
        keys.team_key(typed)


@pytest.mark.parametrize("typed", ["2026mndu", "2024nytr", "2026worldsprac"])
def test_an_event_carries_its_year(typed):
    assert keys.event_key(f" {typed.upper()} ") == typed


def test_other_programs_store_an_event_without_its_year():
    assert keys.event_key(" MNDU ") == "mndu"
    with pytest.raises(Invalid):
        keys.full_event_key("mndu")


@pytest.mark.parametrize("typed", ["", "2026", "2026m", "2026mn-du", "26mndu", "2026averylongevent"])
def test_what_is_no_event_is_refused(typed):
    with pytest.raises(Invalid):
        keys.event_key(typed)


def test_teams_sort_by_number_then_letter():
    teams = ["2053", "254B", "20", "1796", "254", "254A"]
    assert sorted(teams, key=keys.team_order) == ["20", "254", "254A", "254B", "1796", "2053"]


def test_matches_sort_as_text_like_their_numbers():
    assert sorted(map(keys.of_match, [60, 9, 1000, 1])) == [
        "MATCH#0001",
        "MATCH#0009",
        "MATCH#0060",
        "MATCH#1000",
    ]
