"""Reading records."""

from functools import partial
from typing import Any

import pytest

from core.dynamo import metering, queries, working_copies
from core.dynamo.actors import Actor
from core.dynamo.errors import Invalid, NotFound
from core.dynamo.search_index import WordRow
from core.dynamo.support_table import SupportItem
from core.dynamo.trash import TrashedItem
from tests.core.dynamo.library import Article, Picture, articles, pictures

pytestmark = pytest.mark.usefixtures("db")


def test_get_can_be_strong_and_projected(alice: Actor) -> None:
    created = articles.create(Article(title="One", body={"text": "long"}), actor=alice)

    with metering.metered() as meter:
        read = articles.get(created.article_id, strong=True, fields=["article_id", "title"])

    assert (read.title, read.body) == ("One", None)
    assert meter.operations == ["GetItem"]
    assert meter.units == 1.0


@pytest.mark.parametrize("key", ["", "no-such-key", "x" * 5000, "a|b", "\x00", "💥", "\ud800", "%ED%A0%80"])
def test_a_key_of_no_record_is_not_found(key: str) -> None:
    with pytest.raises(NotFound):
        articles.get(key)


@pytest.mark.parametrize("key", ["", "2026", "2026|", "|1", "2026|1|2", "%|%", "2026|" + "x" * 1025])
def test_a_key_of_the_wrong_shape_is_not_found(key: str) -> None:
    with pytest.raises(NotFound):
        pictures.get(key)


def test_a_composite_key_may_hold_any_character(alice: Actor) -> None:
    picture = pictures.create(Picture(album="EVENT#2026|%é /x", number="TEAM#254"), actor=alice)

    assert pictures.get(pictures.key_of(picture)).album == "EVENT#2026|%é /x"
    assert pictures.key_of(Picture(album="EVENT#2026", number="TEAM#254")) == "EVENT#2026|TEAM#254"


def test_many_records_come_in_batches_of_a_hundred_each_once(alice: Actor) -> None:
    keys = [
        pictures.key_of(pictures.create(Picture(album="2026", number=f"{n:03}"), actor=alice))
        for n in range(101)
    ]

    with metering.metered() as meter:
        found = pictures.get_many([*keys, *keys, "2026|999"])

    assert sorted(found) == sorted(keys)
    assert meter.operations == ["BatchGetItem", "BatchGetItem"]
    assert pictures.get_many([]) == pictures.get_many(["|", "2026|" + "x" * 1025]) == {}


def test_a_page_is_one_request_by_prefix_or_range_in_either_direction(alice: Actor) -> None:
    for number in ("A1", "A2", "B1", "B2"):
        pictures.create(Picture(album="2026", number=number, caption=number), actor=alice)

    def numbers(**options: object) -> list[str]:
        return [picture.number for picture in pictures.page("2026", **options).items]  # type: ignore[arg-type]

    assert numbers() == ["A1", "A2", "B1", "B2"]
    assert numbers(newest_first=True) == ["B2", "B1", "A2", "A1"]
    assert numbers(prefix="A") == ["A1", "A2"]
    assert numbers(prefix="") == ["A1", "A2", "B1", "B2"]
    assert numbers(at_least="A2") == ["A2", "B1", "B2"]
    assert numbers(at_most="A2") == ["A1", "A2"]
    assert numbers(at_least="A2", at_most="B1") == ["A2", "B1"]
    assert numbers(limit=2, strong=True) == ["A1", "A2"]
    assert pictures.page("2026", fields=["number"]).items[0].caption is None
    assert pictures.page("").items == pictures.page("x" * 3000).items == []


def test_pynamodbs_own_calls_use_the_shared_connection(alice: Actor) -> None:
    created = articles.create(Article(title="One"), actor=alice)

    with metering.metered() as meter:
        assert Article.get(created.article_id).title == "One"

    assert meter.operations == ["GetItem"]


