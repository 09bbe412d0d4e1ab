"""The pick list by the API."""

import pytest

from tests.api.programs import pointers
from tests.racing import let_go
from tests.scouting import field
from tests.scouting.field import KEY, LEAD, TEAMS

ADDRESS = f"team-selection/{KEY}"


@pytest.fixture
def lead(program):
    field.event()
    return program("scout-lead")


def order(*picks):
    return {"teams": [{"teamNumber": team, "columnId": column} for team, column in picks]}


def column(answer, name):
    return [pick["teamNumber"] for pick in answer.json()["teams"] if pick["columnId"] == name]


def test_before_the_first_save_all_teams_are_unsorted(lead):
    answer = lead.get(ADDRESS)
    assert sorted(column(answer, "unsorted")) == sorted(TEAMS)
    assert (answer["ETag"], answer.json()["version"], answer.json()["savedBy"]) == ('"0"', 0, None)
    assert {
        "teamNumber": "20",
        "teamName": "Robots 20",
        "rank": 1,
        "columnId": "unsorted",
        "taken": False,
    } in (answer.json()["teams"])


def test_an_order_is_saved_by_who_has_seen_the_last_one(lead):
    first = lead.put(ADDRESS, order(("101", "r1"), ("20", "r1"), ("102", "dnp")), if_match='"0"')
    assert (first.status_code, column(first, "r1"), column(first, "dnp")) == (200, ["101", "20"], ["102"])
    assert first.json()["savedBy"] == LEAD.name
    assert lead.get(ADDRESS).json() == first.json()
    assert lead.put(ADDRESS, order(("20", "r1"))).status_code == 428
    assert lead.put(ADDRESS, order(("20", "r1")), if_match='"0"').status_code == 412
    second = lead.put(ADDRESS, order(("20", "r1")), if_match=first["ETag"])
    assert (second.status_code, column(second, "r1"), column(second, "dnp")) == (200, ["20"], [])


def test_a_save_that_is_sent_twice_is_made_once(lead):
    sent = {"if_match": '"0"', "idempotency_key": "save"}
    first = lead.put(ADDRESS, order(("20", "r1")), **sent)
    again = lead.put(ADDRESS, order(("20", "r1")), **sent)
    assert (again.status_code, again.json()) == (200, first.json())
    assert lead.put(ADDRESS, order(("20", "r2")), **sent).status_code == 422


def test_a_team_is_taken_and_free_again_at_once(lead):
    assert taken(lead.put(f"{ADDRESS}/taken/20")) == ["20"]
    assert taken(lead.put(f"{ADDRESS}/taken/20")) == ["20"]
    assert taken(lead.get(ADDRESS)) == ["20"]
    assert taken(lead.delete(f"{ADDRESS}/taken/20")) == []


def test_teams_that_many_take_at_the_same_moment_are_all_taken(lead):
    answers = let_go(lambda number: lead.put(f"{ADDRESS}/taken/{TEAMS[number]}").status_code, 6)
    assert answers == [200] * 6
    assert len(taken(lead.get(ADDRESS))) == 6


def test_a_save_does_not_free_a_taken_team(lead):
    lead.put(f"{ADDRESS}/taken/20")
    etag = lead.get(ADDRESS)["ETag"]
    assert taken(lead.put(ADDRESS, order(("101", "r1")), if_match=etag)) == ["20"]


def test_ranks_are_told_anew_although_the_list_is_the_same(lead):
    etag = lead.get(ADDRESS)["ETag"]
    assert lead.get(ADDRESS, if_none_match=etag).status_code == 200


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/body/teams"),
        (order(("20", "r4")), "/body/teams/0/columnId"),
        (order(("abc", "r1")), "/body/teams/0/teamNumber"),
        ({"teams": [{"teamNumber": "20", "columnId": "r1", "taken": True}]}, "/body/teams/0/taken"),
        ({"teams": [], "savedBy": "Someone"}, "/body/savedBy"),
    ],
)
def test_each_wrong_field_is_named(lead, body, pointer):
    answer = lead.put(ADDRESS, body, if_match='"0"')
    assert (answer.status_code, pointers(answer)) == (400, [pointer])


@pytest.mark.parametrize("address", ["team-selection/2026nope", "team-selection/nothing"])
def test_there_is_no_list_without_an_event(lead, address):
    assert lead.get(address).status_code == 404
    assert lead.put(address, order(), if_match='"0"').status_code == 404


def test_only_a_team_of_the_list_is_taken(lead):
    assert lead.put(f"{ADDRESS}/taken/9999").status_code == 400
    assert lead.put(f"{ADDRESS}/taken/nobody").status_code == 404


def test_scouts_have_no_part_in_it(lead, program):
    scout = program("scout")
    assert scout.get(ADDRESS).status_code == 403
    assert scout.put(ADDRESS, order(), if_match='"0"').status_code == 403
    assert scout.put(f"{ADDRESS}/taken/20").status_code == 403


def taken(answer):
    assert answer.status_code == 200
    return [pick["teamNumber"] for pick in answer.json()["teams"] if pick["taken"]]
