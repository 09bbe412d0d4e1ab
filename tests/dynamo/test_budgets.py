"""A page costs the same however many records there are."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from dynamo import control, metering, search, words
from dynamo.attributes import to_iso
from dynamo.paging import StartKey
from tests.dynamo.library import Article, articles

pytestmark = pytest.mark.usefixtures("own_engine")
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


def fill(count: int) -> None:
    """Records with their words, as the repository would write them, but in batches."""
    rows = list(_rows(count))
    for table in (Article.Meta.table_name, "fieldhouse"):
        puts = [{"PutRequest": {"Item": item}} for name, item in rows if name == table]
        for first in range(0, len(puts), 25):
            control.request("BatchWriteItem", RequestItems={table: puts[first : first + 25]})


def _rows(count: int) -> Iterator[tuple[str, dict[str, dict[str, str]]]]:
    for number in range(count):
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
        for word in words.words_in([title]):
            item = words.put("cms", word, entity="article", key=key).item
            assert item is not None
            yield "fieldhouse", item


def cost_of_page(start: StartKey | None) -> tuple[int, int, float]:
    with metering.metered() as meter:
        articles.latest(limit=10, start=start)
    return meter.requests, meter.items, meter.units


def start_of_page(number: int) -> StartKey | None:
    start = None
    for _page in range(number - 1):
        start = articles.latest(limit=10, start=start).next_key
        assert start is not None
    return start


def costs() -> dict[str, tuple[int, int, float]]:
    with metering.metered() as meter:
        assert len(search.search("spielb", ["cms"]).hits) == 50
    return {
        "first page": cost_of_page(None),
        "fortieth page": cost_of_page(start_of_page(40)),
        "search": (meter.requests, meter.items, meter.units),
    }


def test_first_and_fortieth_page_and_search_cost_the_same_with_500_and_5000_records() -> None:
    fill(500)
    with_500 = costs()
    fill(5000)
    with_5000 = costs()

    assert with_500 == with_5000
    assert with_500["first page"] == with_500["fortieth page"]
    assert with_500["first page"][:2] == (1, 10)
    assert with_500["search"][:2] == (2, 100)
