"""The settings of a year and the games by the API."""

import pytest

from scouting.games import definition
from tests.api.programs import pointers
from tests.scouting import field
from tests.scouting.field import KEY


@pytest.fixture
def lead(program):
    field.exist(KEY, "2026other")
    return program("scout-lead")


def test_the_first_settings_of_a_year_are_version_zero(lead):
    answer = lead.get("config/2026")
    assert (answer.status_code, answer["ETag"]) == (200, '"0"')
    assert answer.json() | {"year": 2026, "event": "none", "locked": False, "gameYear": None} == answer.json()


def test_the_event_is_chosen_and_everybody_who_scouts_sees_it(lead, program):
    saved = lead.put("config/2026", {"event": KEY, "locked": True}, if_match='"0"')
    assert (saved.status_code, saved.json()["event"], saved.json()["locked"]) == (200, KEY, True)
    assert (saved.json()["isCurrent"], lead.get("config/2026").json()) == (True, saved.json())
    seen = program("scout").get("config")
    assert (seen.status_code, seen.json()) == (200, saved.json())


def test_settings_are_changed_by_who_has_seen_the_last_ones(lead):
    first = lead.put("config/2026", {"event": KEY}, if_match='"0"')
    assert lead.put("config/2026", {"event": "none"}).status_code == 428
    assert lead.put("config/2026", {"event": "none"}, if_match='"0"').status_code == 412
    second = lead.put("config/2026", {"event": "none"}, if_match=first["ETag"])
    assert (second.status_code, second.json()["event"]) == (200, "none")


def test_a_save_that_is_sent_twice_is_made_once(lead):
    sent = {"if_match": '"0"', "idempotency_key": "save"}
    first = lead.put("config/2026", {"event": KEY}, **sent)
    again = lead.put("config/2026", {"event": KEY}, **sent)
    assert (again.status_code, again.json()) == (200, first.json())


@pytest.mark.parametrize(
    ("year", "body", "pointer"),
    [
        (2026, {}, "/body/event"),
        (2026, {"event": "nothing"}, "/body/event"),
        (2026, {"event": "none", "locked": True}, "/body/event"),
        (2026, {"event": "none", "gameYear": 1999}, "/body/gameYear"),
        (2026, {"event": "none", "gameYear": "2026"}, "/body/gameYear"),
        (1999, {"event": "none"}, "/body/gameYear"),
        (2026, {"event": "none", "year": 2025}, "/body/year"),
    ],
)
def test_each_wrong_field_is_named(lead, year, body, pointer):
    answer = lead.put(f"config/{year}", body, if_match='"0"')
    assert (answer.status_code, pointers(answer)) == (400, [pointer])


def test_an_event_that_does_not_exist_is_not_chosen(lead):
    assert lead.put("config/2026", {"event": "2026nope"}, if_match='"0"').status_code == 404


def test_a_game_is_told_as_its_file_is_written(lead, program):
    answer = program("scout").get("games/2026")
    assert (answer.status_code, answer.json()) == (200, definition.to_json(definition.shipped(2026)))
    assert lead.get("games/1999").status_code == 404


def test_only_leads_choose(lead, program):
    scout = program("scout")
    assert scout.get("config/2026").status_code == 403
    assert scout.put("config/2026", {"event": KEY}, if_match='"0"').status_code == 403
    assert program("member").get("config").status_code == 403


@pytest.mark.parametrize("year", [20260, 26])
def test_a_year_has_four_digits(lead, year):
    assert lead.get(f"config/{year}").status_code == 404
    assert lead.put(f"config/{year}", {"event": "none", "gameYear": 2026}, if_match='"0"').status_code == 404


def test_whether_a_year_is_the_current_one_is_told_anew(lead):
    etag = lead.put("config/2026", {"event": "none"}, if_match='"0"')["ETag"]
    lead.put("config/2025", {"event": "none"}, if_match='"0"')
    again = lead.get("config/2026", if_none_match=etag)
    assert (again.status_code, again.json()["isCurrent"]) == (200, False)
