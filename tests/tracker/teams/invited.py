"""Invitations as they are made, answered and stored."""

from tests.tracker.club import browser_of
from tracker import repository
from tracker.teams.models import PLAYER
from tracker.teams.services import invitations


def invite(owner, team, player=None, *, email="", role=PLAYER):
    return invitations.invite(owner, team.id, player_id=player.id if player else "", email=email, role=role)


def address_of(invited):
    return f"/tracker/invitations/{invited.token}/"


def answer(user, invited, text="accept", **more):
    return browser_of(user).post(address_of(invited), {"answer": text, **more})


def status_of(invited):
    made = invited.invitation
    return repository.invitations.of(made.team_id, made.id, strong=True).status


def membership_of(user, team):
    return repository.memberships.of(user.sub, team.id, strong=True)


def player_now(player):
    return repository.players.of(player.team_id, player.id, strong=True)
