"""Changing a record."""

import random

import pytest

from core.dynamo import history, maintenance, metering, references, working_copies
from core.dynamo.actors import Actor
from core.dynamo.errors import AlreadyExists, Conflict, NotFound, TooLarge
from core.dynamo.transactions import Transaction
from tests.core.dynamo.library import Article, Picture, articles, pictures

pytestmark = [pytest.mark.usefixtures("db"), pytest.mark.aws]


def stored(article_id: str) -> dict[str, dict[str, object]]:
    key = {"articleId": {"S": article_id}}
    item: dict[str, dict[str, object]] = maintenance.request(
        "GetItem", TableName=Article.Meta.table_name, Key=key, ConsistentRead=True
    )["Item"]
    return item


def test_only_changed_fields_are_written_and_the_version_rises(alice: Actor) -> None:
    article = articles.create(Article(title="Opening day", tags={"a", "b"}, priority=1), actor=alice)

    changed = articles.update(
        article, {"title": "Closing day", "tags": {"b", "a"}, "priority": 1}, actor=alice
    )

    assert (changed.title, changed.version) == ("Closing day", 2)
    assert changed.stored == stored(article.article_id)
    assert changed.updated_at > article.updated_at
    assert history.entries("article", article.article_id).items[0].fields == ["title"]


def test_a_save_that_changes_nothing_writes_nothing(alice: Actor) -> None:
    article = articles.create(Article(title="Opening day", tags={"a", "b"}), actor=alice)

    with metering.metered() as meter:
        same = articles.update(article, {"title": "Opening day", "tags": {"b", "a"}}, actor=alice)

    assert (same.version, meter.requests) == (1, 0)


def test_none_removes_an_attribute(alice: Actor) -> None:
    article = articles.create(Article(title="Opening day", slug="opening-day", tags={"a"}), actor=alice)

    articles.update(article, {"slug": None, "tags": set()}, actor=alice)

    assert {"slug", "tags"}.isdisjoint(stored(article.article_id))


def test_attributes_our_model_does_not_know_survive(alice: Actor) -> None:
    article = articles.create(Article(title="Opening day"), actor=alice)
    unknown = {
        "M": {"from": {"S": "a newer release"}, "bytes": {"B": b"\x00\xff"}, "set": {"NS": ["1", "2"]}}
    }
    maintenance.request(
        "UpdateItem",
        TableName=Article.Meta.table_name,
        Key=article.raw_key(),
        UpdateExpression="SET future = :future",
        ExpressionAttributeValues={":future": unknown},
    )

    articles.update(articles.get(article.article_id, strong=True), {"title": "Closing day"}, actor=alice)

    kept = stored(article.article_id)["future"]["M"]
    assert isinstance(kept, dict)
    assert kept["from"] == {"S": "a newer release"}
    assert kept["bytes"] == {"B": b"\x00\xff"}
    assert set(kept["set"]["NS"]) == {"1", "2"}


def test_a_stale_version_is_refused_without_a_request_and_shows_what_is_stored(
    alice: Actor, bob: Actor
) -> None:
    article = articles.create(Article(title="Opening day"), actor=alice)
    current = articles.update(article, {"title": "Bob was here"}, actor=bob)

    with metering.metered() as meter, pytest.raises(Conflict) as refusal:
        articles.update(current, {"title": "Alice was here"}, seen_version=1, actor=alice)

    assert refusal.value.current.title == "Bob was here"
    assert meter.requests == 0


def test_a_write_that_lost_the_race_is_refused_by_the_engine_and_shows_the_winner(
    alice: Actor, bob: Actor
) -> None:
    article = articles.create(Article(title="Opening day"), actor=alice)
    articles.update(article, {"title": "Bob was here"}, actor=bob)

    with metering.metered() as meter, pytest.raises(Conflict) as refusal:
        articles.update(article, {"title": "Alice was here"}, actor=alice)

    assert refusal.value.current.title == "Bob was here"
    assert meter.operations == ["TransactWriteItems"]
    assert [entry.actor_name for entry in history.entries("article", article.article_id).items] == [
        "Bob Brandt",
        "Alice Ahrens",
    ]


