"""The fault proxy answers as AWS does on a bad day, and otherwise as the engine does."""

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
    ids,
    key,
    outcome,
    page,
    put,
    visits,
)


def refusal(call: Callable[[], Any]) -> dict[str, Any]:
    with pytest.raises(ClientError) as caught:
        call()
    return dict(caught.value.response)


class TestReadingFaults:
    def test_names_and_numbers(self) -> None:
        assert Faults.parse("conflict=0.2, throttle=0.1,latency=50,hang=0.05") == Faults(
            conflict=0.2, throttle=0.1, latency=50, hang=0.05
        )

    def test_nothing_means_no_faults(self) -> None:
        assert Faults.parse("") == Faults()

    @pytest.mark.parametrize("text", ["thunder=0.2", "conflict", "conflict=", "conflict=often", "=1"])
    def test_what_cannot_be_read_is_refused_with_the_known_faults(self, text: str) -> None:
        with pytest.raises(ValueError) as caught:
            Faults.parse(f"reset=0.5,{text}")
        assert str(caught.value) == (
            f'Cannot read the fault "{text}": write name=number with hang, reset, error, throttle, conflict, '
            "unprocessed, stale_index, lost_answer, lag, latency, overlap, capacity."
        )

    @pytest.mark.parametrize("value", ["1.1", "-0.1", "nan", "inf"])
    def test_a_probability_is_between_0_and_1(self, value: str) -> None:
        with pytest.raises(ValueError, match=r"^Fault reset is a probability from 0 to 1, not "):
            Faults.parse(f"reset={value}")

    @pytest.mark.parametrize("value", ["3600001", "-1", "nan", "inf"])
    def test_a_time_is_at_most_an_hour(self, value: str) -> None:
        with pytest.raises(ValueError, match=r"^Fault latency is milliseconds from 0 to 3600000, not "):
            Faults.parse(f"latency={value}")


