"""Item of a role that members have in the club."""

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from cms.base.indexes import by_name
from cms.base.models import NamedItem
from core.dynamo.items import table_name


class Role(NamedItem):
    """A role of members; `vorstand` marks those of the board."""

    entity = UnicodeAttribute(default="role")
    vorstand = BooleanAttribute(default=False)
    by_name = by_name("name", "vorstand")

    class Meta:
        table_name = table_name("vcm-roles", variable="CMS_ROLES_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"