def test_get_many_reads_across_tables(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    picture = pictures.create(Picture(album="2026", number="1"), actor=alice)

    with metering.metered() as meter:
        found = queries.get_many([(Article, article.raw_key()), (Picture, picture.raw_key())], strong=True)

    assert {type(item) for item in found} == {Article, Picture}
    assert meter.operations == ["BatchGetItem"]


def test_models_that_share_a_table_come_back_as_themselves(alice: Actor) -> None:
    pictures.delete(
        pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice), actor=alice
    )
    pictures.create(Picture(album="2026", number="2", caption="Pitch"), actor=alice)
    trashed = TrashedItem.get("TRASH#picture", TrashedItem.query("TRASH#picture").next().sk)
    word = WordRow.query("WORD#cms#pi").next()

    found = queries.get_many(
        [
            (TrashedItem, trashed.raw_key()),
            (WordRow, word.raw_key()),
            (SupportItem, {"PK": {"S": "x"}, "SK": {"S": "y"}}),
        ],
        fields=["entity", "key"],
    )

    assert {(type(item), item.sk) for item in found} == {(TrashedItem, trashed.sk), (WordRow, word.sk)}
    assert word.place.record == ("picture", "2026|2")


def test_another_spelling_of_a_key_is_not_found(alice: Actor) -> None:
    articles.create(Article(article_id="abc", title="One"), actor=alice)
    pictures.create(Picture(album="2026", number="1"), actor=alice)

    for alias in ("%61bc", "ab%63", "abc%"):
        with pytest.raises(NotFound):
            articles.get(alias)
        with pytest.raises(NotFound):
            articles.get_many([alias])
    with pytest.raises(NotFound):
        pictures.get("2026%7C1")


@pytest.mark.parametrize(("strong", "units"), [(False, 0.5), (True, 1.0)])
def test_every_read_is_as_strong_as_was_asked(alice: Actor, strong: bool, units: float) -> None:
    """Strong reads cost double."""
    pictures.create(Picture(album="2026", number="1"), actor=alice)
    reads = [
        lambda: pictures.get("2026|1", strong=strong),
        lambda: pictures.get_many(["2026|1"], strong=strong),
        lambda: pictures.page("2026", strong=strong),
    ]

    for read in reads:
        with metering.metered() as meter:
            read()
        assert (meter.requests, meter.units) == (1, units)


def test_get_many_can_be_projected_by_the_names_of_the_model(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1"), actor=alice)
    article = articles.create(Article(title="One", body={"text": "long"}, cover_id="2026|1"), actor=alice)

    found = articles.get_many([article.article_id], fields=["title", "cover_id"])

    part = found[article.article_id]
    assert (part.title, part.cover_id, part.body) == ("One", "2026|1", None)


def test_what_was_read_in_part_says_so(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    working_copies.save(
        entity="article", key="1", label="One", values={}, seen_version=0, based_on=1, actor=alice
    )
    key = (Article, article.raw_key())

    assert not articles.get(article.article_id).partial
    assert not articles.latest().items[0].partial, "this index holds whole records"
    assert not queries.get_many([key])[0].partial
    assert articles.get(article.article_id, fields=["title"]).partial
    assert queries.get_many([key], fields=["title"])[0].partial
    assert articles.page("article", index="GSI-List", fields=["title"]).items[0].partial
    assert working_copies.last_edited_by(alice.sub).items[0].partial, "this index holds some attributes only"


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ({"at_least": "B", "at_most": "A"}, []),
        ({"at_least": "A", "at_most": "A"}, ["A"]),
        ({"limit": 0}, ["A"]),
        ({"limit": -1}, ["A"]),
        ({"limit": 1}, ["A"]),
    ],
)
def test_odd_ranges_and_limits_are_answered(
    alice: Actor, options: dict[str, Any], numbers: list[str]
) -> None:
    for number in ("A", "B"):
        pictures.create(Picture(album="2026", number=number), actor=alice)

    assert [picture.number for picture in pictures.page("2026", **options).items] == numbers


def test_every_record_is_read_by_as_few_requests_as_hold_them(alice: Actor, monkeypatch) -> None:
    monkeypatch.setattr(queries, "PER_REQUEST", 2)
    for number in "ABC":
        pictures.create(Picture(album="2026", number=number), actor=alice)

    with metering.metered() as meter:
        found = queries.every(partial(pictures.page, "2026"))

    assert [picture.number for picture in found] == ["A", "B", "C"]
    assert meter.operations == ["Query", "Query"]
    assert queries.every(partial(pictures.page, "1999")) == []


def test_half_of_a_character_is_no_error_of_aws() -> None:
    with pytest.raises(Invalid):
        pictures.page("\ud800")
    with pytest.raises(Invalid):
        pictures.page("2026", prefix="\ud800")
