"""What waits for people in softball, whom it concerns, and whom it does not."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils.formats import date_format
from django.utils.timezone import localtime

from tests.cast import CAST
from tests.desk.waiting import OFFICIAL, OWNER, TOMORROW, YESTERDAY, played, told
from tracker import repository as softball
from tracker.games.models import FINAL, IN_PROGRESS, POSTPONED, SCHEDULED
from tracker.games.services import availability
from tracker.roster.models import Player
from tracker.teams.models import PLAYER, Team
from tracker.teams.services import invitations, teams

pytestmark = pytest.mark.usefixtures("db", "guests")


def day(moment: datetime) -> str:
    return date_format(localtime(moment), "D j M")


def test_an_invitation_waits_for_whom_it_names(team: Team) -> None:
    made = invitations.invite(OWNER, team.id, player_id="", email=OFFICIAL.email, role=PLAYER).invitation

    task = ("Falcons", "Invitation", f"/tracker/teams/{team.id}/invitations/{made.id}/")
    assert told() == {"official": [task]}


@pytest.mark.parametrize(
    ("fields", "badge"),
    [
        ({"status": IN_PROGRESS, "scheduled_start": YESTERDAY}, "Not finished"),
        ({"status": SCHEDULED, "scheduled_start": YESTERDAY}, "No result yet"),
        ({"status": POSTPONED, "scheduled_start": YESTERDAY}, "Postponed"),
    ],
)
def test_a_game_that_lacks_something_waits_for_those_who_run_games(
    team: Team, fields: dict[str, Any], badge: str
) -> None:
    game = played(team, **fields)

    task = (f"Owls, {day(YESTERDAY)}", badge, f"/tracker/games/{game.id}/")
    assert told() == {"member": [task], "moderator": [task], "scout": [task]}

    softball.games.update(game, {"status": FINAL}, actor=OWNER.actor)
    assert told() == {}


def test_an_own_game_waits_for_nobody_else(team: Team) -> None:
    memberships = softball.profiles.belonging(OFFICIAL.sub).memberships
    (personal,) = softball.teams.with_ids([each.team_id for each in memberships]).values()
    game = played(personal, status=IN_PROGRESS, scheduled_start=YESTERDAY)

    task = (f"Owls, {day(YESTERDAY)}", "Not finished", f"/tracker/games/{game.id}/")
    assert told() == {"official": [task]}


def test_a_game_of_a_deleted_team_or_of_one_that_was_left_waits_for_nobody(team: Team) -> None:
    played(team, status=IN_PROGRESS, scheduled_start=YESTERDAY)
    left = softball.memberships.of(CAST["scout"].sub, team.id)
    softball.memberships.update(left, {"status": "inactive"}, actor=OWNER.actor)
    assert set(told()) == {"member", "moderator"}

    stored = softball.teams.of(team.id)
    teams.delete(OWNER, team.id, seen_version=stored.version)
    assert told() == {}


def test_the_next_game_waits_for_players_until_they_say_whether_they_come(team: Team) -> None:
    milan = CAST["other-member"]
    linked = Player.about(team.id, first_name="Milan", is_ghost=False, user_id=milan.sub)
    player = softball.players.create(linked, actor=OWNER.actor)
    game = played(team, scheduled_start=TOMORROW)
    played(team, scheduled_start=TOMORROW + timedelta(days=7))
    task = (f"Owls, {day(TOMORROW)}", "Are you coming?", f"/tracker/games/{game.id}/")
    # Whoever makes a team plays for it.
    assert told() == {"member": [task], "other-member": [task]}

    availability.answer(milan, game.id, player.id, "no")
    assert told() == {"member": [task]}
