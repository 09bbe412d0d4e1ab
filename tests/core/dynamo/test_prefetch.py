"""What a request will need comes with its first strong read, and is found once."""

import pytest

from core.dynamo import metering, prefetch, queries
from core.dynamo.actors import Actor
from core.dynamo.items import RawItem
from tests.core.dynamo.library import Article, articles

pytestmark = pytest.mark.usefixtures("db")

MISSING: RawItem = {"articleId": {"S": "missing"}}


@pytest.fixture
def stored(alice: Actor) -> list[Article]:
    return [articles.create(Article(title=title), actor=alice) for title in ("one", "two")]


def read(key: RawItem) -> str | None:
    found = queries.get(Article, key, strong=True)
    return found.title if found else None


def test_one_request_brings_all_and_each_is_found_once(stored: list[Article]) -> None:
    first, second = (item.raw_key() for item in stored)
    with prefetch.request_prefetch(), metering.metered() as meter:
        prefetch.expect([(Article, second), (Article, MISSING)])
        assert [read(first), read(second), read(MISSING)] == ["one", "two", None]
        assert meter.operations == ["BatchGetItem"]

        assert [read(second), read(MISSING)] == ["two", None]
        assert meter.operations == ["BatchGetItem", "GetItem", "GetItem"]


def test_a_batch_asks_only_for_the_rest(stored: list[Article]) -> None:
    first, second = (item.raw_key() for item in stored)
    with prefetch.request_prefetch():
        prefetch.expect([(Article, second), (Article, MISSING)])
        read(first)
        with metering.metered() as meter:
            found = queries.get_many([(Article, key) for key in (second, MISSING)], strong=True)
            assert [item.stored["title"] for item in found] == [{"S": "two"}]
            assert meter.operations == []

            found = queries.get_many([(Article, key) for key in (first, second)], strong=True)
            assert len(found) == 2
            assert meter.operations == ["BatchGetItem"]


def test_after_a_write_everything_is_read_again(stored: list[Article], alice: Actor) -> None:
    first, second = stored
    with prefetch.request_prefetch():
        prefetch.expect([(Article, second.raw_key())])
        read(first.raw_key())
        articles.update(second, {"title": "new"}, actor=alice)

        assert read(second.raw_key()) == "new"


def test_a_read_that_may_lag_or_wants_less_takes_nothing_of_it(stored: list[Article]) -> None:
    first, second = (item.raw_key() for item in stored)
    with prefetch.request_prefetch():
        prefetch.expect([(Article, second)])
        with metering.metered() as meter:
            queries.get(Article, first)
            queries.get(Article, first, strong=True, fields=["title"])
        assert meter.operations == ["GetItem", "GetItem"]
        with metering.metered() as meter:
            read(first)
        assert meter.operations == ["BatchGetItem"]


def test_what_one_request_has_read_another_does_not_find(stored: list[Article]) -> None:
    first, second = (item.raw_key() for item in stored)
    with prefetch.request_prefetch():
        prefetch.expect([(Article, second)])
        read(first)
    with prefetch.request_prefetch(), metering.metered() as meter:
        read(second)
    assert meter.operations == ["GetItem"]
