"""A made-up softball club for the tests: its people, a team and its roster."""

from django.conf import settings
from django.test import Client

from core.accounts.user import User
from core.dynamo.items import new_id
from core.dynamo.transactions import commit
from tests.cast import session_of
from tracker import repository
from tracker.games.models import Game
from tracker.people import services as people
from tracker.roster.models import Player
from tracker.rules import box_scores, lineups
from tracker.rules.box_scores import lines_in
from tracker.scoring.models import AtBat
from tracker.teams.models import MANAGER, PLAYER, SCOREKEEPER, Membership
from tracker.teams.services import teams

ROLES = ("owner", "manager", "scorekeeper", "player", "stranger")


def person(name, *, groups=()):
    """Somebody who has signed in; `name` is a first name."""
    user = User.of(
        sub=f"sub-{name.lower()}",
        name=f"{name} Example",
        email=f"{name.lower()}@club.example",
        groups=groups,
    )
    people.open_profile(user)
    return user


def team_of(owner, name="Feldkamp Falcons", **fields):
    return teams.create(owner, people.own_profile(owner), {"name": name, **fields})


def join(user, team, role=PLAYER, *, actor):
    """A membership without an invitation."""
    return repository.memberships.create(Membership.about(user.sub, team.id, role=role), actor=actor.actor)


def cast(owner, team):
    """One person of every role, by role; the stranger belongs to no team of theirs."""
    found = {"owner": owner, "stranger": person("Stranger")}
    for role in (MANAGER, SCOREKEEPER, PLAYER):
        found[role] = person(role.capitalize())
        join(found[role], team, role, actor=owner)
    return found


def ghost(team, first_name, number=None, *, actor, **fields):
    player = Player.about(team.id, first_name=first_name, number=number, **fields)
    return repository.players.create(player, actor=actor.actor)


def nine(team, *, actor):
    """Nine ghosts with the numbers 1 to 9."""
    names = ("Ada", "Bea", "Cem", "Dov", "Eva", "Fin", "Gil", "Hal", "Ida")
    return [ghost(team, name, number, actor=actor) for number, name in enumerate(names, start=1)]


def batting_order(players):
    """A line-up of these players in this order, without positions."""
    return lineups.entries((player.id for player in players), {})


def browser_of(user):
    """A client in which somebody of the club is signed in."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session_of(user).session_key)
    return client


def home_run(team, player, *, actor):
    """A game in which somebody hit one, with its box score."""
    game = repository.games.create(Game.about(new_id(), team_id=team.id), actor=actor.actor)
    at_bat = AtBat.in_game(game, player_id=player.id, number=1, result="HR")
    repository.at_bats.create(at_bat, actor=actor.actor)
    commit(*repository.boxes.replace(box_scores.stored_box(game, [at_bat], revision=1), seen=None))
    return game


def home_runs_of(player):
    """What the plate appearances and the box scores say."""
    told = [each.result for each in repository.at_bats.of_player(player.id).items].count("HR")
    counted = [lines_in(box).get(player.id) for box in repository.boxes.of_team(player.team_id)]
    return told, sum(line.home_runs for line in counted if line)
