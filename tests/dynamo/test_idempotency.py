"""A request that is sent twice is carried out once."""

from datetime import timedelta

import pytest

from dynamo import control
from dynamo.actors import Actor
from dynamo.attributes import now, to_iso
from dynamo.errors import KeyReused, NotFound, Replayed
from dynamo.idempotency import Once
from dynamo.support import SupportItem
from tests.dynamo.library import Article, articles

pytestmark = pytest.mark.usefixtures("db")


def once(key: str = "k1", *, sub: str = "alice", route: str = "articles.create", title: str = "One") -> Once:
    return Once(sub=sub, route=route, key=key, payload={"title": title}, answer={"location": f"/{title}"})


def test_the_second_time_the_first_answer_is_given(alice: Actor) -> None:
    articles.create(Article(article_id="1", title="One"), once=once(), actor=alice)

    with pytest.raises(Replayed) as replay:
        articles.create(Article(article_id="2", title="One"), once=once(), actor=alice)

    assert replay.value.answer == {"location": "/One"}
    with pytest.raises(NotFound):
        articles.get("2", strong=True)


def test_a_resent_update_is_a_replay_and_not_a_conflict(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    articles.update(article, {"title": "Two"}, once=once(title="Two"), actor=alice)

    with pytest.raises(Replayed):
        articles.update(article, {"title": "Two"}, once=once(title="Two"), actor=alice)


def test_the_same_key_with_other_contents_is_refused(alice: Actor) -> None:
    articles.create(Article(title="One"), once=once(), actor=alice)

    with pytest.raises(KeyReused):
        articles.create(Article(title="Two"), once=once(title="Two"), actor=alice)


def test_another_person_or_route_may_use_the_same_key(alice: Actor) -> None:
    articles.create(Article(title="One"), once=once(), actor=alice)

    articles.create(Article(title="One"), once=once(sub="bob"), actor=alice)
    articles.create(Article(title="One"), once=once(route="articles.update"), actor=alice)

    assert len(articles.latest().items) == 3


def test_a_refused_write_leaves_the_key_unused(alice: Actor) -> None:
    with pytest.raises(NotFound):
        articles.create(Article(title="One", cover_id="2026|1"), once=once(), actor=alice)

    articles.create(Article(title="One"), once=once(), actor=alice)


def test_a_save_that_changes_nothing_is_remembered_too(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    articles.update(article, {"title": "One"}, once=once(), actor=alice)

    with pytest.raises(Replayed):
        articles.update(article, {"title": "One"}, once=once(), actor=alice)


def test_a_key_is_free_again_after_a_day_to_the_millisecond(alice: Actor) -> None:
    articles.create(Article(title="One"), once=once(), actor=alice)
    key = once().operation().key
    expired = to_iso(now() - timedelta(milliseconds=1))
    control.request(
        "UpdateItem",
        TableName=SupportItem.Meta.table_name,
        Key=key,
        UpdateExpression="SET expiresAt = :then",
        ExpressionAttributeValues={":then": {"S": expired}},
    )

    articles.create(Article(title="One"), once=once(), actor=alice)

    assert len(articles.latest().items) == 2


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_a_key_has_1_to_255_characters(key: str) -> None:
    with pytest.raises(ValueError, match="1 to 255"):
        once(key)
