"""Item of a member."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute

from cms.base.indexes import by_age, by_email, by_name
from core.dynamo.attributes import JSONListAttribute
from core.dynamo.items import Item, new_id, table_name
from core.dynamo.search_index import sort_form

MEMBER_COLUMNS = ("name", "email", "phone", "roleIds", "avatarId")


class Member(Item):
    """A person named on the website: the board, coaches and others."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="member")
    name = UnicodeAttribute()
    sort_name = UnicodeAttribute(attr_name="sortName", null=True)
    # Absent if there is none: the key of a GSI cannot be empty.
    email = UnicodeAttribute(null=True)
    phone = UnicodeAttribute(null=True)
    role_ids = JSONListAttribute(attr_name="roleIds", default_for_new=list)
    avatar_id = UnicodeAttribute(attr_name="avatarId", null=True)
    by_age = by_age(*MEMBER_COLUMNS)
    by_name = by_name(*MEMBER_COLUMNS)
    by_email = by_email(*MEMBER_COLUMNS)

    class Meta:
        table_name = table_name("vcm-members", variable="CMS_MEMBERS_TABLE")

    def derived(self) -> dict[str, Any]:
        return {"entity": "member", "sort_name": sort_form(self.name)}
