"""The store table: what the application itself must remember for a while."""

from pynamodb.attributes import TTLAttribute, UnicodeAttribute
from pynamodb.indexes import GlobalSecondaryIndex, KeysOnlyProjection

from dynamo.items import StoredModel, table_name


class _GSI1(GlobalSecondaryIndex["StoreItem"]):
    """The sessions of a person; cache and dedupe items by expiry."""

    gsi1_pk = UnicodeAttribute(hash_key=True, attr_name="GSI1PK")
    gsi1_sk = UnicodeAttribute(range_key=True, attr_name="GSI1SK")

    class Meta:
        index_name = "GSI1"
        projection = KeysOnlyProjection()


class StoreItem(StoredModel):
    """The keys that every kind of store item shares; each kind is a subclass in its own module."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    gsi1_pk = UnicodeAttribute(null=True, attr_name="GSI1PK")
    gsi1_sk = UnicodeAttribute(null=True, attr_name="GSI1SK")
    ttl = TTLAttribute(null=True, attr_name="TTL")
    gsi1 = _GSI1()

    class Meta:
        table_name = table_name("comic-vine-store", variable="STORE_TABLE")
