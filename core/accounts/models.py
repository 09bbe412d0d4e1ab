"""The directory of everybody who ever signed in or was invited: Cognito cannot search and sort them."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex

from core.dynamo.attributes import TimestampAttribute
from core.dynamo.items import Item, table_name
from core.dynamo.search_index import fold, sort_form

KIND = "person"


class _ByName(GlobalSecondaryIndex["Person"]):
    kind = UnicodeAttribute(hash_key=True)
    sort_name = UnicodeAttribute(range_key=True, attr_name="sortName")

    class Meta:
        index_name = "GSI-List"
        projection = AllProjection()


class Person(Item):
    """`sub` is the stable id from Cognito, by which other records refer to a person."""

    sub = UnicodeAttribute(hash_key=True)
    kind = UnicodeAttribute(default=KIND)
    name = UnicodeAttribute()
    email = UnicodeAttribute()
    # When the token with this value was issued; older tokens change nothing.
    name_as_of = TimestampAttribute(attr_name="nameAsOf", null=True)
    email_as_of = TimestampAttribute(attr_name="emailAsOf", null=True)
    sort_name = UnicodeAttribute(attr_name="sortName", null=True)
    # The sub of the user who opened this account by an invitation to a team.
    invited_by = UnicodeAttribute(attr_name="invitedBy", null=True)
    by_name = _ByName()

    class Meta:
        table_name = table_name("fieldhouse-people", variable="PEOPLE_TABLE")

    def derived(self) -> dict[str, Any]:
        # Without a sort name an item would be missing from the GSI, and a login may have no name.
        return {"sort_name": fold(self.name) or sort_form(self.email) or self.sub}
