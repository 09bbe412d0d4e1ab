"""What waits for people, as Home tells it."""

from datetime import timedelta
from typing import Any

from django.test import Client

from core.dynamo.attributes import now
from core.dynamo.items import new_id
from tests.cast import CAST, sign_in
from tracker import repository as softball
from tracker.games.models import Game
from tracker.teams.models import MANAGER, PLAYER, SCOREKEEPER, Team

Told = tuple[str, str, str]
MODERATOR, OFFICIAL = CAST["moderator"], CAST["official"]
REASON = "Das Netz hat noch immer zwei Löcher."

OWNER = CAST["member"]
ROLES_IN_TEAM = {"moderator": MANAGER, "scout": SCOREKEEPER, "other-member": PLAYER}
YESTERDAY, TOMORROW = now() - timedelta(days=1), now() + timedelta(days=1)


def waiting_for(client: Client) -> list[Told]:
    """Title, badge and address of everything that Home and the request right after it tell."""
    home, later = client.get("/desk/").context["desk"], client.get("/desk/waiting").context["tasks"]
    tasks = [*home.waiting, *home.unfinished, *later]
    return [(str(task.title), str(task.badge), task.address) for task in tasks]


def told() -> dict[str, list[Told]]:
    """What waits, by role; roles for which nothing waits are left out."""
    found = {role: waiting_for(sign_in(Client(), role)) for role in CAST}
    return {role: tasks for role, tasks in found.items() if tasks}


def played(team: Team, **fields: Any) -> Game:
    game = Game.about(new_id(), team_id=team.id, opponent_name="Owls", is_home=True, **fields)
    return softball.games.create(game, actor=OWNER.actor)
