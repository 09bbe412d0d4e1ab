"""Item of a team."""

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from cms.base.indexes import by_name, listing
from cms.base.models import NamedItem, SluggedItem
from core.dynamo.attributes import JSONListAttribute
from core.dynamo.items import table_name

TEAM_COLUMNS = (
    *("name", "slug", "gender", "age", "league", "sbvvTeamId", "status"),
    *("coachIds", "contactPersonIds", "imageIds", "schedules"),
)


class Team(NamedItem, SluggedItem):
    """A team. `schedules` are the times of training: {day: [montags, …], startTime, endTime, locationId}.

    Other programs read the table and rely on these keys.
    """

    entity = UnicodeAttribute(default="team")
    gender = UnicodeAttribute(null=True)
    age = NumberAttribute(null=True)
    league = UnicodeAttribute(null=True)
    # Absent if there is none: the key of a GSI cannot be empty.
    sbvv_team_id = UnicodeAttribute(attr_name="sbvvTeamId", null=True)
    description = UnicodeAttribute(null=True)
    coach_ids = JSONListAttribute(attr_name="coachIds", default_for_new=list)
    contact_person_ids = JSONListAttribute(attr_name="contactPersonIds", default_for_new=list)
    schedules = JSONListAttribute(default_for_new=list)
    image_ids = JSONListAttribute(attr_name="imageIds", default_for_new=list)
    instagram = UnicodeAttribute(null=True)
    by_name = by_name(*TEAM_COLUMNS)
    by_slug = listing("GSI-Slug", "slug", None, *TEAM_COLUMNS)
    by_status = listing("GSI-Status", "status", "name", *TEAM_COLUMNS)
    by_sams_team = listing("GSI-SamsTeam", "sbvvTeamId", None, *TEAM_COLUMNS)

    class Meta:
        table_name = table_name("vcm-teams", variable="CMS_TEAMS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    @property
    def staff_ids(self) -> set[str]:
        """Ids of its coaches and contact persons."""
        return {*(self.coach_ids or ()), *(self.contact_person_ids or ())}
