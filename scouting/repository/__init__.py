"""The access patterns of scouting."""

from scouting.repository.directory import team_directory
from scouting.repository.event import EventParts, event_infos, event_teams, schedules
from scouting.repository.forms import comment_forms, pit_forms, stand_forms
from scouting.repository.selection import selections
from scouting.repository.settings import settings, stored_games

__all__ = [
    "EventParts",
    "comment_forms",
    "event_infos",
    "event_teams",
    "pit_forms",
    "schedules",
    "selections",
    "settings",
    "stand_forms",
    "stored_games",
    "team_directory",
]
