"""The fault proxy answers as AWS does on a bad day, and otherwise as the engine does."""

import errno
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import botocore.session
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError

from config.engines.dynoxide import Dynoxide
from core.dynamo.faults import FaultProxy, Faults
from tests.awaiting import eventually

FOREVER = 3_600_000
# It reads its model of the service once.
SESSION = botocore.session.Session()


def connect(endpoint: str, read_timeout: float = 60) -> Any:
    return SESSION.create_client(
        "dynamodb",
        region_name="eu-west-1",
        endpoint_url=endpoint,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}, read_timeout=read_timeout, max_pool_connections=100),
    )


@pytest.fixture(scope="module")
def direct(engine: Dynoxide) -> Any:
    return connect(engine.endpoint)


@pytest.fixture
def table(direct: Any) -> Iterator[str]:
    """A table of pages by id, listed by status in an index."""
    name = f"faults-{uuid.uuid4().hex}"
    direct.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": a, "AttributeType": "S"} for a in ("id", "status")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-status",
                "KeySchema": [
                    {"AttributeName": "status", "KeyType": "HASH"},
                    {"AttributeName": "id", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )
    yield name
    direct.delete_table(TableName=name)


@pytest.fixture
def proxy(engine: Dynoxide) -> Iterator[FaultProxy]:
    with FaultProxy(engine.endpoint, seed=1) as proxy:
        yield proxy


@pytest.fixture
def client(proxy: FaultProxy) -> Any:
    return connect(proxy.endpoint)


def page(id: str, status: str = "draft", **attributes: str) -> dict[str, Any]:
    return {name: {"S": value} for name, value in {"id": id, "status": status, **attributes}.items()}


def key(id: str) -> dict[str, Any]:
    return {"id": {"S": id}}


def ids(items: list[dict[str, Any]]) -> list[str]:
    return [item["id"]["S"] for item in items]


def put(table: str, id: str) -> dict[str, Any]:
    return {"Put": {"TableName": table, "Item": page(id)}}


def add_one(table: str, id: str) -> dict[str, Any]:
    values = {":one": {"N": "1"}}
    update = {"UpdateExpression": "ADD visits :one", "ExpressionAttributeValues": values}
    return {"TableName": table, "Key": key(id), **update}


def visits(client: Any, table: str, id: str) -> int:
    return int(client.get_item(TableName=table, Key=key(id), ConsistentRead=True)["Item"]["visits"]["N"])


def everything(client: Any, table: str) -> list[str]:
    return sorted(ids(client.scan(TableName=table, ConsistentRead=True)["Items"]))


def by_status(client: Any, table: str, status: str, **options: Any) -> Any:
    return client.query(
        TableName=table,
        IndexName="by-status",
        KeyConditionExpression="#status = :status",
        ExpressionAttributeNames={"#status": "status"},
        ExpressionAttributeValues={":status": {"S": status}},
        **options,
    )


def refusal(call: Callable[[], Any]) -> dict[str, Any]:
    with pytest.raises(ClientError) as caught:
        call()
    return dict(caught.value.response)


def outcome(call: Callable[[], Any]) -> str:
    try:
        call()
    except ClientError as error:
        return str(error.response["Error"]["Code"])
    return "done"


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
            "unprocessed, stale_index, lost_answer, lag, latency."
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
    def test_answers_are_the_engines(self, direct: Any, client: Any, table: str) -> None:
        text = "Müllheim 🏐" * 10_000
        client.put_item(TableName=table, Item=page("a", title=text))
        through = client.get_item(TableName=table, Key=key("a"), ConsistentRead=True)
        assert through["Item"] == page("a", title=text)
        headers = through["ResponseMetadata"]["HTTPHeaders"]
        assert headers["content-type"] == "application/x-amz-json-1.0"
        assert {"x-amz-crc32", "x-amzn-requestid"} <= headers.keys()

    def test_refusals_are_the_engines(self, direct: Any, client: Any, table: str) -> None:
        condition = {"ConditionExpression": "attribute_exists(id)"}
        assert (
            refusal(lambda: client.put_item(TableName=table, Item=page("a"), **condition))["Error"]
            == refusal(lambda: direct.put_item(TableName=table, Item=page("a"), **condition))["Error"]
        )

    def test_operations_are_listed_in_order_until_cleared(
        self, proxy: FaultProxy, client: Any, table: str
    ) -> None:
        client.put_item(TableName=table, Item=page("a"))
        client.get_item(TableName=table, Key=key("a"))
        assert proxy.requests == ["PutItem", "GetItem"]
        assert proxy.clear() == ["PutItem", "GetItem"]
        assert proxy.requests == []

    def test_a_hundred_threads_lose_nothing(self, proxy: FaultProxy, client: Any, table: str) -> None:
        with ThreadPoolExecutor(100) as threads:
            list(threads.map(lambda _: client.update_item(**add_one(table, "a")), range(1000)))
        assert visits(client, table, "a") == 1000
        assert proxy.clear().count("UpdateItem") == 1000

    def test_a_request_to_an_engine_that_is_down_is_seen_and_breaks_off(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as unused:
            port = unused.getsockname()[1]
        with FaultProxy(f"http://127.0.0.1:{port}") as proxy:
            with pytest.raises(ConnectionClosedError):
                connect(proxy.endpoint).list_tables()
            assert proxy.requests == ["ListTables"]

    def test_an_engine_that_was_restarted_between_two_requests_goes_unnoticed(self) -> None:
        with Dynoxide() as engine, FaultProxy(engine.endpoint) as proxy:
            client = connect(proxy.endpoint)
            client.list_tables()
            engine.kill()
            engine.restart()
            client.list_tables()
            assert proxy.requests == ["ListTables", "ListTables"]

    def test_closing_the_proxy_ends_the_wait_for_an_engine_that_hangs(self) -> None:
        with Dynoxide() as engine, ThreadPoolExecutor(1) as waiting:
            with FaultProxy(engine.endpoint) as proxy:
                engine.pause()
                answer = waiting.submit(connect(proxy.endpoint).list_tables)
                eventually(lambda: proxy.requests, bool)
            assert isinstance(answer.exception(timeout=300), ConnectionClosedError)


class TestConflict:
    def test_one_item_of_the_transaction_is_the_reason_and_nothing_is_written(
        self, proxy: FaultProxy, client: Any, direct: Any, table: str
    ) -> None:
        proxy.faults = Faults(conflict=1)
        operations = [put(table, "a"), put(table, "b"), put(table, "c")]
        unlucky = set()
        for _ in range(20):
            answer = refusal(lambda: client.transact_write_items(TransactItems=operations))
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
        assert proxy.injected == {"conflict": 20}

    def test_other_operations_have_none(self, proxy: FaultProxy, client: Any, table: str) -> None:
        proxy.faults = Faults(conflict=1)
        client.put_item(TableName=table, Item=page("a"))
        assert everything(client, table) == ["a"]
        assert proxy.injected == {}


class TestThrottle:
    def test_every_data_operation_is_refused_and_none_applied(
        self, proxy: FaultProxy, client: Any, direct: Any, table: str
    ) -> None:
        direct.put_item(TableName=table, Item=page("a"))
        proxy.faults = Faults(throttle=1)
        batch_get = {table: {"Keys": [key("a")]}}
        batch_write = {table: [{"DeleteRequest": {"Key": key("a")}}]}
        for call in (
            lambda: client.get_item(TableName=table, Key=key("a")),
            lambda: client.put_item(TableName=table, Item=page("b")),
            lambda: client.update_item(TableName=table, Key=key("b")),
            lambda: client.delete_item(TableName=table, Key=key("a")),
            lambda: by_status(client, table, "draft"),
            lambda: client.scan(TableName=table),
            lambda: client.batch_get_item(RequestItems=batch_get),
            lambda: client.batch_write_item(RequestItems=batch_write),
            lambda: client.transact_get_items(TransactItems=[{"Get": {"TableName": table, "Key": key("a")}}]),
            lambda: client.transact_write_items(TransactItems=[put(table, "b")]),
        ):
            answer = refusal(call)
            assert answer["Error"]["Code"] == "ProvisionedThroughputExceededException"
            assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400
        assert everything(direct, table) == ["a"]

    def test_tables_can_still_be_described(self, proxy: FaultProxy, client: Any, table: str) -> None:
        proxy.faults = Faults(throttle=1)
        assert client.describe_table(TableName=table)["Table"]["TableName"] == table


class TestUnprocessed:
    NAMES = [f"page-{number}" for number in range(10)]

    def test_a_batch_read_hands_back_the_rest_with_its_settings(
        self, proxy: FaultProxy, client: Any, direct: Any, table: str
    ) -> None:
        for name in self.NAMES:
            direct.put_item(TableName=table, Item=page(name))
        proxy.faults = Faults(unprocessed=1)
        settings = {
            "ConsistentRead": True,
            "ProjectionExpression": "#id",
            "ExpressionAttributeNames": {"#id": "id"},
        }
        keys = [key(name) for name in self.NAMES]
        answer = client.batch_get_item(RequestItems={table: {"Keys": keys, **settings}})
        read, left_over = answer["Responses"][table], answer["UnprocessedKeys"][table]
        assert read
        assert left_over["Keys"]
        assert sorted(ids(read) + ids(left_over["Keys"])) == self.NAMES
        assert left_over == {"Keys": left_over["Keys"], **settings}
        assert all(item.keys() == {"id"} for item in read)
        # The engine's checksum is of another body.
        assert "x-amz-crc32" not in answer["ResponseMetadata"]["HTTPHeaders"]

    def test_a_batch_write_hands_back_the_rest_unwritten(
        self, proxy: FaultProxy, client: Any, direct: Any, table: str
    ) -> None:
        proxy.faults = Faults(unprocessed=1)
        writes = [{"PutRequest": {"Item": page(name)}} for name in self.NAMES]
        left_over = client.batch_write_item(RequestItems={table: writes})["UnprocessedItems"][table]
        written = everything(direct, table)
        assert written
        assert left_over
        assert sorted(written + [write["PutRequest"]["Item"]["id"]["S"] for write in left_over]) == self.NAMES

    def test_resending_the_rest_comes_to_an_end(
        self, proxy: FaultProxy, client: Any, direct: Any, table: str
    ) -> None:
        proxy.faults = Faults(unprocessed=1)
        waiting: Any = {table: [{"PutRequest": {"Item": page(name)}} for name in self.NAMES]}
        for _ in self.NAMES:
            waiting = waiting and client.batch_write_item(RequestItems=waiting)["UnprocessedItems"]
        assert waiting == {}
        assert everything(direct, table) == self.NAMES


class TestStaleIndex:
    @pytest.fixture(autouse=True)
    def _three_pages_then_the_index_stands_still(self, proxy: FaultProxy, client: Any, table: str) -> None:
        for name in ("a", "b", "c"):
            client.put_item(TableName=table, Item=page(name, title="old"))
        proxy.faults = Faults(stale_index=1, lag=FOREVER)

    def test_what_was_there_before_is_shown(self, client: Any, table: str) -> None:
        assert ids(by_status(client, table, "draft")["Items"]) == ["a", "b", "c"]

    @pytest.mark.parametrize("how", ["put", "transaction", "batch"])
    def test_a_new_record_is_missing_though_a_strong_read_has_it(
        self, client: Any, table: str, how: str
    ) -> None:
        match how:
            case "put":
                client.put_item(TableName=table, Item=page("d"))
            case "transaction":
                client.transact_write_items(TransactItems=[put(table, "d")])
            case "batch":
                client.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": page("d")}}]})
        assert ids(by_status(client, table, "draft")["Items"]) == ["a", "b", "c"]
        assert client.get_item(TableName=table, Key=key("d"), ConsistentRead=True)["Item"] == page("d")

    def test_a_changed_record_is_shown_as_it_was(self, client: Any, table: str) -> None:
        client.put_item(TableName=table, Item=page("b", title="new"))
        titles = [item["title"]["S"] for item in by_status(client, table, "draft")["Items"]]
        assert titles == ["old", "old", "old"]

    def test_a_deleted_record_is_still_shown(self, client: Any, table: str) -> None:
        client.delete_item(TableName=table, Key=key("b"))
        assert ids(by_status(client, table, "draft")["Items"]) == ["a", "b", "c"]

    def test_a_moved_record_is_shown_where_it_was(self, client: Any, table: str) -> None:
        client.put_item(TableName=table, Item=page("b", status="published"))
        assert ids(by_status(client, table, "draft")["Items"]) == ["a", "b", "c"]
        assert ids(by_status(client, table, "published")["Items"]) == []

    def test_a_write_without_its_key_is_the_engines_to_refuse(self, client: Any, table: str) -> None:
        item = {"status": {"S": "draft"}}
        assert outcome(lambda: client.put_item(TableName=table, Item=item)) == "ValidationException"

    def test_an_unknown_table_is_the_engines_to_refuse(self, client: Any) -> None:
        assert outcome(lambda: by_status(client, "nowhere", "draft")) == "ResourceNotFoundException"

    def test_a_table_over_a_megabyte_is_shown_whole(self, proxy: FaultProxy, client: Any, table: str) -> None:
        proxy.faults = Faults()
        names = ["large-1", "large-2", "large-3", "large-4"]
        for name in names:
            client.put_item(TableName=table, Item=page(name, status=name, text="x" * 350_000))
        proxy.faults = Faults(stale_index=1, lag=FOREVER)
        assert [ids(by_status(client, table, name)["Items"]) for name in names] == [[name] for name in names]

    def test_after_the_lag_the_index_has_caught_up(self, proxy: FaultProxy, client: Any, table: str) -> None:
        client.put_item(TableName=table, Item=page("d"))
        client.delete_item(TableName=table, Key=key("a"))
        client.put_item(TableName=table, Item=page("b", status="published"))
        assert ids(by_status(client, table, "draft")["Items"]) == ["a", "b", "c"]
        proxy.faults = Faults(stale_index=1, lag=0)
        assert ids(by_status(client, table, "draft")["Items"]) == ["c", "d"]
        assert ids(by_status(client, table, "published")["Items"]) == ["b"]

    def test_pages_and_capacity_are_those_of_the_table(self, client: Any, table: str) -> None:
        first = by_status(client, table, "draft", Limit=2, ReturnConsumedCapacity="TOTAL")
        assert first["ConsumedCapacity"] == {"TableName": table, "CapacityUnits": 0.5}
        rest = by_status(client, table, "draft", ExclusiveStartKey=first["LastEvaluatedKey"])
        assert ids(first["Items"]) + ids(rest["Items"]) == ["a", "b", "c"]

    def test_forty_threads_leave_the_index_as_the_table(
        self, proxy: FaultProxy, client: Any, table: str
    ) -> None:
        with ThreadPoolExecutor(40) as threads:
            list(threads.map(lambda _: client.update_item(**add_one(table, "a")), range(200)))
        proxy.faults = Faults(stale_index=1, lag=0)
        first = by_status(client, table, "draft")["Items"][0]
        assert first["visits"] == {"N": "200"}

    def test_without_the_fault_the_index_is_current_and_no_copy_is_left(
        self, proxy: FaultProxy, client: Any, direct: Any, table: str
    ) -> None:
        client.put_item(TableName=table, Item=page("d"))
        proxy.faults = Faults()
        assert ids(by_status(client, table, "draft")["Items"]) == ["a", "b", "c", "d"]
        assert [name for name in direct.list_tables()["TableNames"] if name.startswith(table)] == [table]


class TestLatency:
    def test_every_request_takes_at_least_that_long(self, proxy: FaultProxy, client: Any, table: str) -> None:
        proxy.faults = Faults(latency=150)
        before = time.monotonic()
        client.get_item(TableName=table, Key=key("a"))
        assert time.monotonic() - before >= 0.15


class TestHang:
    def test_the_client_waits_in_vain_and_nothing_is_applied(
        self, proxy: FaultProxy, direct: Any, table: str
    ) -> None:
        proxy.faults = Faults(hang=1)
        with pytest.raises(ReadTimeoutError):
            connect(proxy.endpoint, read_timeout=0.2).put_item(TableName=table, Item=page("a"))
        assert proxy.requests == ["PutItem"]
        assert everything(direct, table) == []

    def test_closing_the_proxy_ends_the_wait_and_every_thread(self, engine: Dynoxide, table: str) -> None:
        threads_before = threading.active_count()
        with ThreadPoolExecutor(1) as waiting:
            with FaultProxy(engine.endpoint, faults=Faults(hang=1)) as proxy:
                answer = waiting.submit(connect(proxy.endpoint).get_item, TableName=table, Key=key("a"))
                eventually(lambda: proxy.requests, bool)
            assert isinstance(answer.exception(timeout=300), ConnectionClosedError)
        assert threading.active_count() == threads_before


class TestReset:
    def test_the_connection_breaks_and_nothing_is_applied(
        self, proxy: FaultProxy, client: Any, direct: Any, table: str
    ) -> None:
        proxy.faults = Faults(reset=1)
        with pytest.raises(ConnectionClosedError):
            client.put_item(TableName=table, Item=page("a"))
        assert everything(direct, table) == []

    def test_it_is_a_reset_not_an_end_of_file(self, proxy: FaultProxy) -> None:
        proxy.faults = Faults(reset=1)
        host, port = proxy.endpoint.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
            with pytest.raises(ConnectionResetError) as caught:
                connection.recv(1)
        assert caught.value.errno == errno.ECONNRESET

    def test_the_next_request_works_again(self, proxy: FaultProxy, client: Any, table: str) -> None:
        proxy.faults = Faults(reset=1)
        with pytest.raises(ConnectionClosedError):
            client.put_item(TableName=table, Item=page("a"))
        proxy.faults = Faults()
        client.put_item(TableName=table, Item=page("a"))
        assert everything(client, table) == ["a"]


class TestLostAnswer:
    def test_the_request_is_applied_and_a_request_token_makes_resending_safe(
        self, proxy: FaultProxy, client: Any, table: str
    ) -> None:
        transaction = {"TransactItems": [{"Update": add_one(table, "a")}], "ClientRequestToken": "visit"}
        proxy.faults = Faults(lost_answer=1)
        with pytest.raises(ConnectionClosedError):
            client.transact_write_items(**transaction)
        proxy.faults = Faults()
        assert visits(client, table, "a") == 1
        client.transact_write_items(**transaction)
        assert visits(client, table, "a") == 1


class TestError:
    def test_it_is_an_internal_server_error_and_nothing_is_applied(
        self, proxy: FaultProxy, client: Any, direct: Any, table: str
    ) -> None:
        proxy.faults = Faults(error=1)
        answer = refusal(lambda: client.put_item(TableName=table, Item=page("a")))
        assert answer["Error"]["Code"] == "InternalServerError"
        assert answer["ResponseMetadata"]["HTTPStatusCode"] == 500
        assert everything(direct, table) == []


class TestChance:
    def outcomes(self, engine: Dynoxide, table: str, seed: int) -> list[str]:
        faults = Faults(conflict=0.2, throttle=0.2)
        with FaultProxy(engine.endpoint, faults=faults, seed=seed) as proxy:
            client = connect(proxy.endpoint)
            write = {"TransactItems": [put(table, "a")]}
            return [outcome(lambda: client.transact_write_items(**write)) for _ in range(200)]

    def test_the_same_seed_gives_the_same_faults(self, engine: Dynoxide, table: str) -> None:
        first = self.outcomes(engine, table, seed=7)
        assert first == self.outcomes(engine, table, seed=7)
        assert first != self.outcomes(engine, table, seed=8)

    def test_each_fault_comes_about_as_often_as_asked(self, engine: Dynoxide, table: str) -> None:
        outcomes = self.outcomes(engine, table, seed=7)
        assert 30 <= outcomes.count("ProvisionedThroughputExceededException") <= 50
        assert 30 <= outcomes.count("TransactionCanceledException") <= 50
