"""Many records at once, and what it costs to read some of them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from core.dynamo import maintenance, metering, search, search_index, tables
from core.dynamo.attributes import to_iso
from core.dynamo.paging import StartKey
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.library import Article, articles, everybody_may

Cost = tuple[int, int, float]  # requests, items read, capacity units
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


def stop_streams() -> None:
    """The local engine's writes slow down with every record in a stream; what is measured here are reads."""
    for spec in tables.specs():
        if spec.stream:
            maintenance.request(
                "UpdateTable", TableName=spec.name, StreamSpecification={"StreamEnabled": False}
            )


def fill(first: int, last: int) -> None:
    """Records with their words, as the repository would write them, but in batches."""
    puts: dict[str, list[dict[str, object]]] = {}
    for table, item in _rows(first, last):
        waiting = puts.setdefault(table, [])
        waiting.append({"PutRequest": {"Item": item}})
        if len(waiting) == 25:
            maintenance.request("BatchWriteItem", RequestItems={table: puts.pop(table)})
    for table, waiting in puts.items():
        maintenance.request("BatchWriteItem", RequestItems={table: waiting})


def _rows(first: int, last: int) -> Iterator[tuple[str, dict[str, dict[str, str]]]]:
    for number in range(first, last):
        key = f"{number:08}"
        title = f"Spielbericht {number:08}"
        yield (
            Article.Meta.table_name,
            {
                "articleId": {"S": key},
                "kind": {"S": "article"},
                "title": {"S": title},
                "updatedAt": {"S": to_iso(BEGINNING + timedelta(seconds=number))},
                "version": {"N": "1"},
            },
        )
        for word in search_index.indexed_words([title]):
            item = search_index.put("cms", word, entity="article", key=key).item
            assert item is not None
            yield SupportItem.Meta.table_name, item


def cost_of_page(start: StartKey | None) -> Cost:
    with metering.metered() as meter:
        articles.latest(limit=10, start=start)
    return meter.requests, meter.items, meter.units


def start_of_page(number: int) -> StartKey | None:
    start = None
    for _page in range(number - 1):
        start = articles.latest(limit=10, start=start).next_key
        assert start is not None
    return start


def costs() -> dict[str, Cost]:
    with metering.metered() as meter:
        assert len(search.search("spielb", ["cms"], may_see=everybody_may).hits) == search.MOST_RECORDS
    return {
        "first page": cost_of_page(None),
        "fortieth page": cost_of_page(start_of_page(40)),
        "search": (meter.requests, meter.items, meter.units),
    }
