"""The pick lists."""

from scouting.models import TeamSelection
from scouting.repository.base import ScoutingRepository


class TeamSelectionRepository(ScoutingRepository[TeamSelection]):
    model = TeamSelection
    entity = "selection"
    label = "event"


selections = TeamSelectionRepository()