def test_a_deleted_record_is_not_written_back_by_a_late_save(alice: Actor) -> None:
    article = articles.create(Article(title="Opening day"), actor=alice)
    articles.delete(article, actor=alice)

    with pytest.raises(NotFound):
        articles.update(article, {"title": "Ghost"}, actor=alice)

    with pytest.raises(NotFound):
        articles.get(article.article_id, strong=True)


def test_a_record_imported_without_a_version_can_be_changed(alice: Actor) -> None:
    maintenance.request(
        "PutItem",
        TableName=Article.Meta.table_name,
        Item={"articleId": {"S": "old-1"}, "title": {"S": "From before"}},
    )

    articles.update(articles.get("old-1"), {"title": "Now"}, seen_version=0, actor=alice)

    assert (articles.get("old-1").title, articles.get("old-1").version) == ("Now", 1)


def test_a_unique_value_moves_with_the_change_and_the_old_one_is_free(alice: Actor) -> None:
    article = articles.create(Article(title="One", slug="first"), actor=alice)
    articles.update(article, {"slug": "second"}, actor=alice)

    articles.create(Article(title="Two", slug="first"), actor=alice)
    with pytest.raises(AlreadyExists):
        articles.create(Article(title="Three", slug="second"), actor=alice)


def test_keys_versions_times_and_counters_cannot_be_set(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)

    for name in ("article_id", "version", "created_at", "updated_at", "refs"):
        with pytest.raises(ValueError, match=name):
            articles.update(article, {name: 7}, actor=alice)


def test_a_change_that_makes_the_item_larger_than_400_kb_leaves_the_old_record(alice: Actor) -> None:
    article = articles.create(Article(title="One", body={"text": "x" * 200_000}), actor=alice)

    with metering.metered() as meter, pytest.raises(TooLarge):
        articles.update(article, {"body": {"text": "y" * 410_000}}, actor=alice)

    assert meter.requests == 0
    assert articles.get(article.article_id, strong=True).body == {"text": "x" * 200_000}


def test_a_change_that_the_trash_could_not_hold_is_refused(alice: Actor) -> None:
    """Bytes that cannot be compressed fit into the record, but not into the image a delete would keep."""
    photo = {"B": random.Random(1).randbytes(405_000)}
    imported = {"articleId": {"S": "old-1"}, "title": {"S": "From before"}, "photo": photo}
    maintenance.request("PutItem", TableName=Article.Meta.table_name, Item=imported)
    article = articles.get("old-1", strong=True)

    with metering.metered() as meter, pytest.raises(TooLarge):
        articles.update(article, {"title": "Now"}, actor=alice)

    assert meter.requests == 0


def test_a_picture_is_used_in_the_articles_that_show_it(alice: Actor) -> None:
    first, _second = (
        pictures.create(Picture(album="2026", number=number, caption="Field"), actor=alice)
        for number in ("1", "2")
    )
    article = articles.create(Article(title="One", picture_ids=["2026|1"], cover_id="2026|1"), actor=alice)
    assert pictures.get("2026|1").refs == 2

    articles.update(article, {"picture_ids": ["2026|2"]}, actor=alice)

    assert (pictures.get("2026|1").refs, pictures.get("2026|2").refs) == (1, 1)
    assert [(row.entity, row.key, row.field) for row in references.used_in("picture", "2026|1").items] == [
        ("article", article.article_id, "cover_id")
    ]
    assert pictures.get("2026|1").version == first.version


def test_a_twelve_word_title_with_slug_and_references_changes_in_one_transaction(alice: Actor) -> None:
    for number in range(20):
        pictures.create(Picture(album="2026", number=str(number), caption="Field"), actor=alice)
    old = "one two three four five six seven eight nine ten eleven twelve"
    new = "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"
    article = articles.create(
        Article(title=old, slug="old", picture_ids=[f"2026|{number}" for number in range(10)]), actor=alice
    )

    with metering.metered() as meter:
        changed = {"title": new, "slug": "new", "picture_ids": [f"2026|{number}" for number in range(10, 20)]}
        articles.update(article, changed, actor=alice)

    assert meter.operations == ["TransactWriteItems"]
    assert articles.get(article.article_id).title == new


