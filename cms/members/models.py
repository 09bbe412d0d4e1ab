"""Item of a member."""

from pynamodb.attributes import UnicodeAttribute

from cms.base.indexes import by_name
from cms.base.models import NamedItem
from core.dynamo.attributes import JSONListAttribute
from core.dynamo.indexes import index
from core.dynamo.items import table_name

MEMBER_COLUMNS = ("name", "email", "phone", "roleIds", "avatarId")


class Member(NamedItem):
    """A person named on the website: the board, coaches and others."""

    entity = UnicodeAttribute(default="member")
    # Absent if there is none: the key of a GSI cannot be empty.
    email = UnicodeAttribute(null=True)
    phone = UnicodeAttribute(null=True)
    role_ids = JSONListAttribute(attr_name="roleIds", default_for_new=list)
    avatar_id = UnicodeAttribute(attr_name="avatarId", null=True)
    by_name = by_name(*MEMBER_COLUMNS)
    # Keys only: whoever signs in asks who they are, and no list is read from it.
    by_email = index("GSI-Email", "email", columns=[])

    class Meta:
        table_name = table_name("vcm-members", variable="CMS_MEMBERS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"
