"""What Home shows people, as it is read in tests."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.test import Client

from core.crud.home import ComingDate, Highlight, Task
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


@dataclass
class Shown:
    """What Home and the request right after it show."""

    highlights: list[Highlight]
    tasks: list[Task]
    dates: list[ComingDate]


def home_of(client: Client) -> Shown:
    home = client.get("/desk/").context
    later = (
        client.get(home["later"]).context if home["later"] else {"highlights": [], "tasks": [], "dates": []}
    )
    return Shown(
        [*home["highlights"], *later["highlights"]], [*home["tasks"], *later["tasks"]], later["dates"]
    )


def waiting_for(client: Client) -> list[Told]:
    """Title, badge and address of everything to do."""
    return [(str(task.title), str(task.badge or ""), task.address) for task in home_of(client).tasks]


def told() -> dict[str, list[Told]]:
    """What is to do, by role; roles without anything are left out."""
    found = {role: waiting_for(sign_in(Client(), role)) for role in CAST}
    return {role: tasks for role, tasks in found.items() if tasks}


def dates_of(client: Client) -> list[tuple[str, str, str]]:
    """Title, kind and address of each coming date."""
    return [(date.title, str(date.kind), date.address) for date in home_of(client).dates]


def played(team: Team, **fields: Any) -> Game:
    game = Game.about(new_id(), team_id=team.id, opponent_name="Owls", is_home=True, **fields)
    return softball.games.create(game, actor=OWNER.actor)
