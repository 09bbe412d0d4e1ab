"""Creating a record."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.dynamo import history, metering, trash
from core.dynamo.actors import Actor
from core.dynamo.errors import AlreadyExists, DataError, NotFound, TooLarge
from tests.core.dynamo.library import Article, Picture, Trip, articles, pictures, trips

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
    assert str(refusal.value) == "Choose at most 20."


def test_attributes_that_follow_from_fields_are_written_with_them(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="field"), actor=alice)

    assert pictures.get("2026|1").shelf == "SHELF#F"


def test_an_item_over_400_kb_is_refused_before_it_is_sent(alice: Actor) -> None:
    with metering.metered() as meter, pytest.raises(TooLarge):
        articles.create(Article(title="x" * 410_000), actor=alice)

    assert meter.requests == 0


def test_one_moment_is_one_unique_value_in_whatever_zone_it_is_given(alice: Actor) -> None:
    in_berlin = datetime(2026, 5, 1, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    trip = trips.create(Trip(pk="TRIP#1", starts=in_berlin), actor=alice)

    with pytest.raises(AlreadyExists) as refusal:
        trips.create(Trip(pk="TRIP#2", starts=in_berlin.astimezone(UTC)), actor=alice)
    assert refusal.value.field == "starts"

    trips.delete(trip, actor=alice)
    trips.create(Trip(pk="TRIP#2", starts=in_berlin), actor=alice)


def test_one_number_is_one_unique_value_as_int_or_float(alice: Actor) -> None:
    trips.create(Trip(pk="TRIP#1", bus=7), actor=alice)

    with pytest.raises(AlreadyExists):
        trips.create(Trip(pk="TRIP#2", bus=7.0), actor=alice)
    trips.create(Trip(pk="TRIP#2", bus=7.5), actor=alice)


def test_the_same_letters_are_one_slug_however_they_are_composed(alice: Actor) -> None:
    articles.create(Article(title="One", slug="caf\u00e9"), actor=alice)

    with pytest.raises(AlreadyExists):
        articles.create(Article(title="Two", slug="cafe\u0301"), actor=alice)


def test_no_slug_or_an_empty_one_is_nobodys(alice: Actor) -> None:
    keys = [
        articles.create(Article(title="One", slug=slug), actor=alice).article_id
        for slug in (None, None, "", "")
    ]

    assert len(articles.get_many(keys, strong=True)) == 4


def test_a_slug_longer_than_a_key_is_unique_too(alice: Actor) -> None:
    articles.create(Article(title="One", slug="x" * 5000), actor=alice)

    with pytest.raises(AlreadyExists):
        articles.create(Article(title="Two", slug="x" * 5000), actor=alice)
    articles.create(Article(title="Two", slug="x" * 4999 + "y"), actor=alice)


def test_what_create_returns_is_what_a_read_returns(alice: Actor) -> None:
    starts = datetime(2026, 5, 1, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    created = trips.create(Trip(pk="TRIP#1", starts=starts), actor=alice)

    assert created.stored == trips.get("TRIP#1|TRIP", strong=True).stored
    assert created.starts.tzinfo == UTC


def test_a_time_of_creation_that_is_given_is_kept(alice: Actor) -> None:
    founded = datetime(1999, 1, 2, tzinfo=UTC)

    article = articles.create(Article(title="One", created_at=founded), actor=alice)

    assert (article.created_at, article.updated_at > founded) == (founded, True)


def test_a_label_is_cut_to_200_letters(alice: Actor) -> None:
    article = articles.create(Article(title="x" * 300), actor=alice)

    assert history.entries("article", article.article_id).items[0].label == "x" * 200


@pytest.mark.parametrize(
    "item",
    [
        Article(title="\ud800"),
        Article(title="One", body={"text": "\ud800"}),
        Article(article_id="\ud800", title="One"),
        Article(article_id="", title="One"),
        Article(title="One", slug="\ud800"),
        Article(title="One", slug="x" * 600 + "\ud800"),
        Article(title="One", priority=float("nan")),
    ],
    ids=["half letter", "inside", "as key", "no key", "as slug", "in a long slug", "no number"],
)
def test_what_dynamodb_cannot_keep_is_refused_by_an_error_of_ours(alice: Actor, item: Article) -> None:
    with pytest.raises(DataError) as refusal:
        articles.create(item, actor=alice)

    assert refusal.value.status_code in {400, 413}
    assert articles.latest().items == []


def test_a_reference_by_another_spelling_of_the_key_is_refused(alice: Actor) -> None:
    pictures.create(Picture(album="al", number="1"), actor=alice)

    with pytest.raises(NotFound):
        articles.create(Article(title="One", cover_id="a%6C|1"), actor=alice)

    assert pictures.get("al|1").refs is None


def test_a_key_too_long_for_the_trash_is_refused(alice: Actor) -> None:
    with metering.metered() as meter, pytest.raises(TooLarge):
        articles.create(Article(article_id="x" * 901, title="One"), actor=alice)

    assert meter.requests == 0


def test_the_longest_key_can_be_deleted_and_restored(alice: Actor) -> None:
    article = articles.create(Article(article_id="x" * 900, title="One"), actor=alice)

    articles.delete(article, actor=alice)
    trashed = trash.of_record("article", "x" * 900)
    assert trashed is not None
    articles.restore(trashed.trash_id, actor=alice)

    assert articles.get("x" * 900, strong=True).title == "One"
