"""Behind the fault proxy a partition serves as much in a second as on AWS, or a multiple of it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.exceptions import ClientError

from config.engines.dynoxide import Dynoxide
from core.dynamo.faults import FaultProxy, Faults
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
)

TOO_MUCH = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your "
    "table or index so please try again shortly. If exceptions persist, check if you have a hot key."
)
THROTTLED = "ThrottlingException"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limited(engine: Dynoxide, clock: Clock) -> Iterator[FaultProxy]:
    """A partition has ten write units and thirty read units a second, by a clock that stands still."""
    with FaultProxy(engine.endpoint, faults=Faults(capacity=0.01), clock=clock) as limited:
        yield limited


@pytest.fixture
def client(limited: FaultProxy) -> Any:
    return connect(limited.endpoint)


def refusal(call: Callable[[], Any]) -> dict[str, Any]:
    with pytest.raises(ClientError) as caught:
        call()
    return dict(caught.value.response)


def served(call: Callable[[int], Any], most: int = 100) -> int:
    """How often a call is done until it is refused for want of capacity."""
    for number in range(most):
        if (answer := outcome(lambda number=number: call(number))) != "done":  # type: ignore[misc]
            assert answer == THROTTLED
            return number
    return most


def bare(id: str, **attributes: str) -> dict[str, Any]:
    """A page that no index has."""
    return {"id": {"S": id}} | {name: {"S": value} for name, value in attributes.items()}


class TestWrites:
    def test_a_partition_has_so_many_units_a_second_and_then_refuses(
        self, client: Any, limited: FaultProxy, direct: Any, table: str
    ) -> None:
        assert served(lambda n: client.put_item(TableName=table, Item=bare("a", title=str(n)))) == 10
        answer = refusal(lambda: client.delete_item(TableName=table, Key=key("a")))

        assert answer["Error"] == {"Code": THROTTLED, "Message": TOO_MUCH}
        assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400
        assert answer["throttlingReasons"] == [
            {
                "reason": "TableWriteKeyRangeThroughputExceeded",
                "resource": f"arn:aws:dynamodb:local:000000000000:table/{table}",
            }
        ]
        assert direct.get_item(TableName=table, Key=key("a"))["Item"] == bare("a", title="9")
        assert limited.injected == {"capacity": 2}

    def test_units_flow_in_all_the_time_up_to_those_of_one_second(
        self, client: Any, clock: Clock, table: str
    ) -> None:
        def write(_number: int) -> None:
            client.update_item(**add_one(table, "a"))

        assert served(write) == 10
        clock.now += 0.3
        assert served(write) == 3
        clock.now += 3600
        assert served(write) == 10

    def test_another_partition_has_its_own(self, client: Any, table: str) -> None:
        assert served(lambda _: client.put_item(TableName=table, Item=bare("a"))) == 10
        assert served(lambda _: client.put_item(TableName=table, Item=bare("b"))) == 10

    def test_each_kilobyte_is_a_unit_and_the_larger_image_counts(
        self, client: Any, direct: Any, table: str
    ) -> None:
        large = bare("a", text="x" * 2_100)
        assert served(lambda _: client.put_item(TableName=table, Item=large)) == 4, "3, 6, 9 and 12 units"
        direct.put_item(TableName=table, Item=bare("b", text="x" * 9_300))
        assert served(lambda _: client.delete_item(TableName=table, Key=key("b"))) == 1, "10 units"

    def test_what_goes_over_is_a_debt(self, client: Any, clock: Clock, table: str) -> None:
        client.put_item(TableName=table, Item=bare("a", text="x" * 50_000))
        clock.now += 3.9
        assert served(lambda _: client.update_item(**add_one(table, "a"))) == 0
        clock.now += 0.1
        assert served(lambda _: client.update_item(**add_one(table, "a"))) == 1

    def test_a_failed_condition_takes_the_tables_units_and_none_of_an_index(
        self, client: Any, limited: FaultProxy, direct: Any, table: str
    ) -> None:
        direct.put_item(TableName=table, Item=page("a"))
        unseen = {"ConditionExpression": "attribute_not_exists(id)"}
        for _ in range(10):
            write = {"TableName": table, "Item": page("a", "published"), **unseen}
            assert outcome(lambda write=write: client.put_item(**write)) == "ConditionalCheckFailedException"
        assert served(lambda _: client.put_item(TableName=table, Item=page("a"))) == 0
        assert [(hot.partition.index_name, hot.units) for hot in limited.hottest()] == [(None, 10)]

    def test_threads_take_no_more_than_one_request_each_over_it(
        self, client: Any, limited: FaultProxy, direct: Any, table: str
    ) -> None:
        def write(_number: int) -> str:
            return outcome(lambda: client.update_item(**add_one(table, "a")))

        with ThreadPoolExecutor(20) as threads:
            outcomes = list(threads.map(write, range(200)))
        done = outcomes.count("done")

        assert 10 <= done <= 10 + 19
        assert outcomes.count(THROTTLED) == 200 - done
        assert direct.get_item(TableName=table, Key=key("a"))["Item"]["visits"] == {"N": str(done)}
        assert limited.hottest()[0].units == done


class TestIndexes:
    def test_an_index_without_capacity_pushes_back_on_the_table(
        self, client: Any, direct: Any, table: str
    ) -> None:
        assert served(lambda n: client.put_item(TableName=table, Item=page(f"page-{n}"))) == 10
        answer = refusal(lambda: client.put_item(TableName=table, Item=page("a")))

        assert answer["Error"]["Code"] == THROTTLED
        assert answer["throttlingReasons"] == [
            {
                "reason": "IndexWriteKeyRangeThroughputExceeded",
                "resource": f"arn:aws:dynamodb:local:000000000000:table/{table}/index/by-status",
            }
        ]
        assert len(everything(direct, table)) == 10

    def test_writes_that_leave_it_alone_go_on(self, client: Any, table: str) -> None:
        assert served(lambda n: client.put_item(TableName=table, Item=page(f"page-{n}"))) == 10
        client.put_item(TableName=table, Item=page("a", "published"))
        client.put_item(TableName=table, Item=bare("b"))
        client.put_item(TableName=table, Item=page("page-1"))

    def test_an_update_that_moves_a_record_there_is_refused_too(
        self, client: Any, direct: Any, table: str
    ) -> None:
        direct.put_item(TableName=table, Item=page("a", "published"))
        assert served(lambda n: client.put_item(TableName=table, Item=page(f"page-{n}"))) == 10
        move = {
            "UpdateExpression": "SET #s = :s",
            "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":s": {"S": "draft"}},
        }
        assert outcome(lambda: client.update_item(TableName=table, Key=key("a"), **move)) == THROTTLED


class TestTransactions:
    def test_one_is_cancelled_at_the_positions_without_capacity(
        self, client: Any, direct: Any, table: str
    ) -> None:
        assert served(lambda _: client.put_item(TableName=table, Item=bare("a"))) == 10
        change = [{"Update": add_one(table, "b")}, {"Update": add_one(table, "a")}]
        answer = refusal(lambda: client.transact_write_items(TransactItems=change))

        assert answer["Error"]["Code"] == "TransactionCanceledException"
        assert answer["CancellationReasons"] == [
            {"Code": "None"},
            {"Code": "ThrottlingError", "Message": TOO_MUCH},
        ]
        assert everything(direct, table) == ["a"]

    def test_writes_and_checks_take_twice_the_units_of_the_table(
        self, client: Any, limited: FaultProxy, table: str
    ) -> None:
        check = {"TableName": table, "Key": key("b"), "ConditionExpression": "attribute_not_exists(id)"}
        client.transact_write_items(TransactItems=[put(table, "a"), {"ConditionCheck": check}])

        assert [(hot.partition.index_name, hot.partition.key, hot.units) for hot in limited.hottest()] == [
            (None, "a", 2),
            (None, "b", 2),
            ("by-status", "draft", 1),
        ]

    def test_reads_take_twice_the_units(self, client: Any, limited: FaultProxy, table: str) -> None:
        reads = [{"Get": {"TableName": table, "Key": key("a")}}]
        for _ in range(15):
            client.transact_get_items(TransactItems=reads)
        answer = refusal(lambda: client.transact_get_items(TransactItems=reads))

        assert limited.hottest()[0].units == 30
        assert [reason["Code"] for reason in answer["CancellationReasons"]] == ["ThrottlingError"]


class TestReads:
    def test_a_strong_read_is_a_unit_for_each_four_kilobytes_and_another_half_of_that(
        self, client: Any, direct: Any, table: str
    ) -> None:
        for name in ("strong", "eventual"):
            direct.put_item(TableName=table, Item=bare(name, text="x" * 8_000))

        def get(name: str) -> Any:
            return client.get_item(TableName=table, Key=key(name), ConsistentRead=name == "strong")

        assert served(lambda _: get("strong")) == 15
        assert served(lambda _: get("eventual")) == 30

    def test_a_query_of_an_index_takes_what_its_items_are_together(
        self, client: Any, limited: FaultProxy, direct: Any, table: str
    ) -> None:
        for number in range(10):
            direct.put_item(TableName=table, Item=page(f"page-{number}", text="x" * 4_000))
        assert served(lambda _: by_status(client, table, "draft")) == 6, "5 units each"
        assert served(lambda _: by_status(client, table, "published"), 10) == 10
        assert limited.hottest(1)[0].partition == (table, "by-status", "draft", "read")

    def test_a_query_of_the_table_takes_from_the_tables_partition(self, client: Any, table: str) -> None:
        def query(_number: int) -> None:
            client.query(
                TableName=table,
                ConsistentRead=True,
                KeyConditionExpression="id = :id",
                ExpressionAttributeValues={":id": {"S": "a"}},
            )

        assert served(query) == 30
        assert served(lambda _: client.get_item(TableName=table, Key=key("a"))) == 0

    def test_writes_and_reads_have_units_of_their_own(self, client: Any, table: str) -> None:
        assert served(lambda _: client.put_item(TableName=table, Item=bare("a"))) == 10
        assert served(lambda _: client.get_item(TableName=table, Key=key("a"), ConsistentRead=True)) == 30

    def test_what_the_engine_would_refuse_is_left_to_it(self, client: Any, table: str) -> None:
        assert outcome(lambda: client.get_item(TableName="nowhere", Key=key("a"))) == (
            "ResourceNotFoundException"
        )
        assert outcome(lambda: by_status(client, "nowhere", "draft")) == "ResourceNotFoundException"
        assert outcome(lambda: client.put_item(TableName="nowhere", Item=page("a"))) == (
            "ResourceNotFoundException"
        )
        keyless = {"status": {"S": "draft"}}
        assert outcome(lambda: client.put_item(TableName=table, Item=keyless)) == "ValidationException"


class TestBatches:
    def test_a_batch_read_hands_back_the_keys_of_partitions_without_capacity(
        self, client: Any, direct: Any, table: str
    ) -> None:
        for name in ("a", "b"):
            direct.put_item(TableName=table, Item=bare(name))
        assert served(lambda _: client.get_item(TableName=table, Key=key("a"), ConsistentRead=True)) == 30
        wanted = {table: {"Keys": [key("a"), key("b")], "ConsistentRead": True}}
        answer = client.batch_get_item(RequestItems=wanted)

        assert ids(answer["Responses"][table]) == ["b"]
        assert answer["UnprocessedKeys"] == {table: {"Keys": [key("a")], "ConsistentRead": True}}

    def test_its_units_are_shared_out_among_its_keys(
        self, client: Any, limited: FaultProxy, table: str
    ) -> None:
        client.batch_get_item(RequestItems={table: {"Keys": [key("a"), key("b")], "ConsistentRead": True}})

        assert [(hot.partition.key, hot.units) for hot in limited.hottest()] == [("a", 1), ("b", 1)]

    def test_a_batch_write_hands_back_the_writes_to_partitions_without_capacity(
        self, client: Any, direct: Any, table: str
    ) -> None:
        assert served(lambda _: client.put_item(TableName=table, Item=bare("a"))) == 10
        delete, write = {"DeleteRequest": {"Key": key("a")}}, {"PutRequest": {"Item": bare("b")}}
        answer = client.batch_write_item(RequestItems={table: [delete, write]})

        assert answer["UnprocessedItems"] == {table: [delete]}
        assert everything(direct, table) == ["a", "b"]

    def test_one_of_which_nothing_can_be_served_is_refused(self, client: Any, table: str) -> None:
        assert served(lambda _: client.put_item(TableName=table, Item=bare("a"))) == 10
        delete = {"DeleteRequest": {"Key": key("a")}}

        assert outcome(lambda: client.batch_write_item(RequestItems={table: [delete]})) == THROTTLED


class TestOtherRequests:
    def test_a_scan_and_a_description_are_neither_refused_nor_counted(
        self, client: Any, limited: FaultProxy, table: str
    ) -> None:
        for _ in range(40):
            client.scan(TableName=table, ConsistentRead=True)
            client.describe_table(TableName=table)

        assert limited.hottest() == []


class TestTheHottestPartitions:
    def test_it_tells_the_most_units_in_any_one_second_and_their_share_of_what_aws_gives(
        self, client: Any, limited: FaultProxy, clock: Clock, table: str
    ) -> None:
        for moment, writes in ((0.0, 3), (0.9, 4), (1.1, 5), (3.0, 6)):
            clock.now = moment
            for _ in range(writes):
                client.put_item(TableName=table, Item=bare("a"))
        client.get_item(TableName=table, Key=key("b"), ConsistentRead=True)

        assert limited.hottest() == [
            ((table, None, "a", "write"), 9, 0.009),
            ((table, None, "b", "read"), 1, 1 / 3000),
        ]
        assert [hot.partition.key for hot in limited.hottest(1)] == ["a"]

    def test_it_counts_without_refusing_where_there_is_plenty(
        self, client: Any, limited: FaultProxy, table: str
    ) -> None:
        limited.faults = Faults(capacity=1000)
        assert served(lambda _: client.put_item(TableName=table, Item=bare("a")), 30) == 30
        assert limited.hottest()[0].units == 30

    def test_it_tells_all_units_of_each_table_and_index(
        self, client: Any, limited: FaultProxy, table: str
    ) -> None:
        for name in ("a", "b"):
            client.put_item(TableName=table, Item=page(name))
        client.get_item(TableName=table, Key=key("b"), ConsistentRead=True)

        assert limited.units == {
            (table, None, "write"): 2,
            (table, "by-status", "write"): 2,
            (table, None, "read"): 1,
        }
        limited.clear()
        assert limited.units == {}

    def test_it_counts_anew_after_a_clear_and_nothing_without_the_fault(
        self, client: Any, limited: FaultProxy, table: str
    ) -> None:
        client.put_item(TableName=table, Item=bare("a"))
        limited.clear()
        assert limited.hottest() == []
        client.put_item(TableName=table, Item=bare("a"))
        assert limited.hottest()[0].units == 1

        limited.clear()
        limited.faults = Faults()
        client.put_item(TableName=table, Item=bare("a"))
        assert limited.hottest() == []


class TestReadingIt:
    def test_it_is_a_multiple_and_no_probability(self) -> None:
        assert Faults.parse("capacity=1") == Faults(capacity=1)
        assert Faults.parse("capacity=1000000,overlap=6") == Faults(capacity=1_000_000, overlap=6)

    @pytest.mark.parametrize("value", ["-1", "1000001", "nan", "inf"])
    def test_it_is_at_most_a_million(self, value: str) -> None:
        with pytest.raises(ValueError, match=r"^Fault capacity is a multiple from 0 to 1000000, not "):
            Faults.parse(f"capacity={value}")
