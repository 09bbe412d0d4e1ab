"""An example of each operation for the reference page: a command that can be copied into a shell.

What is different for everybody is a variable of the shell: $TOKEN, $ETAG, and the parameters of the path.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

Json = dict[str, Any]

# Values of parameters and fields by their names.
VALUES: Mapping[str, Any] = {
    "limit": 20,
    "q": "derby",
    "event": "2026mndu",
    "teamNumber": "254",
    "matchNumber": 3,
    "win": True,
    "teams": [{"teamNumber": "254", "columnId": "r1"}],
    "comments": "Drives calmly.",
    "title": "Derby on Saturday",
    "description": "Bring your friends, the hall opens at noon.",
    "name": "Falcons",
    "size": 120_000,
    "ticket": "$TICKET",
    "alt": "A spike at the net",
    "caption": "Derby won",
    "url": "https://social.example/@club/1",
    "timestamp": "2026-03-05T17:04:12Z",
    "type": "Image",
    "driver": "Maya Rosenthal",
    "from": "$DAY",
    "to": "$DAY",
    "walletAddress": "",
    "points": 2,
    "note": "For the cake at the tournament.",
    "notes": "Well done.",
    "text": "All nets are mended and the yarn is back in the box.",
    "reason": "Two of the nets still have holes in them.",
    "decision": "complete",
    "version": 1,
    "firstName": "Ada",
    "teamType": "MANAGED",
    "ownerId": "$OWNER",
    "role": "scorekeeper",
    "leaves": False,
    "opponentName": "Hawks",
    "status": "IN_PROGRESS",
    "winner": "own",
    "shared": True,
    "answer": "yes",
    "lineup": [],
    "battingOrder": 3,
    "playerId": "$PLAYER",
    "atBatId": "$AT_BAT",
    "result": "1B",
    "seen": 0,
    "runs": 2,
    "token": "$INVITATION_TOKEN",
    "notDo": "Climb",
}
# Of these schemas the example has other fields than those that are required.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "StandFormChange": ("comments",),
    "PitFormChange": ("notDo",),
    "EventBody": ("event", "name"),
    "ArticleChange": ("title",),
    "MediaFileChange": ("alt",),
    "AtBatChange": ("result",),
    "InvitationBody": ("role",),
    "AnsweredInvitation": ("token",),
    "GameBody": ("opponentName",),
    "GameChange": ("opponentName",),
    "SocialPostChange": ("caption",),
    "ClubEventChange": ("title",),
}
# $USER is somebody else in every shell.
VARIABLES = {"user": "PERSON"}


def command(path: str, method: str, operation: Json, schemas: Json) -> str:
    """The command that asks the operation."""
    parameters = operation["parameters"]
    body = example_body(operation, schemas)
    # curl sends a POST where there is a body.
    is_named = (method == "POST" and body is None) or method not in ("GET", "POST")
    words = ["curl", *(["-X", method] if is_named else [])]
    if operation.get("security"):
        words += ["-H", '"Authorization: Bearer $TOKEN"']
    if any(each["name"] == "If-Match" and each["required"] for each in parameters):
        words += ["-H", '"If-Match: $ETAG"']
    sent = [each["name"] for each in parameters if each["in"] == "query" and _is_shown(each)]
    query = urlencode({name: VALUES[name] for name in sent})
    in_path = {
        each["name"]: f"${VARIABLES.get(each['name'], each['name'].upper())}"
        for each in parameters
        if each["in"] == "path"
    }
    address = f'"$SITE{path.format(**in_path)}{"?" if query else ""}{query}"'
    if body is None:
        return f"{' '.join(words)} \\\n  {address}"
    return f"{' '.join(words)} \\\n  --json @- {address} <<JSON\n{json.dumps(body, indent=2)}\nJSON"


def example_body(operation: Json, schemas: Json) -> Json | None:
    """The fields that are required; of a change the first one that has a value here."""
    if "requestBody" not in operation:
        return None
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    # A body that may be left out has a default, and then its schema within.
    (referred,) = schema.get("allOf", (schema,))
    name = referred["$ref"].rpartition("/")[2]
    properties = [each for each in schemas[name]["properties"] if each in VALUES]
    fields = FIELDS.get(name) or schemas[name].get("required") or properties[:1]
    return {field: VALUES[field] for field in fields}


def _is_shown(parameter: Json) -> bool:
    return parameter["required"] or parameter["name"] in ("limit", "event")
