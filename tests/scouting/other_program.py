"""Two hundred items as the document of SuperAlliance shows them, written without our code."""

from typing import Any
from uuid import NAMESPACE_URL, uuid5

from scouting.forms.models import CommentForm, PitForm, StandForm
from scouting.selection.models import TeamSelection
from scouting.settings.models import Settings
from tests.other_programs import RawItem, store

EVENT = "2025mndu"
# The event code has no year there, so this is what most of its items have.
CODE = "wiapp"
TEAMS = (20, 254, 2053, 7028, 70, 930, 1259, 2169, 3130, 5172)
TABLES = {
    "stand": StandForm.Meta.table_name,
    "pit": PitForm.Meta.table_name,
    "comment": CommentForm.Meta.table_name,
    "selection": TeamSelection.Meta.table_name,
    "config": Settings.Meta.table_name,
}
ANSWERS = {
    "leave": True,
    **{f"autoCoralL{level}": level - 1 for level in (1, 2, 3, 4)},
    **{f"teleopCoralL{level}": level for level in (1, 2, 3, 4)},
    "autoAlgaeProcessor": 0,
    "autoAlgaeNet": 1,
    "teleopAlgaeProcessor": 2,
    "teleopAlgaeNet": None,
}
PIT_ANSWERS = {
    "notDo": "Climb",
    "protectedElectronics": True,
    "batterySecured": True,
    "highCenterOfMass": False,
    "coralStuck": False,
    "pickupGround": True,
    "pickupSource": False,
    "pickupOther": False,
    "pickupOtherExplain": None,
    "idealAuto": "Three coral",
    "strongestValue": "",
    "weakestValue": None,
    "extraComments": "",
    "robotRating": 4,
}


def about(kind: str, event: str, team: int, number: int) -> dict[str, Any]:
    at = f"2025-03-{1 + number % 27:02d}T17:{number % 60:02d}:{team % 60:02d}.{number % 1000:03d}Z"
    return {
        "entity": f"{kind.title()}Form",
        "id": str(uuid5(NAMESPACE_URL, f"{kind} {event} {team} {number}")),
        "event": event,
        "teamNumber": team,
        "usersName": "Somebody Else",
        "createdAt": at,
        "updatedAt": at,
    }


def stand(event: str, team: int, match: int) -> dict[str, Any]:
    """A stand form of 2025: everything beside everything, the endgame as three checkboxes."""
    fields = about("stand", event, team, match)
    return {
        "PK": f"EVENT#{event}",
        "SK": f"TEAM#{team}#MATCH#{match}",
        "GSI1PK": f"TEAM#{team}",
        "GSI1SK": f"EVENT#{event}#MATCH#{match}",
        "GSI2PK": f"ID#{fields['id']}",
        **fields,
        "matchNumber": match,
        **ANSWERS,
        "park": match % 2 == 0,
        "shallowClimb": False,
        "deepClimb": match % 2 == 1,
        "criticals": ["Robot Died"] if match == 3 else [],
        "comments": "Fast" if match == 4 else None,
        "strategy": "",
        "rpEarned": 3,
        "defendedAgainst": False,
        "defense": True,
        "win": True,
    }


def pit(event: str, team: int) -> dict[str, Any]:
    keys = {"PK": f"EVENT#{event}", "SK": f"TEAM#{team}"}
    keys |= {"GSI1PK": f"TEAM#{team}", "GSI1SK": f"EVENT#{event}"}
    picture = f"https://robots.example/{event}/{team}.jpg"
    return keys | about("pit", event, team, 1) | PIT_ANSWERS | {"robotImage": picture}


def comment(event: str, team: int, number: int) -> dict[str, Any]:
    fields = about("comment", event, team, number) | {"comments": f"Comment {number}"}
    time = f"CREATED#{fields['createdAt']}"
    return {
        "PK": f"EVENT#{event}#TEAM#{team}",
        "SK": time,
        "GSI1PK": f"TEAM#{team}",
        "GSI1SK": time,
        **fields,
    }


def selection(event: str) -> dict[str, Any]:
    columns = ("r1", "unsorted", "r2", "r3")
    teams = [
        {
            "id": str(team),
            "columnId": columns[number % 4],
            "teamNumber": team,
            "teamName": f"Robots {team}",
            "rank": number + 1,
        }
        for number, team in enumerate(TEAMS)
    ]
    common = {name: about("", event, 1, 1)[name] for name in ("createdAt", "updatedAt")}
    return {
        "PK": "SELECTION",
        "SK": f"EVENT#{event}",
        "entity": "TeamSelection",
        "event": event,
        "teams": teams,
        **common,
    }


def config(year: str, event: str) -> dict[str, Any]:
    common = {name: about("", event, 1, 1)[name] for name in ("createdAt", "updatedAt")}
    return {"PK": "CONFIG", "SK": year, "entity": "Config", "event": event, **common}


def items() -> dict[str, list[dict[str, Any]]]:
    """By table: 200 items at two events."""
    events = (EVENT, CODE)
    return {
        "stand": [stand(event, team, match) for event in events for team in TEAMS for match in range(2, 8)],
        "pit": [pit(event, team) for event in events for team in TEAMS],
        "comment": [
            comment(event, team, number) for event in events for team in TEAMS[:7] for number in (1, 2, 3, 4)
        ],
        "selection": [selection(event) for event in events],
        "config": [config("YEAR#2025", CODE), config("DEFAULT", CODE)],
    }


def write() -> dict[str, list[RawItem]]:
    """All of them, straight into the tables."""
    return {kind: store(TABLES[kind], values) for kind, values in items().items()}
