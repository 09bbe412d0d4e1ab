"""The support table `fieldhouse`: what is kept about records beside the records themselves."""

import zlib
from typing import Self

from pynamodb.attributes import UnicodeAttribute
from pynamodb.indexes import GlobalSecondaryIndex, IncludeProjection

from core.dynamo import rawjson
from core.dynamo.actors import Actor
from core.dynamo.attributes import TimestampAttribute
from core.dynamo.items import RawItem, SingleTableModel, table_name


class _GSI1(GlobalSecondaryIndex["SupportItem"]):
    """Activity of a scope by month, and a person's working copies by time."""

    gsi1_pk = UnicodeAttribute(hash_key=True, attr_name="GSI1PK")
    gsi1_sk = UnicodeAttribute(range_key=True, attr_name="GSI1SK")

    class Meta:
        index_name = "GSI1"
        # Not the compressed contents: an activity list shows who did what, and should not pay for the rest.
        projection = IncludeProjection(
            ["entity", "key", "label", "verb", "fields", "actor", "actorName", "at", "basedOn"]
        )


class SupportItem(SingleTableModel):
    """What every kind of support item shares: the table."""

    gsi1 = _GSI1()

    class Meta:
        table_name = table_name("fieldhouse", variable="SUPPORT_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"


class RecordSupportItem(SupportItem):
    """What somebody did to a record: the part that history, trash and working copies have in common."""

    entity = UnicodeAttribute()
    key = UnicodeAttribute()
    label = UnicodeAttribute(default="")
    actor = UnicodeAttribute()
    actor_name = UnicodeAttribute(attr_name="actorName")
    at = TimestampAttribute()

    def by(self, actor: Actor) -> Self:
        self.actor, self.actor_name = actor.sub, actor.name
        return self


def pack(raw: RawItem) -> bytes:
    """Stored attributes as compressed JSON: a 200 KB document takes a tenth of that."""
    return zlib.compress(rawjson.dumps(raw))


def unpack(data: bytes) -> RawItem:
    return rawjson.loads(zlib.decompress(data))
