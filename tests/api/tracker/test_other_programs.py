"""People, teams, players and games that hold only what their document names, written by another program."""

import json

import pytest

from core.dynamo.attributes import wrap
from core.dynamo.connection import connection
from tests.api.tracker.conftest import OWNER
from tracker.items import Row

TRACKER = "/api/v1/tracker"
TIMES = {"createdAt": "2025-10-25T12:00:00.000Z", "updatedAt": "2025-10-25T12:00:00.000Z"}
USER = {
    "userId": OWNER.sub,
    "email": "john.doe@example.com",
    "firstName": "John",
    "lastName": "Doe",
    "phoneNumber": "+15555551234",
    **TIMES,
}
TEAM = {
    "teamId": "a6f27724",
    "name": "Seattle Sluggers",
    "description": "Best team in Seattle",
    "ownerId": OWNER.sub,
    "team_type": "MANAGED",
    **TIMES,
}
MEMBERSHIP = {
    "userId": OWNER.sub,
    "teamId": "a6f27724",
    "role": "owner",
    "status": "active",
    "joinedAt": "2025-10-25T12:00:00.000Z",
    "invitedBy": None,
}
PLAYER = {
    "playerId": "b7e38835",
    "teamId": "a6f27724",
    "firstName": "John",
    "lastName": "Doe",
    "playerNumber": 12,
    "positions": ["SS", "2B"],
    "status": "active",
    "isGhost": False,
    "userId": OWNER.sub,
    "linkedAt": "2025-10-25T12:00:00.000Z",
    **TIMES,
}
GAME = {
    "gameId": "c8d39946",
    "teamId": "a6f27724",
    "status": "SCHEDULED",
    "scheduledStart": "2025-11-01T19:30:00.000Z",
    "opponentName": "Portland Pioneers",
    "location": "Lincoln Park Field 3",
    "teamScore": 0,
    "opponentScore": 0,
    "lineup": [],
    **TIMES,
}


def store(pk, sk, item, **index):
    stored = {"PK": pk, "SK": sk, **item, **index}
    raw = {name: wrap(value) for name, value in stored.items()}
    connection().dispatch("PutItem", {"TableName": Row.Meta.table_name, "Item": raw})


@pytest.fixture(autouse=True)
def _stored(db):
    store(f"USER#{OWNER.sub}", "METADATA", USER, GSI1PK=f"COGNITO#{OWNER.sub}", GSI1SK="USER")
    store(f"USER#{OWNER.sub}", "TEAM#a6f27724", MEMBERSHIP)
    store("TEAM#a6f27724", "METADATA", TEAM, GSI2PK="ENTITY#TEAM", GSI2SK="METADATA#a6f27724")
    store("TEAM#a6f27724", "PLAYER#b7e38835", PLAYER)
    store("GAME#c8d39946", "METADATA", GAME, GSI3PK="TEAM#a6f27724", GSI3SK="GAME#c8d39946")


@pytest.mark.parametrize(
    ("address", "item"),
    [
        ("users/me", USER),
        ("teams/a6f27724", TEAM),
        ("teams/a6f27724/players/b7e38835", PLAYER),
        ("games/c8d39946", GAME),
    ],
)
def test_an_item_is_told_as_it_is_and_changed_over_version_0(owner, address, item):
    told = owner.get(f"{TRACKER}/{address}")
    assert told.json() | item == told.json()
    assert (told["ETag"], told.json()["version"]) == ('"0"', None)
    name = next(each for each in ("firstName", "name", "location") if each in item)
    changed = owner.put(f"{TRACKER}/{address}", {name: "Changed"}, if_match='"0"')
    assert changed.status_code == 200
    assert changed.json() | {**item, name: "Changed", "updatedAt": ""} == changed.json() | {"updatedAt": ""}


def test_they_are_listed(owner):
    assert [each["name"] for each in owner.get(f"{TRACKER}/teams").json()] == ["Seattle Sluggers"]
    (player,) = owner.get(f"{TRACKER}/teams/a6f27724/players").json()
    assert json.dumps(player | PLAYER, sort_keys=True) == json.dumps(player, sort_keys=True)
    (game,) = owner.get(f"{TRACKER}/teams/a6f27724/games").json()
    assert game | GAME == game
