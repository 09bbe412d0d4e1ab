"""A history entry that is the receipt of the request that made the change."""

from datetime import timedelta
from typing import Any

import pytest

from core.dynamo import history, maintenance, metering, queries
from core.dynamo.actors import Actor
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import Conflict, KeyReused, Replayed
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.idempotency import IdempotencyKey, IdempotencyRow
from core.dynamo.transactions import Transaction
from tests.core.dynamo.library import Article, articles
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def article(db: object, alice: Actor) -> Article:
    return articles.create(Article(article_id="1", title="One"), actor=alice)


def once(key: str = "k1", *, title: str = "Two") -> IdempotencyKey:
    return IdempotencyKey("alice", "articles.update", key, {"title": title}, answer={"version": 2})


def send(actor: Actor, request: IdempotencyKey, *, seen: int = 1, **options: Any) -> Article:
    title = request.payload["title"]
    record = articles.get("1", strong=True)
    return articles.update(
        record, {"title": title}, actor=actor, seen_version=seen, receipt=request, **options
    )


def test_it_takes_the_place_of_a_row(article: Article, alice: Actor) -> None:
    send(alice, once())

    assert queries.get(IdempotencyRow, once().operation().key, strong=True) is None
    assert articles.get("1", strong=True).title == "Two"


def test_a_repetition_is_answered_as_the_first_time(article: Article, alice: Actor) -> None:
    send(alice, once())

    with metering.metered() as cost, pytest.raises(Replayed) as replay:
        send(alice, once())
    assert replay.value.answer == {"version": 2}
    assert cost.operations == ["GetItem", "Query"], "only what is stale asks for it"
    assert articles.get("1", strong=True).version == 2


def test_a_repetition_after_changes_of_others_is_still_one(
    article: Article, alice: Actor, bob: Actor
) -> None:
    changed = send(alice, once())
    for number in range(3):
        changed = articles.update(changed, {"title": f"By Bob {number}"}, actor=bob)

    with pytest.raises(Replayed):
        send(alice, once())
    assert articles.get("1", strong=True).title == "By Bob 2"


def test_the_same_request_with_other_contents_is_refused(article: Article, alice: Actor) -> None:
    send(alice, once())

    with pytest.raises(KeyReused) as refused:
        send(alice, once(title="Three"))
    assert refused.value.answer == {"version": 2}


def test_any_other_request_is_stale(article: Article, alice: Actor) -> None:
    send(alice, once())

    with pytest.raises(Conflict):
        send(alice, once("k2", title="Three"))


def test_of_8_at_once_one_is_carried_out_and_the_others_are_told_so(article: Article, alice: Actor) -> None:
    """All have read the same version, so it is the transaction that refuses."""

    def one(_number: int) -> str:
        try:
            articles.update(article, {"title": "Two"}, actor=alice, seen_version=1, receipt=once())
        except Replayed:
            return "replayed"
        return "done"

    answers = at_once(one, 8)

    assert sorted(map(str, answers)) == ["done", *["replayed"] * 7]
    assert len(history.entries("article", "1").items) == 2


def test_it_answers_also_where_the_write_was_part_of_a_larger_one(article: Article, alice: Actor) -> None:
    for _time in range(2):
        transaction = Transaction()
        articles.update(
            article, {"title": "Two"}, actor=alice, seen_version=1, receipt=once(), transaction=transaction
        )
        refused = at_once(lambda _number, whole=transaction: _outcome(whole), 1)

    assert refused == ["Replayed"]


def _outcome(transaction: Transaction) -> str:
    try:
        transaction.commit()
    except Replayed:
        return "Replayed"
    return "done"


def test_a_write_whose_answer_was_lost_is_answered_when_it_is_sent_again(
    article: Article, alice: Actor, proxy: FaultProxy
) -> None:
    record = articles.get("1", strong=True)
    proxy.faults = Faults(lost_answer=1)
    with pytest.raises(Exception, match="The database is not responding"):
        articles.update(record, {"title": "Two"}, actor=alice, seen_version=1, receipt=once())
    proxy.faults = Faults()

    with pytest.raises(Replayed):
        send(alice, once())
    assert articles.get("1", strong=True).version == 2


def test_after_a_day_a_repetition_is_stale(article: Article, alice: Actor) -> None:
    send(alice, once())
    (entry, _created) = history.entries("article", "1").items
    past = to_iso(now() - timedelta(milliseconds=1))
    old = entry.stored | {"expiresAt": {"S": past}}
    maintenance.request("PutItem", TableName=type(entry).Meta.table_name, Item=old)

    with pytest.raises(Conflict):
        send(alice, once())


def test_the_row_of_an_earlier_release_answers_as_before(article: Article, alice: Actor) -> None:
    articles.update(article, {"title": "Two"}, actor=alice, seen_version=1, once=once())

    with pytest.raises(Replayed):
        send(alice, once())
    with pytest.raises(KeyReused):
        send(alice, once(title="Three"))


def test_what_was_typed_cannot_be_found_out_from_it(article: Article, alice: Actor) -> None:
    """A history stays for years, and a telephone number is soon tried out."""
    send(alice, once())
    send(alice, once("k2", title="One"), seen=2)
    send(alice, once("k3"), seen=3)

    hashes = [entry.payload_hash for entry in history.entries("article", "1").items]
    assert len(set(hashes)) == 4, "also of the same contents"