class TestWithoutFaults:
    def test_answers_are_the_engines(self, direct: Any, faulty_client: Any, table: str) -> None:
        text = "Müllheim 🏐" * 10_000
        faulty_client.put_item(TableName=table, Item=page("a", title=text))
        through = faulty_client.get_item(TableName=table, Key=key("a"), ConsistentRead=True)
        assert through["Item"] == page("a", title=text)
        headers = through["ResponseMetadata"]["HTTPHeaders"]
        assert headers["content-type"] == "application/x-amz-json-1.0"
        assert {"x-amz-crc32", "x-amzn-requestid"} <= headers.keys()

    def test_refusals_are_the_engines(self, direct: Any, faulty_client: Any, table: str) -> None:
        condition = {"ConditionExpression": "attribute_exists(id)"}
        assert (
            refusal(lambda: faulty_client.put_item(TableName=table, Item=page("a"), **condition))["Error"]
            == refusal(lambda: direct.put_item(TableName=table, Item=page("a"), **condition))["Error"]
        )

    def test_operations_are_listed_in_order_until_cleared(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        faulty_client.put_item(TableName=table, Item=page("a"))
        faulty_client.get_item(TableName=table, Key=key("a"))
        assert fault_proxy.requests == ["PutItem", "GetItem"]
        assert fault_proxy.clear() == ["PutItem", "GetItem"]
        assert fault_proxy.requests == []

    def test_a_hundred_threads_lose_nothing(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        with ThreadPoolExecutor(100) as threads:
            list(threads.map(lambda _: faulty_client.update_item(**add_one(table, "a")), range(1000)))
        assert visits(faulty_client, table, "a") == 1000
        assert fault_proxy.clear().count("UpdateItem") == 1000

    def test_a_request_to_an_engine_that_is_down_is_seen_and_breaks_off(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as unused:
            port = unused.getsockname()[1]
        with FaultProxy(f"http://127.0.0.1:{port}") as fault_proxy:
            with pytest.raises(ConnectionClosedError):
                connect(fault_proxy.endpoint).list_tables()
            assert fault_proxy.requests == ["ListTables"]

    def test_an_engine_that_was_restarted_between_two_requests_goes_unnoticed(self) -> None:
        with Dynoxide() as engine, FaultProxy(engine.endpoint) as fault_proxy:
            faulty_client = connect(fault_proxy.endpoint)
            faulty_client.list_tables()
            engine.kill()
            engine.restart()
            faulty_client.list_tables()
            assert fault_proxy.requests == ["ListTables", "ListTables"]

    def test_closing_the_proxy_ends_the_wait_for_an_engine_that_hangs(self) -> None:
        with Dynoxide() as engine, ThreadPoolExecutor(1) as waiting:
            with FaultProxy(engine.endpoint) as fault_proxy:
                engine.pause()
                answer = waiting.submit(connect(fault_proxy.endpoint).list_tables)
                eventually(lambda: fault_proxy.requests, bool)
            assert isinstance(answer.exception(timeout=300), ConnectionClosedError)


class TestConflict:
    def test_one_item_of_the_transaction_is_the_reason_and_nothing_is_written(
        self, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(conflict=1)
        operations = [put(table, "a"), put(table, "b"), put(table, "c")]
        unlucky = set()
        for _ in range(20):
            answer = refusal(lambda: faulty_client.transact_write_items(TransactItems=operations))
            codes = [reason["Code"] for reason in answer["CancellationReasons"]]
            assert sorted(codes) == ["None", "None", "TransactionConflict"]
            unlucky.add(codes.index("TransactionConflict"))
            assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400
            assert answer["Error"] == {
                "Code": "TransactionCanceledException",
                "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons "
                f"[{', '.join(codes)}]",
            }
        assert unlucky == {0, 1, 2}
        assert everything(direct, table) == []
        assert fault_proxy.injected == {"conflict": 20}

    def test_other_operations_have_none(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(conflict=1)
        faulty_client.put_item(TableName=table, Item=page("a"))
        assert everything(faulty_client, table) == ["a"]
        assert fault_proxy.injected == {}


class TestThrottle:
    def test_every_data_operation_is_refused_and_none_applied(
        self, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        direct.put_item(TableName=table, Item=page("a"))
        fault_proxy.faults = Faults(throttle=1)
        batch_get = {table: {"Keys": [key("a")]}}
        batch_write = {table: [{"DeleteRequest": {"Key": key("a")}}]}
        for call in (
            lambda: faulty_client.get_item(TableName=table, Key=key("a")),
            lambda: faulty_client.put_item(TableName=table, Item=page("b")),
            lambda: faulty_client.update_item(TableName=table, Key=key("b")),
            lambda: faulty_client.delete_item(TableName=table, Key=key("a")),
            lambda: by_status(faulty_client, table, "draft"),
            lambda: faulty_client.scan(TableName=table),
            lambda: faulty_client.batch_get_item(RequestItems=batch_get),
            lambda: faulty_client.batch_write_item(RequestItems=batch_write),
            lambda: faulty_client.transact_get_items(
                TransactItems=[{"Get": {"TableName": table, "Key": key("a")}}]
            ),
            lambda: faulty_client.transact_write_items(TransactItems=[put(table, "b")]),
        ):
            answer = refusal(call)
            assert answer["Error"]["Code"] == "ProvisionedThroughputExceededException"
            assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400
        assert everything(direct, table) == ["a"]

    def test_tables_can_still_be_described(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(throttle=1)
        assert faulty_client.describe_table(TableName=table)["Table"]["TableName"] == table


class TestUnprocessed:
    NAMES = [f"page-{number}" for number in range(10)]

    def test_a_batch_read_hands_back_the_rest_with_its_settings(
        self, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        for name in self.NAMES:
            direct.put_item(TableName=table, Item=page(name))
        fault_proxy.faults = Faults(unprocessed=1)
        settings = {
            "ConsistentRead": True,
            "ProjectionExpression": "#id",
            "ExpressionAttributeNames": {"#id": "id"},
        }
        keys = [key(name) for name in self.NAMES]
        answer = faulty_client.batch_get_item(RequestItems={table: {"Keys": keys, **settings}})
        read, left_over = answer["Responses"][table], answer["UnprocessedKeys"][table]
        assert read
        assert left_over["Keys"]
        assert sorted(ids(read) + ids(left_over["Keys"])) == self.NAMES
        assert left_over == {"Keys": left_over["Keys"], **settings}
        assert all(item.keys() == {"id"} for item in read)
        # The engine's checksum is of another body.
        assert "x-amz-crc32" not in answer["ResponseMetadata"]["HTTPHeaders"]

    def test_a_batch_write_hands_back_the_rest_unwritten(
        self, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(unprocessed=1)
        writes = [{"PutRequest": {"Item": page(name)}} for name in self.NAMES]
        left_over = faulty_client.batch_write_item(RequestItems={table: writes})["UnprocessedItems"][table]
        written = everything(direct, table)
        assert written
        assert left_over
        assert sorted(written + [write["PutRequest"]["Item"]["id"]["S"] for write in left_over]) == self.NAMES

    def test_resending_the_rest_comes_to_an_end(
        self, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(unprocessed=1)
        waiting: Any = {table: [{"PutRequest": {"Item": page(name)}} for name in self.NAMES]}
        for _ in self.NAMES:
            waiting = waiting and faulty_client.batch_write_item(RequestItems=waiting)["UnprocessedItems"]
        assert waiting == {}
        assert everything(direct, table) == self.NAMES


class TestError:
    def test_it_is_an_internal_server_error_and_nothing_is_applied(
        self, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults(error=1)
        answer = refusal(lambda: faulty_client.put_item(TableName=table, Item=page("a")))
        assert answer["Error"]["Code"] == "InternalServerError"
        assert answer["ResponseMetadata"]["HTTPStatusCode"] == 500
        assert everything(direct, table) == []


class TestChance:
    def outcomes(self, engine: Dynoxide, table: str, seed: int) -> list[str]:
        faults = Faults(conflict=0.2, throttle=0.2)
        with FaultProxy(engine.endpoint, faults=faults, seed=seed) as fault_proxy:
            faulty_client = connect(fault_proxy.endpoint)
            write = {"TransactItems": [put(table, "a")]}
            return [outcome(lambda: faulty_client.transact_write_items(**write)) for _ in range(200)]

    def test_the_same_seed_gives_the_same_faults(self, engine: Dynoxide, table: str) -> None:
        first = self.outcomes(engine, table, seed=7)
        assert first == self.outcomes(engine, table, seed=7)
        assert first != self.outcomes(engine, table, seed=8)

    def test_each_fault_comes_about_as_often_as_asked(self, engine: Dynoxide, table: str) -> None:
        outcomes = self.outcomes(engine, table, seed=7)
        assert 30 <= outcomes.count("ProvisionedThroughputExceededException") <= 50
        assert 30 <= outcomes.count("TransactionCanceledException") <= 50
