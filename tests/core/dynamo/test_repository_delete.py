"""Deleting a record, and bringing it back."""

import json
from datetime import timedelta
from typing import Any

import pytest

from core.dynamo import history, maintenance, metering, references, registry, search, trash
from core.dynamo.actors import Actor
from core.dynamo.errors import AlreadyExists, Conflict, DataError, InUse, Missing, NotFound, TooLarge
from core.dynamo.support_table import SupportItem
from core.dynamo.transactions import Transaction
from tests.core.dynamo.library import Article, Picture, Trip, articles, everybody_may, pictures, trips

SUPPORT = SupportItem.Meta.table_name
pytestmark = [pytest.mark.usefixtures("db"), pytest.mark.aws]


def trash_id(entity: str, key: str) -> str:
    trashed = trash.of_record(entity, key)
    assert trashed is not None
    return trashed.trash_id


def all_items() -> dict[str, list[str]]:
    """Everything stored outside history and trash, for comparing before and after."""
    tables = (Article.Meta.table_name, Picture.Meta.table_name, SUPPORT)
    return {
        table: sorted(
            json.dumps(item, sort_keys=True, default=repr)
            for item in maintenance.request("Scan", TableName=table)["Items"]
            if not item.get("PK", {"S": ""})["S"].startswith(("HIST#", "TRASH#"))
        )
        for table in tables
    }


def test_a_deleted_record_is_gone_with_its_words_guards_and_references(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice)
    before = all_items()
    article = articles.create(
        Article(title="Opening day", slug="opening", picture_ids=["2026|1"]), actor=alice
    )

    with metering.metered() as meter:
        articles.delete(article, actor=alice)

    assert meter.operations == ["TransactWriteItems"]
    with pytest.raises(NotFound):
        articles.get(article.article_id, strong=True)
    assert search.search("opening", ["cms"], may_see=everybody_may).hits == []
    after = all_items()
    assert after[SUPPORT] == before[SUPPORT]
    assert pictures.get("2026|1").refs == 0


def test_a_deleted_record_comes_back_byte_for_byte(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice)
    article = articles.create(
        Article(title="Opening day", slug="opening", tags={"x", "y"}, picture_ids=["2026|1"], priority=7),
        actor=alice,
    )
    maintenance.request(
        "UpdateItem",
        TableName=Article.Meta.table_name,
        Key=article.raw_key(),
        UpdateExpression="SET future = :future, photo = :photo",
        ExpressionAttributeValues={
            ":future": {
                "M": {"n": {"N": "12345678901234567890.5"}, "empty": {"S": ""}, "none": {"NULL": True}}
            },
            ":photo": {"B": bytes(range(256))},
        },
    )
    before = all_items()

    articles.delete(articles.get(article.article_id, strong=True), actor=alice)
    articles.restore(trash_id("article", article.article_id), actor=alice)

    assert all_items() == before
    assert trash.page("article").items == []
    assert [entry.verb for entry in history.entries("article", article.article_id).items] == [
        "restore",
        "delete",
        "create",
    ]


def test_when_its_slug_was_taken_meanwhile_another_is_asked_for(alice: Actor, bob: Actor) -> None:
    article = articles.create(Article(title="Opening day", slug="opening"), actor=alice)
    articles.delete(article, actor=alice)
    articles.create(Article(title="New opening", slug="opening"), actor=bob)
    place = trash_id("article", article.article_id)

    with pytest.raises(AlreadyExists) as refusal:
        articles.restore(place, actor=alice)
    assert refusal.value.field == "slug"

    restored = articles.restore(place, fields={"slug": "opening-2"}, actor=alice)
    assert (restored.slug, restored.title, restored.version) == ("opening-2", "Opening day", 2)
    assert articles.get(article.article_id, strong=True).slug == "opening-2"


