"""Stale answers of global secondary indexes."""

import threading
import time
from collections import deque
from itertools import takewhile

from core.dynamo.faults.messages import Call, Json, Message
from core.dynamo.items import Target, target_of
from core.dynamo.paging import batches
from core.dynamo.tables import create_request, from_schema

# Of a batch.
MOST_WRITES = 25


class LaggingCopies:
    """How indexes look while they lag: a copy of each table that receives every write late.

    A copy is taken before the first write or index read while `stale_index` is set and dropped when it is
    unset, so what was written before is never hidden. The engine itself answers stale queries from the copy:
    new items are missing, changed ones old, deleted ones still there, pages and filters work as always.
    Limits: all indexes of a table lag alike; writes past the proxy and TTL deletions never reach the copy;
    copying reads the whole table, so use small ones.
    """

    def __init__(self) -> None:
        self._keys: dict[str, list[str]] = {}
        self._waiting: deque[tuple[float, str, Json, Json | None]] = deque()
        self._lock = threading.Lock()

    @staticmethod
    def name_of_copy(table: str) -> str:
        return f"{table}.lagging"

    def follow(self, call: Call, table: str) -> None:
        """Make sure that there is a copy of the table, if the table itself exists."""
        with self._lock:
            if table in self._keys:
                return
            description = call("DescribeTable", {"TableName": table}).payload.get("Table")
            if description is None:
                return
            self._create_copy(call, description)
            self._keys[table] = [key["AttributeName"] for key in description["KeySchema"]]

    def _create_copy(self, call: Call, description: Json) -> None:
        copy = self.name_of_copy(description["TableName"])
        call("DeleteTable", {"TableName": copy})  # left over when a proxy was killed
        call("CreateTable", create_request(from_schema(description | {"TableName": copy})))
        page: Json = {"LastEvaluatedKey": None}
        while "LastEvaluatedKey" in page:
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]} if page["LastEvaluatedKey"] else {}
            scan = {"TableName": description["TableName"], "ConsistentRead": True, **start}
            page = call("Scan", scan).payload
            for item in page["Items"]:
                call("PutItem", {"TableName": copy, "Item": item})

    def note(self, call: Call, written: list[tuple[str, Json]]) -> None:
        """Queue the present state of these items; the copies get them after the lag."""
        with self._lock:
            places = [
                (table, {name: item[name] for name in self._keys[table]})
                for table, item in written
                if table in self._keys
            ]
            present = self._present(call, places)
            moment = time.monotonic()
            for place in places:
                self._waiting.append((moment, *place, present.get(target_of(*place))))

    def _present(self, call: Call, places: list[tuple[str, Json]]) -> dict[Target, Json]:
        """Those of the items that exist: all with one request, because writes wait for it."""
        wanted: Json = {}
        for table, key in places:
            wanted.setdefault(table, {"Keys": [], "ConsistentRead": True})["Keys"].append(key)
        found: dict[Target, Json] = {}
        while wanted:
            answer = call("BatchGetItem", {"RequestItems": wanted}).payload
            for table, items in answer["Responses"].items():
                for item in items:
                    key = {name: item[name] for name in self._keys[table]}
                    found[target_of(table, key)] = item
            wanted = answer.get("UnprocessedKeys", {})
        return found

    def read(self, call: Call, request: Message, lag: float) -> Message:
        """Answer an index read as the index was `lag` milliseconds ago."""
        payload = request.payload
        table = payload["TableName"]
        self._catch_up(call, time.monotonic() - lag / 1000)
        answer = call(request.operation, {**payload, "TableName": self.name_of_copy(table)})
        result = answer.payload
        if "ConsumedCapacity" in result:
            result["ConsumedCapacity"]["TableName"] = table
        return answer.with_payload(result)

    def _catch_up(self, call: Call, until: float) -> None:
        with self._lock:
            due = list(takewhile(lambda waiting: waiting[0] <= until, self._waiting))
            # A batch cannot have an item twice; its last image is the one that stays.
            latest = {target_of(table, key): (table, key, image) for _, table, key, image in due}
            for batch in batches(latest.values(), MOST_WRITES):
                requests: Json = {}
                for table, key, image in batch:
                    write = {"PutRequest": {"Item": image}} if image else {"DeleteRequest": {"Key": key}}
                    requests.setdefault(self.name_of_copy(table), []).append(write)
                call("BatchWriteItem", {"RequestItems": requests})
            # Only now: an engine that has died gets them when it is back.
            for _ in due:
                self._waiting.popleft()

    def drop(self, call: Call) -> None:
        """Delete the copies: from now on the indexes are up to date."""
        with self._lock:
            tables = list(self._keys)
            self._keys.clear()
            self._waiting.clear()
            for table in tables:
                call("DeleteTable", {"TableName": self.name_of_copy(table)})
