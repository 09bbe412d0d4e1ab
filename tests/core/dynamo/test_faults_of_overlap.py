"""Behind the fault proxy transactions that overlap in time on one item conflict, as they do on AWS."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError

from config.engines.dynoxide import Dynoxide
from core.dynamo.faults import FaultProxy, Faults
from tests.awaiting import eventually
from tests.core.dynamo.fault_clients import (
    add_one,
    by_status,
    connect,
    everything,
    key,
    outcome,
    page,
    put,
    visits,
)

FOREVER = 3_600_000
ONGOING = "Transaction is ongoing for the item"
CONFLICT = {"Code": "TransactionConflict", "Message": ONGOING}
NONE = {"Code": "None"}


def write(client: Any, *operations: dict[str, Any], token: str = "") -> Any:
    named = {"ClientRequestToken": token} if token else {}
    return client.transact_write_items(TransactItems=list(operations), **named)


def check(table: str, id: str) -> dict[str, Any]:
    return {
        "ConditionCheck": {
            "TableName": table,
            "Key": key(id),
            "ConditionExpression": "attribute_not_exists(id)",
        }
    }


def get(table: str, id: str) -> dict[str, Any]:
    return {"Get": {"TableName": table, "Key": key(id)}}


def refusal(call: Callable[[], Any]) -> dict[str, Any]:
    with pytest.raises(ClientError) as caught:
        call()
    return dict(caught.value.response)


@pytest.fixture
def held(fault_proxy: FaultProxy) -> Iterator[Callable[..., Any]]:
    """`with held(operations) as answer:` a transaction that is under way until the block ends."""

    @contextmanager
    def hold(*operations: dict[str, Any], token: str = "") -> Iterator[Future[Any]]:
        fault_proxy.faults = Faults(overlap=FOREVER)
        with ThreadPoolExecutor(1) as thread:
            answer = thread.submit(write, connect(fault_proxy.endpoint), *operations, token=token)
            try:
                eventually(lambda: fault_proxy.under_way, lambda number: number == 1)
                yield answer
            finally:
                fault_proxy.faults = Faults()
        answer.result()

    return hold


class TestTwoTransactions:
    def test_the_later_one_is_cancelled_at_the_positions_that_meet_and_the_earlier_goes_on(
        self, held: Any, faulty_client: Any, table: str
    ) -> None:
        with held(put(table, "a"), put(table, "b"), put(table, "c")):
            mine = [put(table, "x"), put(table, "c"), put(table, "y"), put(table, "a")]
            answer = refusal(lambda: write(faulty_client, *mine))

        assert answer["CancellationReasons"] == [NONE, CONFLICT, NONE, CONFLICT]
        assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400
        assert answer["Error"] == {
            "Code": "TransactionCanceledException",
            "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[None, TransactionConflict, None, TransactionConflict]",
        }
        assert everything(faulty_client, table) == ["a", "b", "c"]

    @pytest.mark.parametrize("first", ["put", "update", "delete", "check"])
    @pytest.mark.parametrize("second", ["put", "update", "delete", "check"])
    def test_every_kind_of_part_touches_its_item(
        self, held: Any, faulty_client: Any, table: str, first: str, second: str
    ) -> None:
        kinds = {
            "put": put(table, "a"),
            "update": {"Update": add_one(table, "a")},
            "delete": {"Delete": {"TableName": table, "Key": key("a")}},
            "check": check(table, "a"),
        }
        with held(kinds[first]):
            answer = refusal(lambda: write(faulty_client, put(table, "b"), kinds[second]))

        assert answer["CancellationReasons"] == [NONE, CONFLICT]

    def test_two_without_a_common_item_are_under_way_together(
        self, held: Any, fault_proxy: FaultProxy, table: str, direct: Any
    ) -> None:
        with held(put(table, "a")), ThreadPoolExecutor(1) as thread:
            other = thread.submit(write, connect(fault_proxy.endpoint), put(table, "b"))
            eventually(lambda: everything(direct, table), lambda names: names == ["a", "b"])
            assert fault_proxy.under_way == 2
            fault_proxy.faults = Faults()
            other.result()

        assert fault_proxy.injected == {}

    def test_one_that_is_over_is_in_nobodys_way(
        self, held: Any, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        with held({"Update": add_one(table, "a")}):
            pass
        assert fault_proxy.under_way == 0
        fault_proxy.faults = Faults(overlap=1)
        write(faulty_client, {"Update": add_one(table, "a")})

        assert visits(faulty_client, table, "a") == 2

    def test_one_that_the_engine_refuses_frees_its_items(
        self, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        direct.put_item(TableName=table, Item=page("a"))
        fault_proxy.faults = Faults(overlap=1)
        answer = refusal(lambda: write(faulty_client, check(table, "a")))
        assert [reason["Code"] for reason in answer["CancellationReasons"]] == ["ConditionalCheckFailed"]

        write(faulty_client, {"Update": add_one(table, "a")})
        assert visits(faulty_client, table, "a") == 1

    def test_of_threads_that_write_one_item_at_once_each_is_done_or_refused(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(overlap=2)

        def visit(_number: int) -> str:
            return outcome(lambda: write(faulty_client, {"Update": add_one(table, "a")}))

        with ThreadPoolExecutor(20) as threads:
            outcomes = list(threads.map(visit, range(200)))

        assert set(outcomes) <= {"done", "TransactionCanceledException"}
        assert visits(faulty_client, table, "a") == outcomes.count("done")
        assert fault_proxy.injected["overlap"] == outcomes.count("TransactionCanceledException")


class TestTheSameTransactionAgain:
    def test_while_it_is_under_way_it_is_said_to_be_in_progress(
        self, held: Any, faulty_client: Any, table: str
    ) -> None:
        with held(put(table, "a"), token=table[-36:]):
            answer = refusal(lambda: write(faulty_client, put(table, "a"), token=table[-36:]))

        assert answer["Error"]["Code"] == "TransactionInProgressException"
        assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400

    def test_afterwards_it_is_answered_and_not_done_again(
        self, held: Any, faulty_client: Any, table: str
    ) -> None:
        visit = {"Update": add_one(table, "a")}
        with held(visit, token=table[-36:]):
            pass
        write(faulty_client, visit, token=table[-36:])

        assert visits(faulty_client, table, "a") == 1


class TestOtherRequests:
    def test_single_writes_to_an_item_under_way_are_refused(
        self, held: Any, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        with held(put(table, "a")):
            for call in (
                lambda: faulty_client.put_item(TableName=table, Item=page("a", title="mine")),
                lambda: faulty_client.update_item(**add_one(table, "a")),
                lambda: faulty_client.delete_item(TableName=table, Key=key("a")),
            ):
                answer = refusal(call)
                assert answer["Error"] == {"Code": "TransactionConflictException", "Message": ONGOING}
                assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400
            faulty_client.put_item(TableName=table, Item=page("b"))
            assert fault_proxy.injected == {"overlap": 3}

        assert everything(direct, table) == ["a", "b"]
        assert direct.get_item(TableName=table, Key=key("a"))["Item"] == page("a")

    def test_a_transactional_read_is_cancelled_where_it_meets_a_write(
        self, held: Any, faulty_client: Any, table: str
    ) -> None:
        with held(put(table, "a")):
            reads = [get(table, "b"), get(table, "a")]
            answer = refusal(lambda: faulty_client.transact_get_items(TransactItems=reads))

        assert answer["Error"]["Code"] == "TransactionCanceledException"
        assert answer["CancellationReasons"] == [NONE, CONFLICT]

    def test_plain_reads_never_conflict(
        self, held: Any, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        with held(put(table, "a")):
            eventually(lambda: everything(direct, table), lambda names: names == ["a"])
            faulty_client.get_item(TableName=table, Key=key("a"), ConsistentRead=True)
            faulty_client.batch_get_item(RequestItems={table: {"Keys": [key("a")]}})
            by_status(faulty_client, table, "draft")
            assert fault_proxy.injected == {}

    def test_what_the_engine_would_refuse_is_left_to_it(
        self, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(overlap=1)
        nowhere, keyless = (
            put("nowhere", "a"),
            {"Put": {"TableName": table, "Item": {"status": {"S": "draft"}}}},
        )

        assert outcome(lambda: write(faulty_client, nowhere)) == "ResourceNotFoundException"
        assert outcome(lambda: write(faulty_client, keyless)) == outcome(lambda: write(direct, keyless))
        assert fault_proxy.under_way == 0


class TestTheEnd:
    def test_a_transaction_takes_at_least_its_hold(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(overlap=150)
        before = time.monotonic()
        write(faulty_client, put(table, "a"))
        assert time.monotonic() - before >= 0.15

    def test_closing_the_proxy_ends_the_hold(self, engine: Dynoxide, table: str) -> None:
        with ThreadPoolExecutor(1) as thread:
            with FaultProxy(engine.endpoint, faults=Faults(overlap=FOREVER)) as fault_proxy:
                answer = thread.submit(write, connect(fault_proxy.endpoint), put(table, "a"))
                eventually(lambda: fault_proxy.under_way, lambda number: number == 1)
            assert isinstance(answer.exception(timeout=300), ConnectionClosedError)
