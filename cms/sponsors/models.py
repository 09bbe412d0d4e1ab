"""Item of a sponsor."""

from datetime import datetime
from typing import Any

from pynamodb.attributes import TTLAttribute, UnicodeAttribute

from cms.base.indexes import by_age, by_name
from core.dynamo.attributes import now
from core.dynamo.items import Item, new_id, table_name
from core.dynamo.search_index import sort_form

SPONSOR_COLUMNS = ("name", "website", "description", "logoId", "expiryTimestamp")


class Sponsor(Item):
    """A sponsor. It is public until `expiry_timestamp`; DynamoDB deletes it by TTL some time later."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="sponsor")
    name = UnicodeAttribute()
    sort_name = UnicodeAttribute(attr_name="sortName", null=True)
    website = UnicodeAttribute(null=True)
    description = UnicodeAttribute(null=True)
    logo_id = UnicodeAttribute(attr_name="logoId", null=True)
    expiry_timestamp = TTLAttribute(attr_name="expiryTimestamp", null=True)
    by_age = by_age(*SPONSOR_COLUMNS)
    by_name = by_name(*SPONSOR_COLUMNS)

    class Meta:
        table_name = table_name("vcm-sponsors", variable="CMS_SPONSORS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    def derived(self) -> dict[str, Any]:
        return {"entity": "sponsor", "sort_name": sort_form(self.name)}

    def is_shown(self) -> bool:
        """Whether it has not expired; every public page checks this."""
        return self.expiry_timestamp is None or self.expiry_timestamp > now()

    def expires_before(self, moment: datetime) -> bool:
        return self.expiry_timestamp is not None and self.expiry_timestamp < moment
