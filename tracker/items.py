"""The base models of the single table, and constants that several entities share."""

import re
from datetime import timedelta
from typing import Any, ClassVar, Self

from django.conf import settings
from pynamodb.attributes import UnicodeAttribute

from core.dynamo.indexes import index
from core.dynamo.items import Item, StoredModel, table_name

# The sort key of what a partition is named after.
METADATA = "METADATA"
ACTIVE, INACTIVE = "active", "inactive"
RECOVERABLE_FOR = timedelta(days=30)

IN_BRACES = re.compile(r"{(\w+)}")


class Row(StoredModel):
    """An item of any entity, for queries that return several entities."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")

    class Meta:
        table_name = table_name(f"hacktracker-{settings.ENVIRONMENT}", variable="HACKTRACKER_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"


class TrackedItem(Row, Item):
    """Base model of the table's records, with the GSIs of the existing table.

    A record is in those whose keys its `derived()` sets.
    """

    # PK and SK, with the attributes that they are made of.
    key_format: ClassVar[tuple[str, str]]

    gsi1_pk = UnicodeAttribute(attr_name="GSI1PK", null=True)
    gsi1_sk = UnicodeAttribute(attr_name="GSI1SK", null=True)
    gsi2_pk = UnicodeAttribute(attr_name="GSI2PK", null=True)
    gsi2_sk = UnicodeAttribute(attr_name="GSI2SK", null=True)
    gsi3_pk = UnicodeAttribute(attr_name="GSI3PK", null=True)
    gsi3_sk = UnicodeAttribute(attr_name="GSI3SK", null=True)
    gsi4_pk = UnicodeAttribute(attr_name="GSI4PK", null=True)
    gsi4_sk = UnicodeAttribute(attr_name="GSI4SK", null=True)
    gsi5_pk = UnicodeAttribute(attr_name="GSI5PK", null=True)
    gsi5_sk = UnicodeAttribute(attr_name="GSI5SK", null=True)
    # A person by Cognito sub; an invitation and a shared game by the hash of their token.
    by_login = index("GSI1", "GSI1PK", "GSI1SK")
    # All people, all teams, all games.
    by_kind = index("GSI2", "GSI2PK", "GSI2SK")
    # The games of a team by time, and its members.
    by_team = index("GSI3", "GSI3PK", "GSI3SK")
    # The players linked to a person, across teams; the invitations to an e-mail address.
    by_person = index("GSI4", "GSI4PK", "GSI4SK")
    # The plate appearances of a player by time.
    by_player = index("GSI5", "GSI5PK", "GSI5SK")

    @classmethod
    def about(cls, *ids: str, **fields: Any) -> Self:
        """An item with the keys that follow from its ids; a new one may leave out the last, its own."""
        names = IN_BRACES.findall("".join(cls.key_format))
        item = cls(**dict(zip(names[: len(ids)], ids, strict=True)), **fields)
        values = {name: getattr(item, name) for name in names}
        item.pk, item.sk = (each.format(**values) for each in cls.key_format)
        return item
