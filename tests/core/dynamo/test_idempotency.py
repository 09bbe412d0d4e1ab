"""A request that is sent twice is carried out once."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from core.dynamo import maintenance, metering, queries, trash
from core.dynamo.actors import Actor
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import Conflict, KeyReused, NotFound, Replayed
from core.dynamo.idempotency import IdempotencyKey, IdempotencyRow
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.library import Article, Picture, articles, pictures

pytestmark = pytest.mark.usefixtures("db")


def once(
    key: str = "k1", *, sub: str = "alice", route: str = "articles.create", title: str = "One"
) -> IdempotencyKey:
    return IdempotencyKey(
        sub=sub, route=route, key=key, payload={"title": title}, answer={"location": f"/{title}"}
    )


def expire() -> None:
    """Let the row of `once()` be a day old."""
    maintenance.request(
        "UpdateItem",
        TableName=SupportItem.Meta.table_name,
        Key=once().operation().key,
        UpdateExpression="SET expiresAt = :then",
        ExpressionAttributeValues={":then": {"S": to_iso(now() - timedelta(milliseconds=1))}},
    )


def test_the_second_time_the_first_answer_is_given(alice: Actor) -> None:
    articles.create(Article(article_id="1", title="One"), once=once(), actor=alice)

    with pytest.raises(Replayed) as replay:
        articles.create(Article(article_id="2", title="One"), once=once(), actor=alice)

    assert replay.value.answer == {"location": "/One"}
    with pytest.raises(NotFound):
        articles.get("2", strong=True)


def test_a_resent_update_is_a_replay_and_not_a_conflict(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)

    def send() -> None:
        current = articles.get(article.article_id, strong=True)
        articles.update(current, {"title": "Two"}, seen_version=1, once=once(title="Two"), actor=alice)

    send()
    with pytest.raises(Replayed) as replay:
        send()

    assert replay.value.answer == {"location": "/Two"}
    assert articles.get(article.article_id, strong=True).version == 2


def test_an_update_that_raced_its_own_resend_is_a_replay(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    articles.update(article, {"title": "Two"}, once=once(title="Two"), actor=alice)

    with pytest.raises(Replayed):
        articles.update(article, {"title": "Two"}, once=once(title="Two"), actor=alice)


def test_a_resent_delete_is_a_replay_even_when_the_key_is_used_anew(alice: Actor, bob: Actor) -> None:
    first = pictures.create(Picture(album="2026", number="1"), actor=alice)
    pictures.delete(first, seen_version=first.version, once=once(), actor=alice)
    with pytest.raises(Replayed):
        once().check()

    second = pictures.create(Picture(album="2026", number="1"), actor=bob)
    with pytest.raises(Replayed):
        pictures.delete(second, seen_version=first.version, once=once(), actor=alice)


def test_a_resent_restore_is_a_replay(alice: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    articles.delete(article, actor=alice)
    trashed = trash.of_record("article", article.article_id)
    assert trashed is not None
    articles.restore(trashed.trash_id, once=once(), actor=alice)

    with pytest.raises(Replayed):
        articles.restore(trashed.trash_id, once=once(), actor=alice)


def test_a_stale_save_under_a_new_key_is_still_a_conflict(alice: Actor, bob: Actor) -> None:
    article = articles.create(Article(title="One"), actor=alice)
    current = articles.update(article, {"title": "Two"}, once=once("k1"), actor=bob)

    with pytest.raises(Conflict):
        articles.update(current, {"title": "Three"}, seen_version=1, once=once("k2"), actor=alice)


def test_a_check_is_silent_until_the_request_was_carried_out(alice: Actor) -> None:
    once().check()
    articles.create(Article(title="One"), once=once(), actor=alice)

    with pytest.raises(Replayed):
        once().check()
    with pytest.raises(KeyReused):
        once(title="Two").check()
    expire()
    with metering.metered() as meter:
        once().check()
    assert meter.units == 1.0, "read strongly: the first request may have ended a moment ago"


def test_the_same_key_with_other_contents_is_refused(alice: Actor) -> None:
    articles.create(Article(title="One"), once=once(), actor=alice)

    with pytest.raises(KeyReused):
        articles.create(Article(title="Two"), once=once(title="Two"), actor=alice)


def test_another_person_or_route_may_use_the_same_key(alice: Actor) -> None:
    articles.create(Article(title="One"), once=once(), actor=alice)

    articles.create(Article(title="One"), once=once(sub="bob"), actor=alice)
    articles.create(Article(title="One"), once=once(route="articles.update"), actor=alice)
    articles.create(Article(title="One"), once=once(sub="alicea", route="rticles.create"), actor=alice)

    assert len(articles.latest().items) == 4


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
    expire()

    articles.create(Article(title="One"), once=once(), actor=alice)

    assert len(articles.latest().items) == 2


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_a_key_has_1_to_255_characters(key: str) -> None:
    with pytest.raises(ValueError, match="1 to 255"):
        once(key)


def test_a_row_is_cleaned_up_by_ttl_when_its_day_is_over(alice: Actor) -> None:
    articles.create(Article(title="One"), once=once(), actor=alice)

    row = queries.get(IdempotencyRow, once().operation().key, strong=True)

    assert row is not None
    assert row.expires_at - now() > timedelta(hours=23, minutes=59)
    assert row.ttl == row.expires_at.replace(microsecond=0)


def test_a_payload_with_a_set_is_the_same_in_whatever_order_a_process_keeps_it() -> None:
    one, other = {0, 8}, {8, 0}
    assert list(one) != list(other), "these two collide, so each keeps the order it was filled in"

    assert payload_hash(frozenset(one)) == payload_hash(other) == payload_hash([0, 8])


def test_times_and_decimals_may_be_part_of_a_payload_and_objects_may_not() -> None:
    assert payload_hash(Decimal("1.5")) == payload_hash("1.5")
    assert payload_hash(date(2026, 1, 2)) == payload_hash("2026-01-02")
    with pytest.raises(TypeError, match="object cannot be part of a payload"):
        payload_hash(object())


def payload_hash(value: object) -> str:
    item = IdempotencyKey(sub="alice", route="r", key="k", payload={"value": value}).operation().item
    assert item is not None
    return str(item["payloadHash"]["S"])