def test_when_what_it_refers_to_is_gone_all_of_it_is_named_and_can_be_left_out(alice: Actor) -> None:
    shown = [pictures.create(Picture(album="2026", number=number), actor=alice) for number in "123"]
    article = articles.create(
        Article(title="Opening day", picture_ids=["2026|1", "2026|2", "2026|3"], cover_id="2026|1"),
        actor=alice,
    )
    articles.delete(article, actor=alice)
    for gone in (shown[0], shown[2]):
        pictures.delete(pictures.get(pictures.key_of(gone), strong=True), actor=alice)
    place = trash_id("article", article.article_id)

    with pytest.raises(Missing) as refusal:
        articles.restore(place, actor=alice)
    assert (refusal.value.field, refusal.value.records) == (
        "picture_ids",
        [("picture", "2026|1"), ("picture", "2026|3")],
    )

    with metering.metered() as meter:
        articles.restore(place, without=refusal.value.records, actor=alice)
    assert meter.operations == ["GetItem", "TransactWriteItems"]
    restored = articles.get(article.article_id, strong=True)
    assert (restored.picture_ids, restored.cover_id, restored.version) == (["2026|2"], None, 2)
    assert pictures.get("2026|2").refs == 1


def test_its_history_keeps_what_was_left_out(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1"), actor=alice)
    article = articles.create(Article(title="Opening day", cover_id="2026|1"), actor=alice)
    articles.delete(article, actor=alice)
    pictures.delete(pictures.get("2026|1", strong=True), actor=alice)

    articles.restore(trash_id("article", article.article_id), without=[("picture", "2026|1")], actor=alice)

    newest, earlier = history.entries("article", article.article_id, limit=2).items
    current = articles.get(article.article_id, strong=True)
    assert [(each.verb, each.fields) for each in (newest, earlier)] == [
        ("leave_out", ["coverId"]),
        ("restore", ["coverId", "kind", "title"]),
    ]
    assert newest.at == current.updated_at
    _entry, before, after = history.before_and_after(
        "article", article.article_id, newest.entry_id, current.stored
    )
    assert (before, after) == ({"coverId": {"S": "2026|1"}}, {})


def test_a_record_that_is_used_elsewhere_is_not_deleted(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice)
    article = articles.create(Article(title="One", cover_id="2026|1"), actor=alice)

    with pytest.raises(InUse):
        pictures.delete(pictures.get("2026|1", strong=True), actor=alice)

    articles.update(article, {"cover_id": None}, actor=alice)
    pictures.delete(pictures.get("2026|1", strong=True), actor=alice)


def test_a_record_is_deleted_together_with_all_uses_of_it_or_not_at_all(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice)
    one = articles.create(Article(title="One", cover_id="2026|1"), actor=alice)
    two = articles.create(Article(title="Two", picture_ids=["2026|1"]), actor=alice)
    picture = pictures.get("2026|1", strong=True)

    with pytest.raises(InUse):
        _delete_with_uses(picture, [(one, {"cover_id": None})], actor=alice)
    assert articles.get(one.article_id, strong=True).cover_id == "2026|1"

    _delete_with_uses(picture, [(one, {"cover_id": None}), (two, {"picture_ids": []})], actor=alice)
    assert articles.get(one.article_id, strong=True).cover_id is None
    assert references.used_in("picture", "2026|1").items == []

    restored = pictures.restore(trash_id("picture", "2026|1"), actor=alice)
    assert restored.refs is None
    pictures.delete(restored, actor=alice)


def test_a_use_that_begins_meanwhile_stops_the_deletion_together_with_all_uses(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice)
    one = articles.create(Article(title="One", cover_id="2026|1"), actor=alice)
    picture = pictures.get("2026|1", strong=True)
    articles.create(Article(title="Late", cover_id="2026|1"), actor=alice)

    with pytest.raises(InUse):
        _delete_with_uses(picture, [(one, {"cover_id": None})], actor=alice)

    assert articles.get(one.article_id, strong=True).cover_id == "2026|1"


def _delete_with_uses(picture: Picture, uses: list[tuple[Article, dict[str, Any]]], *, actor: Actor) -> None:
    transaction = Transaction()
    for article, fields in uses:
        articles.update(article, fields, actor=actor, transaction=transaction)
    pictures.delete(picture, actor=actor, transaction=transaction, released=len(uses))
    transaction.commit()


def test_a_count_that_an_uncounted_use_took_below_zero_does_not_stop_a_deletion(alice: Actor) -> None:
    pictures.create(Picture(album="2026", number="1"), actor=alice)
    imported = {"articleId": {"S": "old-1"}, "title": {"S": "From before"}, "coverId": {"S": "2026|1"}}
    maintenance.request("PutItem", TableName=Article.Meta.table_name, Item=imported)
    articles.update(articles.get("old-1", strong=True), {"cover_id": None}, actor=alice)
    picture = pictures.get("2026|1", strong=True)
    assert picture.refs == -1

    pictures.delete(picture, actor=alice)


def test_a_use_that_began_after_the_record_was_read_stops_its_deletion(alice: Actor) -> None:
    picture = pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice)
    articles.create(Article(title="One", cover_id="2026|1"), actor=alice)

    with pytest.raises(InUse):
        pictures.delete(picture, actor=alice)

    assert references.used_in("picture", "2026|1").items[0].field == "cover_id"


