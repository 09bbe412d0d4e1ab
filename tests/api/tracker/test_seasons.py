"""Seasons and their rules by the API."""

from datetime import date

import pytest

from tests.api.programs import pointers
from tests.api.tracker.conftest import OWNER
from tests.tracker.season import season_of
from tracker.games.services import games

USUAL = {
    "innings": 7,
    "runAhead": [],
    "tieBreakerFrom": None,
    "homeRunLimit": None,
    "homeRunAboveLimit": "OUT",
    "runLimit": None,
    "emptyPlace": "skip",
    "fewestBatters": 8,
    "timeLimit": None,
}


def address(team, season=None, more=""):
    of_team = f"/api/v1/tracker/teams/{team.id}/seasons"
    return f"{of_team}/{season}{more}" if season else of_team + more


def test_a_season_is_made_once_with_the_rules_that_are_named(team, manager):
    sent = {"name": "Spring", "startsOn": "2026-03-01", "endsOn": "2026-06-30"}
    sent["rules"] = {"runAhead": [{"inning": 5, "lead": 10}, {"inning": 3, "lead": 15}], "homeRunLimit": 0}
    first, again = (manager.post(address(team), sent, idempotency_key="spring") for _time in range(2))
    assert (first.status_code, again.status_code, again.json()) == (201, 200, first.json())
    told = first.json()
    assert told == {
        "seasonId": told["seasonId"],
        "teamId": team.id,
        "name": "Spring",
        "startsOn": "2026-03-01",
        "endsOn": "2026-06-30",
        "rules": USUAL
        | {"runAhead": [{"inning": 3, "lead": 15}, {"inning": 5, "lead": 10}], "homeRunLimit": 0},
        **{name: told[name] for name in ("createdAt", "updatedAt", "version")},
    }
    assert first["Location"] == address(team, told["seasonId"])
    assert manager.get(first["Location"]).json() == told


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"name": ""}, "/body/name"),
        ({"startsOn": "1 March"}, "/body/startsOn"),
        ({"startsOn": "2026-07-01", "endsOn": "2026-06-30"}, "/body/endsOn"),
        ({"rules": {"innings": 0}}, "/body/rules/innings"),
        ({"rules": {"innings": 16}}, "/body/rules/innings"),
        ({"rules": {"runAhead": [{"inning": 3}]}}, "/body/rules/runAhead/0/lead"),
        ({"rules": {"homeRunAboveLimit": "2B"}}, "/body/rules/homeRunAboveLimit"),
        ({"rules": {"mercy": True}}, "/body/rules/mercy"),
        ({"teamId": "another"}, "/body/teamId"),
    ],
)
def test_what_is_wrong_in_a_season_is_named(team, owner, wrong, pointer):
    answer = owner.post(address(team), {"name": "Spring"} | wrong)
    assert (answer.status_code, pointers(answer)) == (400, [pointer])


def test_what_is_left_out_of_a_change_stays_also_of_the_rules(team, owner):
    made = owner.post(address(team), {"name": "Spring", "rules": {"innings": 5, "homeRunLimit": 6}})
    changed = owner.put(made["Location"], {"rules": {"homeRunLimit": None}}, if_match=made["ETag"])
    assert changed.json()["name"] == "Spring"
    assert changed.json()["rules"] == USUAL | {"innings": 5}
    assert owner.put(made["Location"], {"name": "Late"}, if_match=made["ETag"]).status_code == 412
    assert owner.put(made["Location"], {"name": "Late"}).status_code == 428


def test_seasons_are_listed_the_latest_first(team, player):
    for name, day in (("Spring", date(2026, 3, 1)), ("Autumn", date(2026, 9, 1))):
        season_of(team, name, actor=OWNER, starts_on=day)
    season_of(team, "Some time", actor=OWNER)
    listed = player.get(address(team)).json()
    assert [each["name"] for each in listed] == ["Autumn", "Spring", "Some time"]
    assert listed[0]["rules"] == USUAL
    first = player.get(address(team, more="?limit=1&fields=name")).json()
    second = player.get(address(team, more=f"?limit=1&fields=name&nextToken={first['nextToken']}")).json()
    assert first["items"] + second["items"] == [{"name": "Autumn"}, {"name": "Spring"}]


def test_a_season_without_games_is_deleted_and_restored(team, owner):
    made = owner.post(address(team), {"name": "Spring"})
    game = games.create(OWNER, team.id, {"season_id": made.json()["seasonId"]})
    assert owner.delete(made["Location"]).status_code == 409
    games.edit(OWNER, game.id, {"season_id": None})
    assert owner.delete(made["Location"], if_match='"1"').status_code == 412
    assert owner.delete(made["Location"]).status_code == 204
    assert owner.get(made["Location"]).status_code == 404
    for _time in range(2):
        back = owner.post(made["Location"] + "/restore", idempotency_key="back")
        assert (back.status_code, back.json()["name"]) == (200, "Spring")


def test_only_owners_and_managers_change_seasons(team, scorekeeper, player):
    season = season_of(team, actor=OWNER)
    for program in (scorekeeper, player):
        assert program.get(address(team, season.id)).status_code == 200
        assert program.post(address(team), {"name": "Mine"}).status_code == 403
        assert program.put(address(team, season.id), {"name": "Mine"}, if_match='"1"').status_code == 403
        assert program.delete(address(team, season.id)).status_code == 403
        assert program.post(address(team, season.id, "/restore")).status_code == 403
