"""What all items of the one table share, and the words that their fields are made of."""

from datetime import timedelta

from django.conf import settings
from pynamodb.attributes import UnicodeAttribute

from core.dynamo.items import Item, StoredModel, table_name

ACTIVE, INACTIVE = "active", "inactive"
RECOVERABLE_FOR = timedelta(days=30)

TABLE = table_name(f"hacktracker-{settings.ENVIRONMENT}", variable="HACKTRACKER_TABLE")


class TrackedItem(Item):
    """What every item of the table has."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")


class Row(StoredModel):
    """An item of any kind, for reads that bring several."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")

    class Meta:
        table_name = TABLE