def test_restoring_twice_or_over_a_new_record_is_refused(alice: Actor) -> None:
    picture = pictures.create(Picture(album="2026", number="1", caption="First"), actor=alice)
    pictures.delete(picture, actor=alice)
    first = trash_id("picture", "2026|1")
    second = pictures.create(Picture(album="2026", number="1", caption="Second"), actor=alice)

    with pytest.raises(AlreadyExists):
        pictures.restore(first, actor=alice)

    pictures.delete(second, actor=alice)
    assert [item.record["caption"]["S"] for item in trash.page("picture").items] == ["Second", "First"]
    pictures.restore(first, actor=alice)
    with pytest.raises(NotFound):
        pictures.restore(first, actor=alice)
    assert pictures.get("2026|1").caption == "First"


def test_a_stale_delete_is_refused(alice: Actor, bob: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    articles.update(article, {"title": "Two"}, actor=bob)

    with pytest.raises(Conflict) as refusal:
        articles.delete(article, actor=alice)
    with pytest.raises(Conflict):
        articles.delete(articles.get(article.article_id), seen_version=1, actor=alice)

    assert refusal.value.current.title == "Two"
    assert articles.get(article.article_id).title == "Two"


def test_a_record_that_refers_to_itself_can_be_deleted(alice: Actor) -> None:
    class Chapter(Article):
        pass

    class ChapterRepository(type(articles)):  # type: ignore[misc]
        model = Chapter
        entity = "chapter"
        unique = ()
        references = (references.Reference("cover_id", to="chapter"),)

    chapters = ChapterRepository()
    try:
        chapter = chapters.create(Chapter(article_id="c1", title="One", cover_id="c1"), actor=alice)
        chapters.delete(chapter, actor=alice)
        with pytest.raises(NotFound):
            chapters.get("c1", strong=True)
    finally:
        registry._repositories.pop("chapter")


def test_the_trash_of_a_record_is_not_that_of_another_whose_key_begins_alike(alice: Actor) -> None:
    for number in ("1", "1#x", "1 2", "1|2"):
        picture = pictures.create(Picture(album="EVENT#1", number=number, caption=number), actor=alice)
        pictures.delete(picture, actor=alice)

    for number, key in (("1", "EVENT#1|1"), ("1#x", "EVENT#1|1#x"), ("1|2", "EVENT#1|1%7C2")):
        trashed = trash.of_record("picture", key)
        assert trashed is not None
        assert trashed.record["caption"] == {"S": number}
    assert trash.of_record("picture", "EVENT#1") is None


def test_the_trash_of_a_record_is_its_newest_image_and_read_strongly_because_people_undo_at_once(
    alice: Actor,
) -> None:
    for caption in ("First", "Second"):
        pictures.delete(
            pictures.create(Picture(album="1", number="1", caption=caption), actor=alice), actor=alice
        )

    with metering.metered() as meter:
        trashed = trash.of_record("picture", "1|1")
        assert trashed is not None
        trash.find("picture", trashed.trash_id)

    assert trashed.record["caption"] == {"S": "Second"}
    assert [call.units for call in meter.calls] == [1.0, 1.0]


def test_what_is_in_the_trash_is_kept_for_thirty_days(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    articles.delete(article, actor=alice)

    (trashed,) = trash.page("article").items

    assert trashed.ttl == (trashed.at + timedelta(days=30)).replace(microsecond=0)


def test_an_image_that_somebody_else_restored_meanwhile_is_not_used_again(
    alice: Actor, bob: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures.delete(pictures.create(Picture(album="2026", number="1"), actor=alice), actor=alice)
    place = trash_id("picture", "2026|1")
    found = trash.find("picture", place)
    again = pictures.update(pictures.restore(place, actor=bob), {"caption": "By Bob"}, actor=bob)
    pictures.delete(again, actor=bob)
    monkeypatch.setattr(trash, "find", lambda *_: found)

    with pytest.raises(Conflict):
        pictures.restore(place, actor=alice)

    with pytest.raises(NotFound):
        pictures.get("2026|1", strong=True)


@pytest.mark.parametrize("place", ["", "x" * 1500, "\ud800", "no/such"])
def test_a_place_where_nothing_lies_is_not_found(alice: Actor, place: str) -> None:
    with pytest.raises(DataError) as refusal:
        articles.restore(place, actor=alice)

    assert refusal.value.status_code in {400, 404}


def test_any_count_that_changed_since_the_record_was_read_stops_its_deletion(alice: Actor) -> None:
    trip = trips.create(Trip(pk="TRIP#1"), actor=alice)
    booking = Transaction()
    booking.count(Trip, trip.raw_key(), "seats", 1, refused=lambda _stored: NotFound())
    booking.commit()

    with pytest.raises(Conflict):
        trips.delete(trip, actor=alice)

    trips.delete(trips.get("TRIP#1|TRIP", strong=True), actor=alice)


def test_what_was_built_in_two_steps_can_be_deleted_or_is_refused(alice: Actor) -> None:
    """A slug, 25 words and 36 pictures would need 101 operations to be deleted."""
    for number in range(36):
        pictures.create(Picture(album="2026", number=str(number)), actor=alice)

    class Album(type(articles)):  # type: ignore[misc]
        entity = "album"
        references = (
            references.Reference("picture_ids", to="picture"),
            references.Reference("tags", to="picture"),
        )

    albums = Album()
    try:
        words = " ".join(f"word{number}" for number in range(25))
        first = Article(title=words, slug="s", picture_ids=[f"2026|{number}" for number in range(20)])
        album = albums.create(first, actor=alice)
        with pytest.raises(TooLarge, match="too much for one entry"):
            albums.update(album, {"tags": {f"2026|{number}" for number in range(20, 36)}}, actor=alice)

        # 1 slug, 25 words and 2 x 35 references beside the record, its image and its history: 99.
        album = albums.update(album, {"tags": {f"2026|{number}" for number in range(20, 35)}}, actor=alice)
        albums.delete(album, actor=alice)
    finally:
        registry._repositories.pop("album")
    assert {pictures.get(f"2026|{number}").refs for number in range(35)} == {0}


def test_the_keys_of_all_in_the_trash_are_known_also_beyond_one_page(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trash, "MOST", 2)
    for key in ("1", "2", "3"):
        articles.delete(articles.create(Article(article_id=key, title="Derby"), actor=alice), actor=alice)
    pictures.delete(pictures.create(Picture(album="2026", number="1"), actor=alice), actor=alice)

    assert trash.keys("article") == {"1", "2", "3"}
