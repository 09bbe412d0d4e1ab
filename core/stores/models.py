"""The store table: cache, jobs, rate limits, locks and sessions."""

from pynamodb.attributes import UnicodeAttribute
from pynamodb.indexes import GlobalSecondaryIndex, IncludeProjection

from core.dynamo.items import SingleTableModel, table_name


class _GSI1(GlobalSecondaryIndex["StoreItem"]):
    """The sessions of a person; cache and dedupe items by expiry."""

    gsi1_pk = UnicodeAttribute(hash_key=True, attr_name="GSI1PK")
    gsi1_sk = UnicodeAttribute(range_key=True, attr_name="GSI1SK")

    class Meta:
        index_name = "GSI1"
        # Sizes let the dashboard and the commands count without reading the values.
        projection = IncludeProjection(["size"])


class StoreItem(SingleTableModel):
    """Base of all items in the store table."""

    gsi1 = _GSI1()

    class Meta:
        table_name = table_name("comic-vine-store", variable="STORE_TABLE")
