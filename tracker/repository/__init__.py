"""The access patterns of the tracker."""

from tracker.repository.boxes import boxes
from tracker.repository.games import GameStory, answers, at_bats, games
from tracker.repository.invitations import Offer, invitations
from tracker.repository.people import memberships, profiles
from tracker.repository.teams import Roster, players, seasons, teams

__all__ = [
    "GameStory",
    "Offer",
    "Roster",
    "answers",
    "at_bats",
    "boxes",
    "games",
    "invitations",
    "memberships",
    "players",
    "profiles",
    "seasons",
    "teams",
]
