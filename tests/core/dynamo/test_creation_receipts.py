"""The history entry of a creation that is the receipt of its request, which names the key of the record."""

from datetime import timedelta
from typing import Any

import pytest

from core.dynamo import history, maintenance, metering, queries
from core.dynamo.actors import Actor
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import AlreadyExists, KeyReused, Replayed
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.history import CREATION, CreatedBefore
from core.dynamo.idempotency import IdempotencyKey, IdempotencyRow
from tests.core.dynamo.library import Article, articles
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")


def once(key: str = "k1", *, title: str = "One") -> IdempotencyKey:
    return IdempotencyKey("alice", "articles.save/1", key, {"title": title}, answer={"version": 1})


def send(actor: Actor, request: IdempotencyKey | None = None, **values: Any) -> Article:
    request = request or once()
    item = Article(article_id="1", title=request.payload["title"], **values)
    return articles.create(item, actor=actor, receipt=request)


def is_stored() -> bool:
    return "1" in articles.get_many(["1"], strong=True)


def test_it_takes_the_place_of_a_row(alice: Actor) -> None:
    send(alice)

    assert queries.get(IdempotencyRow, once().operation().key, strong=True) is None
    assert [entry.entry_id for entry in history.entries("article", "1").items] == [CREATION]


def test_a_repetition_is_answered_as_the_first_time_by_the_transaction_itself(alice: Actor) -> None:
    send(alice)

    with metering.metered() as cost, pytest.raises(Replayed) as replay:
        send(alice)
    assert replay.value.answer == {"version": 1}
    assert cost.operations == ["TransactWriteItems"]
    assert history.creation_answer("article", "1", once()).answer == {"version": 1}  # type: ignore[union-attr]


def test_a_repetition_after_changes_of_others_is_still_one(alice: Actor, bob: Actor) -> None:
    articles.update(send(alice), {"title": "By Bob"}, actor=bob)

    with pytest.raises(Replayed):
        send(alice)
    assert articles.get("1", strong=True).title == "By Bob"


@pytest.mark.parametrize("for_ever", [True, False])
def test_a_repetition_does_not_bring_back_what_was_deleted_since(alice: Actor, for_ever: bool) -> None:
    articles.delete(send(alice), actor=alice, for_ever=for_ever)

    with pytest.raises(Replayed):
        send(alice)
    assert not is_stored()


def test_the_same_request_with_other_contents_is_refused(alice: Actor) -> None:
    send(alice)

    with pytest.raises(KeyReused) as refused:
        send(alice, once(title="Two"))
    assert refused.value.answer == {"version": 1}


def test_any_other_request_is_told_which_record_there_is(alice: Actor) -> None:
    send(alice)

    with pytest.raises(AlreadyExists) as refused:
        send(alice, once("k2", title="Two"))
    assert not isinstance(refused.value, CreatedBefore)
    assert refused.value.current.title == "One"
    assert history.creation_answer("article", "1", once("k2")) is None


def test_any_other_request_is_told_that_there_was_one(alice: Actor) -> None:
    articles.delete(send(alice), actor=alice)

    with pytest.raises(CreatedBefore):
        send(alice, once("k2", title="Two"))
    assert not is_stored()


def test_a_value_that_is_taken_says_more(alice: Actor) -> None:
    articles.create(Article(article_id="2", title="Two", slug="cup"), actor=alice)

    with pytest.raises(AlreadyExists) as refused:
        send(alice, slug="cup")
    assert refused.value.field == "slug"


def test_of_8_at_once_one_is_carried_out_and_the_others_are_told_so(alice: Actor) -> None:
    def one(_number: int) -> str:
        try:
            send(alice)
        except Replayed:
            return "replayed"
        return "done"

    assert sorted(map(str, at_once(one, 8))) == ["done", *["replayed"] * 7]
    assert len(history.entries("article", "1").items) == 1


def test_a_creation_whose_answer_was_lost_is_answered_when_it_is_sent_again(
    alice: Actor, proxy: FaultProxy
) -> None:
    proxy.faults = Faults(lost_answer=1)
    with pytest.raises(Exception, match="The database is not responding"):
        send(alice)
    proxy.faults = Faults()

    with pytest.raises(Replayed):
        send(alice)
    assert articles.get("1", strong=True).version == 1


def test_after_a_day_it_is_a_request_like_any_other(alice: Actor) -> None:
    created = send(alice)
    (entry,) = history.entries("article", "1").items
    old = entry.stored | {"expiresAt": {"S": to_iso(now() - timedelta(milliseconds=1))}}
    maintenance.request("PutItem", TableName=type(entry).Meta.table_name, Item=old)

    with pytest.raises(AlreadyExists) as refused:
        send(alice)
    assert refused.value.current.title == "One"
    assert history.creation_answer("article", "1", once()) is None
    articles.delete(created, actor=alice)
    with pytest.raises(CreatedBefore):
        send(alice)


def test_it_is_the_oldest_entry_and_the_newest_activity(alice: Actor) -> None:
    earlier = articles.create(Article(article_id="0", title="Zero"), actor=alice)
    created = send(alice)
    changed = articles.update(created, {"title": "Two"}, actor=alice)
    articles.delete(earlier, actor=alice)

    verbs = [entry.verb for entry in history.entries("article", "1").items]
    activity = [(entry.key, entry.verb) for entry in history.activity("cms", to_iso(now())[:7]).items]

    assert verbs == ["update", "create"]
    assert activity == [("0", "delete"), ("1", "update"), ("1", "create"), ("0", "create")]
    assert history.state_after("article", "1", CREATION, changed.stored)["title"] == {"S": "One"}  # type: ignore[index]
    found = history.before_and_after("article", "1", CREATION, changed.stored)
    assert found is not None
    assert (found[1], found[2] and found[2]["title"]) == ({}, {"S": "One"})
