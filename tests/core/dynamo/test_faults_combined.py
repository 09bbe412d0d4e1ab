"""Faults that are on together: each of them still does what it says."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from config.engines.dynoxide import Dynoxide
from core.dynamo.faults import FaultProxy, Faults
from tests.awaiting import eventually
from tests.core.dynamo.fault_clients import add_one, by_status, connect, ids, key, outcome, page, put

FOREVER = 3_600_000


@pytest.fixture
def still(engine: Dynoxide) -> Iterator[FaultProxy]:
    """A proxy whose partitions fill by a clock that stands still.

    With this seed `unprocessed` takes some keys that can be served into its part, and some that cannot.
    """
    with FaultProxy(engine.endpoint, seed=5, clock=lambda: 0.0) as still:
        yield still


@pytest.fixture
def client(still: FaultProxy) -> Any:
    return connect(still.endpoint)


def test_an_index_that_lags_takes_capacity_from_itself_and_not_from_its_copy(
    still: FaultProxy, client: Any, direct: Any, table: str
) -> None:
    direct.put_item(TableName=table, Item=page("a"))
    still.faults = Faults(stale_index=1, lag=FOREVER, capacity=0.001)
    client.put_item(TableName=table, Item=page("b", "published"))

    for _ in range(6):
        assert ids(by_status(client, table, "draft")["Items"]) == ["a"]
    assert outcome(lambda: by_status(client, table, "draft")) == "ThrottlingException"
    assert ids(by_status(client, table, "published")["Items"]) == []
    assert {hot.partition.table for hot in still.hottest()} == {table}


def test_a_transaction_that_is_held_is_lagging_from_when_the_engine_has_it(
    still: FaultProxy, client: Any, direct: Any, table: str
) -> None:
    direct.put_item(TableName=table, Item=page("a"))
    still.faults = Faults(stale_index=1, lag=FOREVER, overlap=FOREVER)
    assert ids(by_status(client, table, "draft")["Items"]) == ["a"]
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(connect(still.endpoint).transact_write_items, TransactItems=[put(table, "b")])
        try:
            eventually(lambda: still.under_way, lambda number: number == 1)
            stored = eventually(lambda: direct.get_item(TableName=table, Key=key("b")), lambda a: "Item" in a)
            assert stored["Item"] == page("b")
            assert ids(by_status(client, table, "draft")["Items"]) == ["a"]
            assert (
                outcome(lambda: client.update_item(**add_one(table, "b"))) == "TransactionConflictException"
            )
        finally:
            still.faults = Faults(stale_index=1, lag=0)
    answer.result()

    assert ids(by_status(client, table, "draft")["Items"]) == ["a", "b"]


def test_what_others_are_in_the_way_of_takes_units_and_what_is_throttled_holds_nothing(
    still: FaultProxy, client: Any, table: str
) -> None:
    still.faults = Faults(overlap=FOREVER, capacity=0.01)
    visit = [{"Update": add_one(table, "a")}]
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(connect(still.endpoint).transact_write_items, TransactItems=visit)
        try:
            eventually(lambda: still.under_way, lambda number: number == 1)
            for _ in range(5):
                refused = outcome(lambda: client.transact_write_items(TransactItems=visit))
                assert refused == "TransactionCanceledException"
            assert still.injected == {"overlap": 5}
            other = [{"Update": add_one(table, "b")}, *visit]
            assert outcome(lambda: client.transact_write_items(TransactItems=other)) == (
                "TransactionCanceledException"
            )
            assert still.injected == {"overlap": 5, "capacity": 1}
            assert still.under_way == 1
        finally:
            still.faults = Faults(capacity=0.01)
    answer.result()

    assert [(hot.partition.key, hot.units) for hot in still.hottest()] == [("a", 12)]


def test_a_batch_hands_back_what_either_fault_left(
    still: FaultProxy, client: Any, direct: Any, table: str
) -> None:
    names = [f"page-{number:02}" for number in range(20)]
    for name in names:
        direct.put_item(TableName=table, Item=page(name))
    still.faults = Faults(capacity=0.0001)
    for name in names[:5]:
        client.get_item(TableName=table, Key=key(name))
    still.faults = Faults(capacity=0.0001, unprocessed=1)
    answer = client.batch_get_item(RequestItems={table: {"Keys": [key(name) for name in names]}})
    read, left = ids(answer["Responses"][table]), ids(answer["UnprocessedKeys"][table]["Keys"])

    assert sorted(read + left) == names
    assert read
    assert not set(read) & set(names[:5])
    assert set(left) - set(names[:5])
    assert still.injected == {"unprocessed": 1, "capacity": 1}
