"""The repository of pick lists."""

from scouting.events.repository import of_its_event
from scouting.repository import ScoutingRepository
from scouting.selection.models import TeamSelection


class TeamSelectionRepository(ScoutingRepository[TeamSelection]):
    model = TeamSelection
    entity = "selection"
    label = "event"
    references = (of_its_event(),)


selections = TeamSelectionRepository()
