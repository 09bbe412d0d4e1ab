"""Two hundred items as the document of HackTracker shows them, written without our code."""

from collections.abc import Mapping
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from core.dynamo import maintenance
from tests.other_programs import RawItem, item, store
from tracker.items import Row

TABLE = Row.Meta.table_name
TEAMS, PLAYERS, GAMES = 5, 12, 20
STAMPS = {"createdAt": "2025-10-25T12:00:00.000Z", "updatedAt": "2025-10-25T12:00:00.000Z"}
STATUSES = ("SCHEDULED", "FINAL", "POSTPONED")
POSITIONS = ("P", "C", "1B", "2B", "3B", "SS", "OF", "OF", "OF", "DH", "UTIL", "OF")


def uuid(*parts: object) -> str:
    return str(uuid5(NAMESPACE_URL, " ".join(map(str, parts))))


def user(number: int) -> dict[str, Any]:
    """The first ones own the teams."""
    user_id = uuid("user", number)
    return {
        "PK": f"USER#{user_id}",
        "SK": "METADATA",
        "userId": user_id,
        "email": f"person{number}@example.com",
        "firstName": "John",
        "lastName": f"Doe{number}",
        "phoneNumber": None if number % 2 else "+15555551234",
        **STAMPS,
        "GSI1PK": f"COGNITO#{user_id}",
        "GSI1SK": "USER",
        "GSI2PK": "ENTITY#USER",
        "GSI2SK": f"METADATA#{user_id}",
    }


def team(number: int) -> dict[str, Any]:
    team_id = uuid("team", number)
    return {
        "PK": f"TEAM#{team_id}",
        "SK": "METADATA",
        "teamId": team_id,
        "name": f"Seattle Sluggers {number}",
        "description": "Best team in Seattle",
        "ownerId": uuid("user", number),
        "team_type": "MANAGED",
        **STAMPS,
        "GSI2PK": "ENTITY#TEAM",
        "GSI2SK": f"METADATA#{team_id}",
    }


def membership(number: int) -> dict[str, Any]:
    """The owners, and after them a scorekeeper of each team."""
    user_id, team_id = uuid("user", number), uuid("team", number % TEAMS)
    return {
        "PK": f"USER#{user_id}",
        "SK": f"TEAM#{team_id}",
        "userId": user_id,
        "teamId": team_id,
        "role": "owner" if number < TEAMS else "scorekeeper",
        "status": "active",
        "joinedAt": STAMPS["createdAt"],
        "invitedBy": None if number < TEAMS else uuid("user", number % TEAMS),
    }


def player(team: int, number: int) -> dict[str, Any]:
    """The first one is the owner, the others are ghosts."""
    team_id, player_id, is_owner = uuid("team", team), uuid("player", team, number), number == 0
    return {
        "PK": f"TEAM#{team_id}",
        "SK": f"PLAYER#{player_id}",
        "playerId": player_id,
        "teamId": team_id,
        "firstName": "John",
        "lastName": f"Doe{number}" if number % 3 else None,
        "playerNumber": number + 1,
        "positions": [POSITIONS[number]],
        "status": "inactive" if number == PLAYERS - 1 else "active",
        "isGhost": not is_owner,
        "userId": uuid("user", team) if is_owner else None,
        **({"linkedAt": STAMPS["createdAt"]} if is_owner else {}),
        **STAMPS,
    }


def game(team: int, number: int, **more: Any) -> dict[str, Any]:
    """The line-up has ids of players in batting order."""
    team_id, game_id, status = uuid("team", team), uuid("game", team, number), STATUSES[number % 3]
    return {
        "PK": f"GAME#{game_id}",
        "SK": "METADATA",
        "gameId": game_id,
        "teamId": team_id,
        "status": status,
        "scheduledStart": f"2026-11-{1 + number:02d}T19:30:00.000Z",
        "opponentName": f"Portland Pioneers {number}",
        "location": "Lincoln Park Field 3",
        "teamScore": number if status == "FINAL" else 0,
        "opponentScore": 3 if status == "FINAL" else 0,
        "lineup": [uuid("player", team, each) for each in range(9)] if number % 2 else [],
        **STAMPS,
        "GSI2PK": "ENTITY#GAME",
        "GSI2SK": f"METADATA#{game_id}",
        "GSI3PK": f"TEAM#{team_id}",
        "GSI3SK": f"GAME#{game_id}",
        **more,
    }


def items() -> dict[str, list[dict[str, Any]]]:
    """20 people, 5 teams with 15 members, 60 players and 100 games."""
    return {
        "tracker-user": [user(number) for number in range(20)],
        "tracker-team": [team(number) for number in range(TEAMS)],
        "membership": [membership(number) for number in range(3 * TEAMS)],
        "player": [player(team, number) for team in range(TEAMS) for number in range(PLAYERS)],
        "tracker-game": [game(team, number) for team in range(TEAMS) for number in range(GAMES)],
    }


def write() -> dict[str, list[RawItem]]:
    """All of them, straight into the table."""
    return {kind: store(TABLE, values) for kind, values in items().items()}


def update(raw: RawItem, expression: str, values: Mapping[str, Any], **options: Any) -> None:
    maintenance.request(
        "UpdateItem",
        TableName=TABLE,
        Key={name: raw[name] for name in ("PK", "SK")},
        UpdateExpression=expression,
        ExpressionAttributeValues=item(values),
        **options,
    )
