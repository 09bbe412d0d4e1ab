"""DynamoDB as it really is: conflicts, throttling, lost answers, lagging indexes."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings

from core.dynamo import history
from core.dynamo.actors import Actor
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import Conflict, DataError, Replayed, Unavailable
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.idempotency import IdempotencyKey
from tests.core.dynamo.library import Article, Picture, articles, pictures


def test_200_edits_under_conflicts_and_throttling_are_each_applied_once_or_refused(
    proxy: FaultProxy, alice: Actor
) -> None:
    records = [articles.create(Article(title="Start"), actor=alice) for _ in range(20)]
    proxy.faults = Faults(conflict=0.2, throttle=0.2)

    def edit(number: int) -> str:
        record = records[number % len(records)]
        try:
            current = articles.get(record.article_id, strong=True)
            articles.update(current, {"tags": {*(current.tags or ()), f"edit-{number}"}}, actor=alice)
        except (Conflict, Unavailable) as refusal:
            return type(refusal).__name__
        return "applied"

    with ThreadPoolExecutor(20) as pool:
        outcomes = dict(enumerate(pool.map(edit, range(200))))
    proxy.faults = Faults()

    applied = {f"edit-{number}" for number, outcome in outcomes.items() if outcome == "applied"}
    stored = [articles.get(record.article_id, strong=True) for record in records]
    assert {tag for record in stored for tag in record.tags or ()} == applied
    assert sum(record.version - 1 for record in stored) == len(applied)
    entries = [history.entries("article", record.article_id, limit=100).items for record in records]
    assert sum(len(page) - 1 for page in entries) == len(applied)
    assert proxy.injected["conflict"] > 0
    assert proxy.injected["throttle"] > 0
    assert len(applied) > 50


def test_60_edits_that_meet_on_hot_partitions_with_lagging_indexes_are_each_applied_once_or_refused(
    proxy: FaultProxy, alice: Actor
) -> None:
    records = [articles.create(Article(title="Start"), actor=alice) for _ in range(3)]
    proxy.faults = Faults(overlap=2, capacity=0.05, stale_index=1)

    def edit(number: int) -> str:
        try:
            current = articles.get(records[number % 3].article_id, strong=True)
            articles.update(current, {"tags": {*(current.tags or ()), f"edit-{number}"}}, actor=alice)
        except (Conflict, Unavailable) as refusal:
            return type(refusal).__name__
        return "applied"

    with ThreadPoolExecutor(12) as pool:
        outcomes = dict(enumerate(pool.map(edit, range(60))))
    seen = proxy.injected
    proxy.faults = Faults()

    applied = {f"edit-{number}" for number, outcome in outcomes.items() if outcome == "applied"}
    stored = [articles.get(record.article_id, strong=True) for record in records]
    assert {tag for record in stored for tag in record.tags or ()} == applied
    assert sum(record.version - 1 for record in stored) == len(applied)
    assert seen.keys() <= {"overlap", "capacity", "stale_index"}
    assert {hot.partition.kind for hot in proxy.hottest(1000)} == {"read", "write"}


def test_a_write_whose_answer_is_lost_is_applied_once(proxy: FaultProxy, alice: Actor) -> None:
    article = articles.create(Article(title="Start"), actor=alice)
    proxy.faults = Faults(lost_answer=0.5)

    outcomes: Counter[str] = Counter()
    for number in range(30):
        try:
            article = articles.update(article, {"title": f"Edit {number}"}, actor=alice)
            outcomes["applied"] += 1
        except DataError as error:
            outcomes[type(error).__name__] += 1
            break
    proxy.faults = Faults()

    stored = articles.get(article.article_id, strong=True)
    assert proxy.injected["lost_answer"] > 0
    assert "Conflict" not in outcomes
    assert stored.version - 1 == len(history.entries("article", article.article_id, limit=100).items) - 1
    assert stored.version - 1 in (outcomes["applied"], outcomes["applied"] + outcomes["Unavailable"])


def test_a_form_that_is_sent_again_after_a_lost_answer_is_carried_out_once(
    proxy: FaultProxy, alice: Actor
) -> None:
    once = IdempotencyKey(sub=alice.sub, route="articles.create", key="form-1", payload={"title": "One"})
    proxy.faults = Faults(lost_answer=1)
    with pytest.raises(Unavailable):
        articles.create(Article(title="One"), once=once, actor=alice)
    proxy.faults = Faults()

    with pytest.raises(Replayed):
        articles.create(Article(title="One"), once=once, actor=alice)

    assert len(articles.latest().items) == 1


def test_endless_conflict_ends_as_unavailable_after_thirty_retries(proxy: FaultProxy, alice: Actor) -> None:
    proxy.faults = Faults(conflict=1)
    proxy.clear()

    with pytest.raises(Unavailable):
        articles.create(Article(title="One"), actor=alice)

    assert proxy.requests == ["TransactWriteItems"] * 31


def test_endless_throttling_ends_as_unavailable_after_thirty_retries(proxy: FaultProxy) -> None:
    proxy.faults = Faults(throttle=1)
    proxy.clear()

    with pytest.raises(Unavailable):
        articles.latest()

    assert proxy.requests == ["Query"] * 31


def test_server_errors_and_resets_are_tried_three_times_in_all(proxy: FaultProxy) -> None:
    for faults in (Faults(error=1), Faults(reset=1)):
        proxy.faults = faults
        proxy.clear()

        with pytest.raises(Unavailable):
            articles.latest()

        assert proxy.requests == ["Query"] * 3


def test_the_number_of_attempts_can_be_set(proxy: FaultProxy) -> None:
    settings.DYNAMODB_MAX_ATTEMPTS = 1
    try:
        proxy.faults = Faults(error=1)
        proxy.clear()
        with pytest.raises(Unavailable):
            articles.latest()
    finally:
        settings.DYNAMODB_MAX_ATTEMPTS = 3

    assert proxy.requests == ["Query"]


def test_unprocessed_keys_are_asked_for_again(proxy: FaultProxy, alice: Actor) -> None:
    keys = [
        pictures.key_of(pictures.create(Picture(album="2026", number=f"{n:02}"), actor=alice))
        for n in range(40)
    ]
    proxy.faults = Faults(unprocessed=0.5)

    found = pictures.get_many(keys)

    assert sorted(found) == sorted(keys)
    assert proxy.injected["unprocessed"] > 0


def test_keys_that_stay_unprocessed_end_as_unavailable(proxy: FaultProxy, alice: Actor) -> None:
    keys = [
        pictures.key_of(pictures.create(Picture(album="2026", number=f"{n:02}"), actor=alice))
        for n in range(90)
    ]
    proxy.faults = Faults(unprocessed=1)
    proxy.clear()

    with pytest.raises(Unavailable):
        pictures.get_many(keys)

    assert proxy.requests == ["BatchGetItem"] * 5


def test_after_keys_that_stay_unprocessed_a_request_makes_no_further_call(
    proxy: FaultProxy, alice: Actor
) -> None:
    keys = [
        pictures.key_of(pictures.create(Picture(album="2026", number=f"{n:02}"), actor=alice))
        for n in range(40)
    ]
    proxy.faults = Faults(unprocessed=1)
    with request_deadline():
        with pytest.raises(Unavailable):
            pictures.get_many(keys)
        proxy.faults = Faults()
        proxy.clear()

        with pytest.raises(Unavailable):
            articles.latest()

    assert proxy.requests == []
    assert articles.latest().items == [], "the next request may ask again"


def test_a_list_may_lag_but_the_record_itself_never_does(proxy: FaultProxy, alice: Actor) -> None:
    proxy.faults = Faults(stale_index=1)
    assert articles.latest().items == []

    article = articles.create(Article(title="One"), actor=alice)

    assert articles.get(article.article_id, strong=True).title == "One"
    assert articles.latest().items == []
    proxy.faults = Faults()
    assert [item.title for item in articles.latest().items] == ["One"]
