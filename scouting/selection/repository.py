"""The repository of pick lists."""

from scouting.events.repository import AtEventRepository, of_its_event
from scouting.selection.models import TeamSelection


class TeamSelectionRepository(AtEventRepository[TeamSelection]):
    model = TeamSelection
    entity = "selection"
    label = "event"
    references = (of_its_event(),)


selections = TeamSelectionRepository()