def test_a_change_of_more_than_a_hundred_items_is_refused_before_it_is_sent(alice: Actor) -> None:
    for number in range(40):
        pictures.create(Picture(album="2026", number=str(number), caption="Field"), actor=alice)
    before = Article(
        title=" ".join(f"alt{n}" for n in range(25)), picture_ids=[f"2026|{n}" for n in range(20)]
    )
    article = articles.create(before, actor=alice)

    with metering.metered() as meter, pytest.raises(TooLarge) as refusal:
        articles.update(
            article,
            {
                "title": " ".join(f"neu{n}" for n in range(25)),
                "picture_ids": [f"2026|{n}" for n in range(20, 40)],
            },
            actor=alice,
        )

    assert meter.requests == 0
    assert str(refusal.value) == "This change is too large. Make it in smaller steps."


def test_applying_a_working_copy_removes_it_in_the_same_transaction(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    copy = working_copies.save(
        entity="article",
        key=article.article_id,
        label="One",
        values={"title": "Two"},
        seen_version=0,
        based_on=1,
        actor=alice,
    )

    with metering.metered() as meter:
        applying = Transaction()
        applying.add(working_copies.discard("article", article.article_id, copy.version))
        articles.update(article, copy.values, verb="publish", actor=alice, transaction=applying)
        applying.commit()

    assert meter.operations == ["TransactWriteItems"]
    assert working_copies.get("article", article.article_id) is None
    assert articles.get(article.article_id).title == "Two"


def test_a_copy_that_somebody_changed_meanwhile_is_not_applied(alice: Actor, bob: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    place = {"entity": "article", "key": article.article_id, "label": "One", "based_on": 1}
    copy = working_copies.save(**place, values={"title": "Two"}, seen_version=0, actor=alice)
    working_copies.save(**place, values={"title": "Three"}, seen_version=copy.version, actor=bob)

    applying = Transaction()
    applying.add(working_copies.discard("article", article.article_id, copy.version))
    articles.update(article, {"title": "Two"}, actor=alice, transaction=applying)

    with pytest.raises(Conflict) as refusal:
        applying.commit()

    assert str(refusal.value) == "Bob Brandt changed this draft in the meantime."
    assert articles.get(article.article_id).title == "One"


def test_a_record_that_was_read_in_part_is_not_written(alice: Actor) -> None:
    article = articles.create(Article(title="One", slug="first", body={"text": "long"}), actor=alice)
    fields = ["article_id", "title", "version"]
    parts = [
        articles.get(article.article_id, fields=fields),
        articles.get_many([article.article_id], fields=fields)[article.article_id],
        articles.page(article.article_id, fields=fields).items[0],
    ]

    for part in parts:
        with pytest.raises(ValueError, match="read in part"):
            articles.update(part, {"title": "Two"}, actor=alice)
        with pytest.raises(ValueError, match="read in part"):
            articles.delete(part, actor=alice)
    assert articles.get(article.article_id, strong=True).stored == article.stored


def test_a_form_of_a_records_earlier_life_does_not_overwrite_its_new_one(alice: Actor, bob: Actor) -> None:
    earlier = pictures.create(Picture(album="2026", number="1", caption="Old"), actor=alice)
    pictures.delete(earlier, actor=bob)
    pictures.create(Picture(album="2026", number="1", caption="New"), actor=bob)
    current = pictures.get("2026|1", strong=True)

    with pytest.raises(Conflict):
        pictures.update(current, {"caption": "Late"}, seen_version=earlier.version, actor=alice)
    with pytest.raises(Conflict):
        pictures.update(earlier, {"caption": "Late"}, actor=alice)

    assert pictures.get("2026|1", strong=True).caption == "New"


def test_a_deleted_record_without_a_version_is_not_written_back_either(alice: Actor) -> None:
    imported = {"articleId": {"S": "old-1"}, "title": {"S": "From before"}}
    maintenance.request("PutItem", TableName=Article.Meta.table_name, Item=imported)
    article = articles.get("old-1", strong=True)
    maintenance.request("DeleteItem", TableName=Article.Meta.table_name, Key=article.raw_key())

    with pytest.raises(NotFound):
        articles.update(article, {"title": "Ghost"}, actor=alice)

    with pytest.raises(NotFound):
        articles.get("old-1", strong=True)


def test_an_imported_record_with_too_many_references_can_still_be_edited_and_emptied(alice: Actor) -> None:
    for number in range(21):
        pictures.create(Picture(album="2026", number=str(number)), actor=alice)
    chosen = {"L": [{"S": f"2026|{number}"} for number in range(21)]}
    imported = {"articleId": {"S": "old-1"}, "title": {"S": "From before"}, "pictureIds": chosen}
    maintenance.request("PutItem", TableName=Article.Meta.table_name, Item=imported)

    article = articles.update(articles.get("old-1", strong=True), {"picture_ids": None}, actor=alice)

    assert article.picture_ids is None


def test_a_stale_save_of_a_record_in_use_is_a_conflict_and_not_about_its_use(
    alice: Actor, bob: Actor
) -> None:
    picture = pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice)
    articles.create(Article(title="One", cover_id="2026|1"), actor=alice)
    pictures.update(pictures.get("2026|1", strong=True), {"caption": "Pitch"}, actor=bob)

    with pytest.raises(Conflict) as refusal:
        pictures.delete(picture, actor=alice)

    assert type(refusal.value) is Conflict


def test_attributes_that_follow_from_fields_follow_a_change_of_them(alice: Actor) -> None:
    picture = pictures.create(Picture(album="2026", number="1", caption="field"), actor=alice)
    picture = pictures.update(picture, {"caption": "pitch"}, actor=alice)
    assert pictures.get("2026|1", strong=True).shelf == picture.shelf == "SHELF#P"

    pictures.update(picture, {"caption": None}, actor=alice)
    assert pictures.get("2026|1", strong=True).shelf is None


# --- A record that may not be there yet -------------------------------------------------------------------


def test_what_was_never_stored_is_created_with_the_fields(alice: Actor) -> None:
    saved = articles.save(Article(title="Draft"), {"title": "Opening day"}, actor=alice, seen_version=0)

    assert (articles.get(saved.article_id).title, saved.version) == ("Opening day", 1)
    assert [each.verb for each in history.entries("article", saved.article_id).items] == ["create"]


def test_what_was_read_is_updated_also_without_a_version(alice: Actor) -> None:
    maintenance.request(
        "PutItem",
        TableName=Article.Meta.table_name,
        Item={"articleId": {"S": "old-3"}, "title": {"S": "Before"}, "unknown": {"S": "kept"}},
    )

    articles.save(articles.get("old-3", strong=True), {"title": "Now"}, actor=alice, seen_version=0)

    assert (stored("old-3")["title"], stored("old-3")["unknown"]) == ({"S": "Now"}, {"S": "kept"})


def test_who_has_seen_what_is_gone_is_told_so(alice: Actor) -> None:
    new = Article(title="Opening day")

    with pytest.raises(Conflict):
        articles.save(new, {"title": "Closing day"}, actor=alice, seen_version=3)

    with pytest.raises(NotFound):
        articles.get(new.article_id)


def test_two_who_save_what_is_not_there_yet_make_one(alice: Actor, bob: Actor) -> None:
    articles.save(Article(article_id="one", title=""), {"title": "Alice"}, actor=alice)

    with pytest.raises(AlreadyExists) as refused:
        articles.save(Article(article_id="one", title=""), {"title": "Bob"}, actor=bob)

    assert refused.value.current.title == "Alice"
