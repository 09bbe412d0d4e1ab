"""The item of a pick list."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute, TimestampAttribute
from core.dynamo.items import table_name
from scouting import keys
from scouting.models import ScoutedItem

UNSORTED, FIRST, SECOND, THIRD, DO_NOT_PICK = "unsorted", "r1", "r2", "r3", "dnp"
COLUMNS = (UNSORTED, FIRST, SECOND, THIRD, DO_NOT_PICK)


class TeamSelection(ScoutedItem):
    """The pick list of an event: an ordered list of teams with teamNumber, teamName, rank and columnId."""

    entity = UnicodeAttribute(default="TeamSelection")
    event = UnicodeAttribute()
    teams = JSONListAttribute(default_for_new=list)
    # Who saved the order, and when; marking a team as taken does not change these.
    saved_by = UnicodeAttribute(attr_name="savedBy", null=True)
    saved_at = TimestampAttribute(attr_name="savedAt", null=True)
    # The numbers of taken teams; None in an old item, which has `taken` in each team.
    taken = JSONListAttribute(null=True)

    class Meta:
        table_name = table_name("superalliance-team-selection", variable="DDB_TEAM_SELECTION_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    @classmethod
    def about(cls, event: str, **fields: Any) -> "TeamSelection":
        return cls(pk="SELECTION", sk=keys.of_event(event), event=event, **fields)
