"""The repositories of all tracker packages under one name."""

from tracker.games.repository import answers, games, seasons
from tracker.people.repository import profiles
from tracker.roster.repository import players
from tracker.scoring.repository import at_bats
from tracker.statistics.repository import boxes
from tracker.teams.repository import invitations, memberships, teams

__all__ = [
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
