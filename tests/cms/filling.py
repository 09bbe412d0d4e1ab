"""Many articles at once, as the repository would write them, but in batches."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from cms.news.models import News
from core.content.richtext import from_plain_text
from core.content.slugs import slugify
from core.dynamo import changeset, maintenance, search_index
from core.dynamo.attributes import to_iso
from core.dynamo.items import RawItem
from core.dynamo.support_table import SupportItem

BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
TEXT = from_plain_text("Five sets. " * 200)


def fill(first: int, last: int) -> None:
    puts: dict[str, list[dict[str, object]]] = {}
    for table, item in _rows(first, last):
        waiting = puts.setdefault(table, [])
        waiting.append({"PutRequest": {"Item": item}})
        if len(waiting) == 25:
            maintenance.request("BatchWriteItem", RequestItems={table: puts.pop(table)})
    for table, waiting in puts.items():
        maintenance.request("BatchWriteItem", RequestItems={table: waiting})


def key_of(number: int) -> str:
    return f"00000000-0000-7000-8000-{number:012}"


def _rows(first: int, last: int) -> Iterator[tuple[str, RawItem]]:
    same = _complete(News(title="", content=TEXT, excerpt="Five sets.", author_ids=["official-sub"]))
    for number in range(first, last):
        moment = {"S": to_iso(BEGINNING + timedelta(seconds=number))}
        title = f"Spielbericht {number:08}"
        yield (
            News.Meta.table_name,
            same
            | {"id": {"S": key_of(number)}, "title": {"S": title}, "slug": {"S": slugify(title)}}
            | dict.fromkeys(("publishAt", "publishedDate", "createdAt", "updatedAt"), moment),
        )
        for word in search_index.indexed_words([title]):
            row = search_index.put("cms", word, entity="news", key=key_of(number)).item
            assert row is not None
            yield SupportItem.Meta.table_name, row


def _complete(item: News) -> RawItem:
    item.status, item.version, item.created_at, item.updated_at = "published", 1, BEGINNING, BEGINNING
    return dict(changeset.with_derived(News, item.serialize()).stored)
