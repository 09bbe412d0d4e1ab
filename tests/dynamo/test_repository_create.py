"""Creating a record."""

import pytest

from dynamo import history, metering
from dynamo.actors import Actor
from dynamo.errors import AlreadyExists, NotFound, TooLarge
from tests.dynamo.library import Article, Picture, articles, pictures

pytestmark = [pytest.mark.usefixtures("db"), pytest.mark.aws]


def test_a_created_record_reads_back_as_it_was_written(alice: Actor) -> None:
    body = {"type": "doc", "n": 3, "ratio": 0.5, "on": True, "none": None, "content": [{"text": ""}]}

    created = articles.create(Article(title="Opening day", body=body, tags={"club", "home"}), actor=alice)
    read = articles.get(created.article_id, strong=True)

    assert read.title == "Opening day"
    assert read.body == body
    assert read.tags == {"club", "home"}
    assert read.version == 1
    assert read.created_at == read.updated_at == created.created_at


def test_a_create_is_one_transaction(alice: Actor) -> None:
    with metering.metered() as meter:
        articles.create(Article(title="Opening day", slug="opening-day", tags={"club"}), actor=alice)

    assert meter.operations == ["TransactWriteItems"]


def test_a_second_record_with_the_same_key_is_refused_and_shows_the_first(alice: Actor, bob: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="The field"), actor=alice)

    with pytest.raises(AlreadyExists) as refusal:
        pictures.create(Picture(album="2026", number="1", caption="The pitch"), actor=bob)

    assert refusal.value.current.caption == "The field"
    assert pictures.get("2026|1").caption == "The field"


def test_a_taken_unique_value_is_named_and_nothing_is_written(alice: Actor) -> None:
    articles.create(Article(title="One", slug="opening-day"), actor=alice)
    second = Article(title="Two", slug="opening-day")

    with pytest.raises(AlreadyExists) as refusal:
        articles.create(second, actor=alice)

    assert refusal.value.field == "slug"
    with pytest.raises(NotFound):
        articles.get(second.article_id, strong=True)
    assert history.entries("article", second.article_id).items == []


def test_a_reference_to_a_record_that_does_not_exist_is_refused_at_its_field(alice: Actor) -> None:
    with pytest.raises(NotFound) as refusal:
        articles.create(Article(title="One", picture_ids=["2026|404"]), actor=alice)

    assert refusal.value.field == "picture_ids"


def test_more_than_twenty_references_in_a_field_are_refused(alice: Actor) -> None:
    with pytest.raises(TooLarge) as refusal:
        articles.create(Article(title="One", picture_ids=[f"2026|{n}" for n in range(21)]), actor=alice)

    assert refusal.value.field == "picture_ids"
    assert str(refusal.value) == "At most 20 can be chosen here."


def test_attributes_that_follow_from_fields_are_written_with_them(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="field"), actor=alice)

    assert pictures.get("2026|1").shelf == "SHELF#F"


def test_an_item_over_400_kb_is_refused_before_it_is_sent(alice: Actor) -> None:
    with metering.metered() as meter, pytest.raises(TooLarge):
        articles.create(Article(title="x" * 410_000), actor=alice)

    assert meter.requests == 0
