"""Who changed what, with both values."""

import random
import string
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from core.dynamo import history, metering, trash
from core.dynamo.actors import Actor
from core.dynamo.attributes import unwrap
from core.dynamo.items import RawItem
from core.dynamo.support_table import unpack
from tests.awaiting import eventually
from tests.core.dynamo.library import Article, Picture, articles, pictures

pytestmark = [pytest.mark.usefixtures("db"), pytest.mark.aws]


class Change(NamedTuple):
    """One field of one change; None stands for no value."""

    field: str
    before: Any
    after: Any


def changes_of(article: Article, entry_id: str, *, is_deleted: bool = False) -> list[Change]:
    stored = None if is_deleted else article.stored
    found = history.before_and_after("article", article.article_id, entry_id, stored)
    assert found is not None
    entry, before, after = found
    assert after is not None
    return [Change(field, plain(before, field), plain(after, field)) for field in entry.fields]


def plain(values: RawItem, field: str) -> Any:
    return unwrap(values[field]) if field in values else None


def test_each_change_shows_both_values_of_each_field(alice: Actor, bob: Actor) -> None:
    first = articles.create(Article(title="One", priority=1), actor=alice)
    second = articles.update(first, {"title": "Two", "priority": None}, actor=bob)
    third = articles.update(second, {"title": "Three"}, actor=alice)

    newest, middle, oldest = history.entries("article", first.article_id).items

    assert changes_of(third, newest.entry_id) == [Change("title", "Two", "Three")]
    assert changes_of(third, middle.entry_id) == [Change("priority", 1, None), Change("title", "One", "Two")]
    assert Change("title", None, "One") in changes_of(third, oldest.entry_id)
    assert (middle.actor_name, middle.verb, middle.label, middle.at) == (
        "Bob Brandt",
        "update",
        "Two",
        second.updated_at,
    )


def test_a_document_of_200_kb_is_kept_on_both_sides(alice: Actor) -> None:
    letters = random.Random(1)
    old, new = ("".join(letters.choices(string.ascii_letters, k=200_000)) for _ in range(2))
    first = articles.create(Article(title="One", body={"text": old}), actor=alice)
    second = articles.update(first, {"body": {"text": new}}, actor=alice)

    newest = history.entries("article", first.article_id).items[0]

    assert changes_of(second, newest.entry_id) == [Change("body", {"text": old}, {"text": new})]


def test_the_value_after_a_change_is_found_behind_many_later_ones(alice: Actor) -> None:
    article = articles.create(Article(title="One", slug="first"), actor=alice)
    article = articles.update(article, {"slug": "second"}, actor=alice)
    change = history.entries("article", article.article_id).items[0]
    for number in range(60):
        article = articles.update(article, {"title": f"Title {number}"}, actor=alice)
    article = articles.update(article, {"slug": "third"}, actor=alice)

    assert changes_of(article, change.entry_id) == [Change("slug", "first", "second")]


def test_a_deletion_shows_what_was_deleted(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    articles.delete(article, actor=alice)

    deletion, creation = history.entries("article", article.article_id).items

    assert Change("title", "One", None) in changes_of(article, deletion.entry_id, is_deleted=True)
    assert Change("title", None, "One") in changes_of(article, creation.entry_id, is_deleted=True)


def test_the_state_after_any_change_can_be_had_back(alice: Actor) -> None:
    article = articles.create(Article(title="One", slug="first"), actor=alice)
    article = articles.update(article, {"title": "Two", "priority": 5}, actor=alice)
    change = history.entries("article", article.article_id).items[0]
    article = articles.update(article, {"title": "Three", "slug": None}, actor=alice)

    earlier = Article.from_raw_data(
        history.state_after("article", article.article_id, change.entry_id, article.stored) or {}
    )

    assert (earlier.title, earlier.slug, earlier.priority) == ("Two", "first", 5)


def test_what_was_changed_too_often_since_is_not_looked_up_without_end(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "AT_ONCE", 2)
    article = articles.create(Article(title="One", slug="first"), actor=alice)
    (oldest,) = history.entries("article", article.article_id).items
    for number in range(4):
        article = articles.update(article, {"title": f"Title {number}"}, actor=alice)
    assert history.state_after("article", article.article_id, oldest.entry_id, article.stored) is not None
    for number in range(4, 7):
        article = articles.update(article, {"title": f"Title {number}"}, actor=alice)

    with metering.metered() as meter:
        found = history.before_and_after("article", article.article_id, oldest.entry_id, article.stored)
    assert found is not None
    assert (found[0].entry_id, found[2]) == (oldest.entry_id, None)
    with pytest.raises(history.TooOld):
        history.state_after("article", article.article_id, oldest.entry_id, article.stored)
    assert meter.operations == ["Query"] * 3


def test_entries_come_in_the_order_of_the_changes_even_when_one_server_is_ahead(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    with monkeypatch.context() as ahead:
        for module in ("changeset", "repository"):
            ahead.setattr(f"core.dynamo.{module}.now", lambda: article.created_at + timedelta(hours=1))
        article = articles.update(article, {"title": "Two"}, verb="update ahead", actor=alice)

    after = articles.update(article, {"title": "Three"}, actor=alice)
    assert after.updated_at == article.updated_at + timedelta(milliseconds=1)
    articles.delete(after, actor=alice)
    trashed = trash.of_record("article", article.article_id)
    assert trashed is not None
    articles.restore(trashed.trash_id, actor=alice)

    verbs = [entry.verb for entry in history.entries("article", article.article_id).items]
    assert verbs == ["restore", "delete", "update", "update ahead", "create"]


def test_activity_lists_what_happened_in_a_scope_without_the_values(alice: Actor, bob: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    articles.update(article, {"title": "Two"}, actor=bob)

    month = article.created_at.strftime("%Y-%m")
    entries = eventually(lambda: history.activity("cms", month).items, lambda found: len(found) == 2)

    assert [(entry.actor_name, entry.verb, entry.label) for entry in entries] == [
        ("Bob Brandt", "update", "Two"),
        ("Alice Ahrens", "create", "One"),
    ]
    assert entries[0].before is None
    assert history.activity("quests", month).items == []


def test_an_unknown_entry_has_no_changes(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)

    unknown = "2020-01-01T00:00:00.000Z#nothing"
    assert history.before_and_after("article", article.article_id, unknown, article.stored) is None
    assert history.state_after("article", article.article_id, unknown, article.stored) is None


def test_only_what_a_person_entered_counts_as_changed(alice: Actor) -> None:
    """Not keys, versions and times, nor what follows from other fields, nor counts."""
    picture = pictures.create(Picture(album="2026", number="1", caption="Field"), actor=alice)
    article = articles.create(Article(title="One", cover_id="2026|1"), actor=alice)
    articles.update(article, {"cover_id": None}, actor=alice)
    picture = pictures.update(pictures.get("2026|1", strong=True), {"caption": "Pitch"}, actor=alice)
    pictures.delete(picture, actor=alice)

    entries = history.entries("picture", "2026|1").items

    assert [(entry.verb, entry.fields) for entry in entries] == [
        ("delete", ["caption"]),
        ("update", ["caption"]),
        ("create", ["caption"]),
    ]
    assert [sorted(unpack(entry.before)) for entry in entries] == [["caption"], ["caption"], []]
