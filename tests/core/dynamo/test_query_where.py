"""A list filtered by what no index serves: at most 200 items are looked through for a page."""

import pytest

from core.dynamo import metering
from core.dynamo.paging import Page, StartKey
from core.dynamo.queries import query_where
from tests.core.dynamo.filling import fill
from tests.core.dynamo.library import Article

pytestmark = pytest.mark.usefixtures("db")


def with_ending(ending: str, *, limit: int = 20, start: StartKey | None = None) -> Page[Article]:
    return query_where(
        Article,
        lambda article: article.title.endswith(ending),
        "article",
        index="GSI-List",
        limit=limit,
        start=start,
        fields=["title"],
    )


def all_pages(ending: str, limit: int) -> list[list[str]]:
    pages, start = [], None
    while True:
        page = with_ending(ending, limit=limit, start=start)
        pages.append([article.title[-4:] for article in page.items])
        if page.next_key is None:
            return pages
        start = page.next_key


def test_pages_follow_each_other_without_gap_or_repetition() -> None:
    fill(0, 250)

    pages = all_pages("7", limit=10)

    assert [title for page in pages for title in page] == [f"{number:04}" for number in range(7, 250, 10)]
    assert [len(page) for page in pages] == [10, 10, 5]


def test_a_page_looks_through_at_most_200_items_and_offers_to_go_on() -> None:
    fill(0, 250)

    with metering.metered() as meter:
        page = with_ending("0249")

    assert (meter.requests, meter.items) == (1, 200)
    assert list(page.items) == []
    assert page.next_key is not None
    assert [article.title[-4:] for article in with_ending("0249", start=page.next_key).items] == ["0249"]


def test_a_full_page_at_the_end_of_what_was_looked_through_goes_on_behind_it() -> None:
    fill(0, 20)

    assert all_pages("", limit=20) == [[f"{number:04}" for number in range(20)]]
    assert [len(page) for page in all_pages("", limit=19)] == [19, 1]
