"""Item of a role that members have in the club."""

from typing import Any

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from cms.base.indexes import by_name
from core.dynamo.items import Item, new_id, table_name
from core.dynamo.search_index import sort_form


class Role(Item):
    """A role of members; `vorstand` marks those of the board."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="role")
    name = UnicodeAttribute()
    sort_name = UnicodeAttribute(attr_name="sortName", null=True)
    vorstand = BooleanAttribute(default=False)
    by_name = by_name("name", "vorstand")

    class Meta:
        table_name = table_name("vcm-roles", variable="CMS_ROLES_TABLE")

    def derived(self) -> dict[str, Any]:
        return {"sort_name": sort_form(self.name)}
