"""Base models of the items of scouting."""

from pynamodb.attributes import UnicodeAttribute

from core.dynamo.items import Item, table_name


class ScoutedItem(Item):
    """Base of every item in the scouting tables."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    entity = UnicodeAttribute()


class ConfigItem(ScoutedItem):
    """Base of the items in the settings table."""

    class Meta:
        table_name = table_name("superalliance-config", variable="DDB_CONFIG_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"
