"""The pick lists."""

from scouting.models import TeamSelection
from scouting.repository.base import ScoutingRepository
from scouting.repository.event import of_its_event


class TeamSelectionRepository(ScoutingRepository[TeamSelection]):
    model = TeamSelection
    entity = "selection"
    label = "event"
    references = (of_its_event(),)


selections = TeamSelectionRepository()
