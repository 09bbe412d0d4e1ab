"""The trash: deleted records with their whole last image, for 30 days."""

from datetime import datetime, timedelta
from functools import partial

from pynamodb.attributes import BinaryAttribute

from core.dynamo import transactions
from core.dynamo.actors import Actor
from core.dynamo.attributes import to_iso
from core.dynamo.items import RawItem
from core.dynamo.paging import DEFAULT_LIMIT, MOST, Page, StartKey
from core.dynamo.queries import get, query, read_all
from core.dynamo.support_table import RecordSupportItem, pack, unpack
from core.dynamo.transactions import Operation

KEPT_FOR = timedelta(days=30)


class TrashedItem(RecordSupportItem):
    image = BinaryAttribute(legacy_encoding=False)

    @property
    def trash_id(self) -> str:
        return self.sk

    @property
    def record(self) -> RawItem:
        return unpack(self.image)


def put(*, entity: str, key: str, label: str, actor: Actor, at: datetime, image: RawItem) -> Operation:
    """The image of a record that is being deleted, for the same transaction.

    The time is part of the key: a record with a natural key may be deleted, created again and deleted again,
    and neither image may replace the other. Keys of records have no slash.
    """
    return transactions.put(
        TrashedItem(
            pk=_pk(entity),
            sk=f"{key}/{to_iso(at)}",
            entity=entity,
            key=key,
            label=label,
            at=at,
            image=pack(image),
            ttl=at + KEPT_FOR,
        ).by(actor)
    )


def remove(item: TrashedItem) -> Operation:
    """Remove an image from the trash; refused if somebody else did so first."""
    return transactions.delete(TrashedItem, item.raw_key(), condition=transactions.exists(TrashedItem))


def is_image(raw: RawItem) -> bool:
    """Whether an item of the support table is an image in the trash."""
    return bool(raw["PK"]["S"].startswith(_pk("")))


def find(entity: str, trash_id: str) -> TrashedItem | None:
    key = {"PK": {"S": _pk(entity)}, "SK": {"S": trash_id}}
    return get(TrashedItem, key, strong=True)


def of_record(entity: str, key: str) -> TrashedItem | None:
    """The newest image of one record."""
    page = query(TrashedItem, _pk(entity), prefix=f"{key}/", newest_first=True, limit=1, strong=True)
    return page.items[0] if page.items else None


def page(entity: str, *, limit: int = DEFAULT_LIMIT, start: StartKey | None = None) -> Page[TrashedItem]:
    """The images of an entity, by descending record key: with UUIDv7 keys the newest record first."""
    return query(TrashedItem, _pk(entity), newest_first=True, limit=limit, start=start)


def keys(entity: str) -> set[str]:
    """The keys of all records of an entity in the trash; reads all of them, so for operators only."""
    images = read_all(partial(query, TrashedItem, _pk(entity), fields=("key",), strong=True), limit=MOST)
    return {image.key for image in images}


def _pk(entity: str) -> str:
    return f"TRASH#{entity}"
