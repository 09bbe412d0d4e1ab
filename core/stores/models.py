"""The store table: cache, jobs, rate limits, locks and sessions."""

from core.dynamo.indexes import index
from core.dynamo.items import SingleTableModel, table_name


class StoreItem(SingleTableModel):
    """Base of all items in the store table."""

    # The sessions of a person; cache and dedupe items by expiry, with their sizes, so that the dashboard and
    # the commands count without reading the values.
    gsi1 = index("GSI1", "GSI1PK", "GSI1SK", columns=["size"])

    class Meta:
        table_name = table_name("comic-vine-store", variable="STORE_TABLE")
