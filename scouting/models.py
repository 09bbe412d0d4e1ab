"""What the items of all rooms have in common."""

from pynamodb.attributes import UnicodeAttribute

from core.dynamo.items import Item, table_name


class ScoutedItem(Item):
    """What every item of these tables has."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    entity = UnicodeAttribute()


class ConfigItem(ScoutedItem):
    """The items that share the table of settings."""

    class Meta:
        table_name = table_name("superalliance-config", variable="DDB_CONFIG_TABLE")
