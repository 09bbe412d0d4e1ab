"""The base models of the single table, and constants that several entities share."""

from datetime import timedelta

from django.conf import settings
from pynamodb.attributes import UnicodeAttribute

from core.dynamo.items import Item, StoredModel, table_name

ACTIVE, INACTIVE = "active", "inactive"
RECOVERABLE_FOR = timedelta(days=30)

TABLE = table_name(f"hacktracker-{settings.ENVIRONMENT}", variable="HACKTRACKER_TABLE")


class TrackedItem(Item):
    """Base model of the table's items: PK and SK."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")


class Row(StoredModel):
    """An item of any entity, for queries that return several entities."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")

    class Meta:
        table_name = TABLE
