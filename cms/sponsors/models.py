"""Item of a sponsor."""

from datetime import datetime

from pynamodb.attributes import TTLAttribute, UnicodeAttribute

from cms.base.indexes import by_name
from cms.base.models import NamedItem
from core.dynamo.attributes import now
from core.dynamo.items import table_name

SPONSOR_COLUMNS = ("name", "website", "description", "logoId", "expiryTimestamp")


class Sponsor(NamedItem):
    """A sponsor. It is public until `expiry_timestamp`; DynamoDB deletes it by TTL some time later."""

    entity = UnicodeAttribute(default="sponsor")
    website = UnicodeAttribute(null=True)
    description = UnicodeAttribute(null=True)
    logo_id = UnicodeAttribute(attr_name="logoId", null=True)
    expiry_timestamp = TTLAttribute(attr_name="expiryTimestamp", null=True)
    by_name = by_name(*SPONSOR_COLUMNS)

    class Meta:
        table_name = table_name("vcm-sponsors", variable="CMS_SPONSORS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    def is_shown(self) -> bool:
        """Whether it has not expired; every public page checks this."""
        return self.expiry_timestamp is None or self.expiry_timestamp > now()

    def expires_before(self, moment: datetime) -> bool:
        return self.expiry_timestamp is not None and self.expiry_timestamp < moment
