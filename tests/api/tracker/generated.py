"""Generated requests about softball: what their schema cannot say, and a team that they are about."""

from typing import Any
from uuid import uuid4

from schemathesis import Case

from core.dynamo.transactions import Transaction, commit
from tests.cast import CAST
from tests.tracker import club
from tracker import repository
from tracker.games.models import Game, Season
from tracker.people import services as people
from tracker.roster.models import Player
from tracker.rules import box_scores
from tracker.scoring.models import AtBat
from tracker.teams.models import MANAGER, Team
from tracker.teams.services.teams import put_team

# The ids of what there is, by the names of parameters; of a game with a play and of one that is planned.
IDS = {
    "team": "team-of-this-test",
    "player": "player-of-this-test",
    "season": "season-of-this-test",
    "game": "game-of-this-test",
    "at_bat": "play-of-this-test",
    "user": CAST["member"].sub,
    "key": "me",
}
# Fields that go together with others, or with what is stored.
LEFT_OUT = {
    *("endsOn", "isDoubleZero", "positions", "seasonId", "phoneNumber", "email", "chargedTo", "runners"),
    *("rbis", "teamId", "inviteId"),
}


def make_softball() -> None:
    """A team of the administrator, which the member manages, with one of everything."""
    admin, member = CAST["admin"], CAST["member"]
    for person in (admin, member):
        people.open_profile(person)
    actor = admin.actor
    transaction = Transaction()
    team = Team.about(IDS["team"], name="Feldkamp Falcons", owner_id=admin.sub)
    put_team(transaction, team, people.own_profile(admin), player_id="owner-of-this-test", actor=actor)
    transaction.commit()
    club.join(member, team, MANAGER, actor=admin)
    repository.players.create(Player.about(team.id, IDS["player"], first_name="Ada"), actor=actor)
    repository.seasons.create(Season.about(team.id, IDS["season"], name="Spring"), actor=actor)
    game = repository.games.create(Game.about(IDS["game"], team_id=team.id), actor=actor)
    at_bat = AtBat.in_game(game, IDS["at_bat"], player_id=IDS["player"], number=1, result="1B")
    repository.at_bats.create(at_bat, actor=actor)
    commit(*repository.boxes.replace(box_scores.stored_box(game, [at_bat], revision=1), seen=None))


def of_softball(case: Case) -> None:
    """Most requests are about what there is; forms strip texts, and know which fields go together."""
    for name, value in (case.path_parameters or {}).items():
        if name in IDS and len(str(value)) % 4:
            case.path_parameters[name] = IDS[name]
    if case.headers and "Idempotency-Key" in case.headers:
        # An empty one is as none.
        case.headers["Idempotency-Key"] = str(uuid4())
    if not isinstance(case.body, dict):
        return
    body = case.body
    if case.path.endswith("/invitations"):
        body.setdefault("role", "scorekeeper")
    for name in body.keys() & LEFT_OUT:
        del body[name]
    for name, value in list(body.items()):
        body[name] = _possible(case.path, name, value)
    if case.path.endswith("/status") and "status" in body:
        body |= {"teamScore": 1, "opponentScore": 1, "scheduledStart": "2026-05-09T13:00:00Z"}
    elif "/games" in case.path:
        for name in body.keys() & {"teamScore", "opponentScore"}:
            del body[name]
    if "/invitations/" in case.path and not body.get("token"):
        body["token"] = "none"
    if case.path.endswith("/opponent/{inning}"):
        case.path_parameters["inning"] = 1


def _possible(path: str, name: str, value: Any) -> Any:
    if name == "result" and isinstance(value, str):
        return "1B"
    if name == "role" and path.endswith("/invitations"):
        return "scorekeeper"
    if name == "ownerId" and isinstance(value, str):
        return CAST["member"].sub
    if name == "playerId" and isinstance(value, str):
        return IDS["player"]
    if name == "lineup" and isinstance(value, list):
        return []
    if name == "scheduledStart" and isinstance(value, str):
        return "2026-05-09T13:00:00Z"
    if name == "runs" and value is None:
        return 0
    if isinstance(value, str) and name not in ("startsOn", "token"):
        return "".join(letter if letter.isascii() and letter.isalpha() else "x" for letter in value)
    return value
