"""Item of a team."""

from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from cms.base.indexes import by_age, by_name, by_sams_team, by_slug, by_status
from cms.base.models import AddressedItem
from core.dynamo.attributes import JSONListAttribute
from core.dynamo.items import new_id, table_name
from core.dynamo.search_index import sort_form

TEAM_COLUMNS = (
    *("name", "slug", "gender", "age", "league", "sbvvTeamId", "status"),
    *("coachIds", "contactPersonIds", "imageIds", "schedules"),
)


class Team(AddressedItem):
    """A team. `schedules` are the times of training: {day: [montags, …], startTime, endTime, locationId}.

    Other programs read the table and rely on these keys.
    """

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="team")
    name = UnicodeAttribute()
    sort_name = UnicodeAttribute(attr_name="sortName", null=True)
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
    by_age = by_age(*TEAM_COLUMNS)
    by_name = by_name(*TEAM_COLUMNS)
    by_slug = by_slug(*TEAM_COLUMNS)
    by_status = by_status(*TEAM_COLUMNS)
    by_sams_team = by_sams_team(*TEAM_COLUMNS)

    class Meta:
        table_name = table_name("vcm-teams", variable="CMS_TEAMS_TABLE")

    def derived(self) -> dict[str, Any]:
        return super().derived() | {"entity": "team", "sort_name": sort_form(self.name)}

    @property
    def staff_ids(self) -> set[str]:
        """Ids of its coaches and contact persons."""
        return {*(self.coach_ids or ()), *(self.contact_person_ids or ())}
