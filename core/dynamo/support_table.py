"""The support table `fieldhouse`: side items, history, trash, working copies, preferences, positions."""

import zlib
from typing import Self

from pynamodb.attributes import UnicodeAttribute

from core.dynamo import rawjson
from core.dynamo.actors import Actor
from core.dynamo.attributes import TimestampAttribute
from core.dynamo.indexes import index
from core.dynamo.items import RawItem, SingleTableModel, table_name

# Of activity lists, which do not show the compressed contents, and of working copies.
LISTED = ("entity", "key", "label", "verb", "fields", "actor", "actorName", "at", "basedOn")


class SupportItem(SingleTableModel):
    """Base of all items in the support table."""

    # Activity of a scope by month, and a person's working copies by time.
    gsi1 = index("GSI1", "GSI1PK", "GSI1SK", columns=LISTED)

    class Meta:
        table_name = table_name("fieldhouse", variable="SUPPORT_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"


class RecordSupportItem(SupportItem):
    """Base of history entries, trash and working copies: a record, and who did something to it when."""

    entity = UnicodeAttribute()
    key = UnicodeAttribute()
    label = UnicodeAttribute(default="")
    actor = UnicodeAttribute()
    actor_name = UnicodeAttribute(attr_name="actorName")
    at = TimestampAttribute()

    def by(self, actor: Actor) -> Self:
        self.actor, self.actor_name = actor.sub, actor.name
        return self


NOTHING = zlib.compress(b"{}")


def pack(raw: RawItem) -> bytes:
    """Raw attributes as compressed JSON, about a tenth of the size for long texts."""
    # A new record has nothing before it, and making a compressor takes longer than a history entry.
    return zlib.compress(rawjson.dumps(raw)) if raw else NOTHING


def unpack(data: bytes) -> RawItem:
    return rawjson.loads(zlib.decompress(data))
