"""The fault proxy keeps indexes behind their table, as AWS may."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError

from config.engines.dynoxide import Dynoxide
from core.dynamo.faults import FaultProxy, Faults
from tests.core.dynamo.fault_clients import (
    add_one,
    by_status,
    connect,
    ids,
    key,
    make_table_of_pages,
    outcome,
    page,
    put,
)

FOREVER = 3_600_000


class TestStaleIndex:
    @pytest.fixture(autouse=True)
    def _three_pages_then_the_index_stands_still(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        for name in ("a", "b", "c"):
            faulty_client.put_item(TableName=table, Item=page(name, title="old"))
        fault_proxy.faults = Faults(stale_index=1, lag=FOREVER)

    def test_what_was_there_before_is_shown(self, faulty_client: Any, table: str) -> None:
        assert ids(by_status(faulty_client, table, "draft")["Items"]) == ["a", "b", "c"]

    @pytest.mark.parametrize("how", ["put", "transaction", "batch"])
    def test_a_new_record_is_missing_though_a_strong_read_has_it(
        self, faulty_client: Any, table: str, how: str
    ) -> None:
        match how:
            case "put":
                faulty_client.put_item(TableName=table, Item=page("d"))
            case "transaction":
                faulty_client.transact_write_items(TransactItems=[put(table, "d")])
            case "batch":
                faulty_client.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": page("d")}}]})
        assert ids(by_status(faulty_client, table, "draft")["Items"]) == ["a", "b", "c"]
        assert faulty_client.get_item(TableName=table, Key=key("d"), ConsistentRead=True)["Item"] == page("d")

    def test_a_changed_record_is_shown_as_it_was(self, faulty_client: Any, table: str) -> None:
        faulty_client.put_item(TableName=table, Item=page("b", title="new"))
        titles = [item["title"]["S"] for item in by_status(faulty_client, table, "draft")["Items"]]
        assert titles == ["old", "old", "old"]

    def test_a_deleted_record_is_still_shown(self, faulty_client: Any, table: str) -> None:
        faulty_client.delete_item(TableName=table, Key=key("b"))
        assert ids(by_status(faulty_client, table, "draft")["Items"]) == ["a", "b", "c"]

    def test_a_moved_record_is_shown_where_it_was(self, faulty_client: Any, table: str) -> None:
        faulty_client.put_item(TableName=table, Item=page("b", status="published"))
        assert ids(by_status(faulty_client, table, "draft")["Items"]) == ["a", "b", "c"]
        assert ids(by_status(faulty_client, table, "published")["Items"]) == []

    def test_a_write_without_its_key_is_the_engines_to_refuse(self, faulty_client: Any, table: str) -> None:
        item = {"status": {"S": "draft"}}
        assert outcome(lambda: faulty_client.put_item(TableName=table, Item=item)) == "ValidationException"

    def test_an_unknown_table_is_the_engines_to_refuse(self, faulty_client: Any) -> None:
        assert outcome(lambda: by_status(faulty_client, "nowhere", "draft")) == "ResourceNotFoundException"

    def test_a_table_over_a_megabyte_is_shown_whole(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        fault_proxy.faults = Faults()
        names = ["large-1", "large-2", "large-3", "large-4"]
        for name in names:
            faulty_client.put_item(TableName=table, Item=page(name, status=name, text="x" * 350_000))
        fault_proxy.faults = Faults(stale_index=1, lag=FOREVER)
        assert [ids(by_status(faulty_client, table, name)["Items"]) for name in names] == [
            [name] for name in names
        ]

    def test_after_the_lag_the_index_has_caught_up(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        faulty_client.put_item(TableName=table, Item=page("d"))
        faulty_client.delete_item(TableName=table, Key=key("a"))
        faulty_client.put_item(TableName=table, Item=page("b", status="published"))
        assert ids(by_status(faulty_client, table, "draft")["Items"]) == ["a", "b", "c"]
        fault_proxy.faults = Faults(stale_index=1, lag=0)
        assert ids(by_status(faulty_client, table, "draft")["Items"]) == ["c", "d"]
        assert ids(by_status(faulty_client, table, "published")["Items"]) == ["b"]

    def test_pages_and_capacity_are_those_of_the_table(self, faulty_client: Any, table: str) -> None:
        first = by_status(faulty_client, table, "draft", Limit=2, ReturnConsumedCapacity="TOTAL")
        assert first["ConsumedCapacity"] == {"TableName": table, "CapacityUnits": 0.5}
        rest = by_status(faulty_client, table, "draft", ExclusiveStartKey=first["LastEvaluatedKey"])
        assert ids(first["Items"]) + ids(rest["Items"]) == ["a", "b", "c"]

    def test_forty_threads_leave_the_index_as_the_table(
        self, fault_proxy: FaultProxy, faulty_client: Any, table: str
    ) -> None:
        with ThreadPoolExecutor(40) as threads:
            list(threads.map(lambda _: faulty_client.update_item(**add_one(table, "a")), range(200)))
        fault_proxy.faults = Faults(stale_index=1, lag=0)
        first = by_status(faulty_client, table, "draft")["Items"][0]
        assert first["visits"] == {"N": "200"}

    def test_without_the_fault_the_index_is_current_and_no_copy_is_left(
        self, fault_proxy: FaultProxy, faulty_client: Any, direct: Any, table: str
    ) -> None:
        faulty_client.put_item(TableName=table, Item=page("d"))
        fault_proxy.faults = Faults()
        assert ids(by_status(faulty_client, table, "draft")["Items"]) == ["a", "b", "c", "d"]
        assert [name for name in direct.list_tables()["TableNames"] if name.startswith(table)] == [table]


def test_an_engine_that_was_killed_meanwhile_gets_what_is_late_when_it_is_back(
    bare_engine: Dynoxide,
) -> None:
    with FaultProxy(bare_engine.endpoint) as proxy:
        client = connect(proxy.endpoint)
        make_table_of_pages(client, "pages")
        proxy.faults = Faults(stale_index=1, lag=FOREVER)
        client.put_item(TableName="pages", Item=page("a"))
        proxy.faults = Faults(stale_index=1, lag=0)
        bare_engine.kill()
        with pytest.raises(BotoCoreError):
            by_status(client, "pages", "draft")
        bare_engine.restart()

        assert ids(by_status(client, "pages", "draft")["Items"]) == ["a"]
