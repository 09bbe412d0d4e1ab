"""The requests of one store to its table: single, in batches, and by the index of expiry."""

import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from pynamodb.exceptions import VerboseClientError

from core.dynamo.connection import SharedConnection, connection, give_up
from core.dynamo.deadline import pause
from core.dynamo.items import AttributeValue, RawItem, bytes_of
from core.dynamo.paging import batches
from core.stores import metrics
from core.stores.config import StoreConfig, StoreConnection
from core.stores.errors import InvalidKey, StoreClosed

MOST_READ_AT_ONCE = 100
BATCH_ATTEMPTS = 8
# Sorts after every time, so that items that never expire are listed too.
NEVER = 9_999_999_999
LONGEST_KEY = 512
CONTROL = re.compile(r"[\x00-\x1f\x7f]|[\ud800-\udfff]")
REFUSED = "ConditionalCheckFailedException"


class ConditionFailed(Exception):
    """The condition of a write failed; `stored` is the item as it is."""

    def __init__(self, stored: RawItem | None) -> None:
        self.stored = stored or {}
        super().__init__("refused")


def checked(key: str) -> str:
    """The key of a store; refused if it is empty or too long, or has control characters."""
    if not 1 <= bytes_of(key) <= LONGEST_KEY or CONTROL.search(key):
        raise InvalidKey
    return key


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class StoreTable:
    """Every request of a store goes through here. Names behind `#` in expressions are attribute names."""

    def __init__(self, config: StoreConfig | None, *, store: str, clock: Callable[[], int] = now_ms) -> None:
        self.config = config or StoreConfig()
        self.name = self.config.table_name
        self._store = store
        self._clock = clock
        self._own: StoreConnection | None = None
        self._own_process = 0
        self._lock = threading.Lock()
        self._closed = False

    def now(self) -> int:
        """The time; as every operation asks for it, a closed store raises here even without a request."""
        self._ensure_open()
        return self._clock()

    def get(self, key: RawItem, *, strong: bool = True) -> RawItem:
        """The stored item, empty when there is none."""
        item: RawItem = self.request("GetItem", Key=key, ConsistentRead=strong).get("Item") or {}
        return item

    def put(self, item: RawItem, **expressions: Any) -> None:
        self.request("PutItem", Item=item, **_named(expressions))

    def update(self, key: RawItem, *, returns: str = "NONE", **expressions: Any) -> RawItem:
        answer = self.request("UpdateItem", Key=key, ReturnValues=returns, **_named(expressions))
        changed: RawItem = answer.get("Attributes") or {}
        return changed

    def delete(self, key: RawItem, *, returns: str = "NONE", **expressions: Any) -> RawItem:
        answer = self.request("DeleteItem", Key=key, ReturnValues=returns, **_named(expressions))
        removed: RawItem = answer.get("Attributes") or {}
        return removed

    def request(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """One request; a failed condition raises ConditionFailed with the stored item."""
        if "ConditionExpression" in arguments:
            arguments["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        return self._send(operation, {"TableName": self.name, **arguments})

    def transact(self, *writes: dict[str, Any]) -> None:
        """Several writes, all or none."""
        self._send("TransactWriteItems", {"TransactItems": list(writes)})

    def get_many(
        self, keys: Iterable[RawItem], *, strong: bool = True, **expressions: str
    ) -> Iterator[RawItem]:
        """The items that exist, in no particular order."""
        self._ensure_open()
        for batch in batches(keys, MOST_READ_AT_ONCE):
            wanted = {"Keys": batch, "ConsistentRead": strong, **_named(expressions)}
            for answer in self._repeated("BatchGetItem", wanted, "UnprocessedKeys"):
                yield from answer.get("Responses", {}).get(self.name, [])

    def put_many(self, items: Iterable[RawItem]) -> None:
        self._write_many({"PutRequest": {"Item": item}} for item in items)

    def delete_many(self, keys: Iterable[RawItem]) -> None:
        self._write_many({"DeleteRequest": {"Key": key}} for key in keys)

    def listed(
        self, kind: str, *, before: int | None = None, limit: int = 1000, start: RawItem | None = None
    ) -> tuple[list[RawItem], RawItem | None]:
        """One page of what expires, soonest first: keys and sizes only. `before` is in epoch seconds."""
        values: RawItem = {":kind": text(f"EXPIRES#{kind}")}
        arguments: dict[str, Any] = {
            "IndexName": "GSI1",
            "Limit": limit,
            "KeyConditionExpression": "#GSI1PK = :kind",
            "ExpressionAttributeValues": values,
        }
        if before is not None:
            arguments["KeyConditionExpression"] += " AND #GSI1SK < :before"
            values[":before"] = text(f"{before}#")
        if start is not None:
            arguments["ExclusiveStartKey"] = start
        answer = self.request("Query", **_named(arguments))
        return answer["Items"], answer.get("LastEvaluatedKey")

    def all_listed(self, kind: str, *, before: int | None = None) -> Iterator[RawItem]:
        start: RawItem | None = None
        while True:
            items, start = self.listed(kind, before=before, start=start)
            yield from items
            if start is None:
                return

    def remove_expired(self, kind: str, moment: int) -> int:
        """Remove what has expired, unless it was written again since the index was read."""
        removed = 0
        for item in self.all_listed(kind, before=moment // 1000):
            with suppress(ConditionFailed):
                self.delete(
                    {"PK": item["PK"], "SK": item["SK"]},
                    ConditionExpression="#expiresAt <= :now",
                    ExpressionAttributeValues={":now": number(moment)},
                )
                removed += 1
        return removed

    def close(self) -> None:
        self._closed = True
        if self._own is not None and self.config.client is None:
            self._own.close()

    def _write_many(self, writes: Iterable[dict[str, Any]]) -> None:
        self._ensure_open()
        for batch in batches(writes, self.config.batch_size):
            for _answer in self._repeated("BatchWriteItem", batch, "UnprocessedItems"):
                pass

    def _repeated(self, operation: str, wanted: Any, unprocessed: str) -> Iterator[dict[str, Any]]:
        """The answers of a batch request, which is repeated for what was not processed."""
        left: dict[str, Any] = {self.name: wanted}
        for attempt in range(BATCH_ATTEMPTS):
            answer = self._send(operation, {"RequestItems": left})
            yield answer
            left = answer.get(unprocessed) or {}
            if not left:
                return
            pause(attempt)
        raise give_up()

    def _send(self, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self._ensure_open()
        started = time.monotonic()
        try:
            answer: dict[str, Any] = self._connection().dispatch(operation, arguments)
        except VerboseClientError as error:
            if error.response["Error"]["Code"] != REFUSED:
                raise
            # PynamoDB's own error drops the stored item.
            raise ConditionFailed(getattr(error.__cause__, "response", {}).get("Item")) from error
        finally:
            metrics.record_time(self._store, operation, (time.monotonic() - started) * 1000)
        return answer

    def _ensure_open(self) -> None:
        if self._closed:
            raise StoreClosed

    def _connection(self) -> SharedConnection:
        if self.config.shares_connection:
            return connection()
        with self._lock:
            # After a fork the sockets belong to the parent.
            if self._own is None or self._own_process != os.getpid():
                self._own, self._own_process = StoreConnection(self.config), os.getpid()
            return self._own


def ttl_of(moment_ms: int) -> int:
    """The second from which DynamoDB may remove it; never before its time."""
    return -(-moment_ms // 1000)


def key_of(pk: str, sk: str) -> RawItem:
    return {"PK": text(pk), "SK": text(sk)}


def text(value: str) -> AttributeValue:
    return {"S": value}


def number(value: int) -> AttributeValue:
    return {"N": str(value)}


def int_of(item: Mapping[str, AttributeValue], name: str, default: int = 0) -> int:
    return int(item[name]["N"]) if name in item else default


def by_expiry(kind: str, pk: str, expires_at: int | None) -> RawItem:
    """The attributes that say when an item ends: exactly, for DynamoDB, and for the index."""
    if expires_at is None:
        return {"GSI1PK": text(f"EXPIRES#{kind}"), "GSI1SK": text(f"{NEVER}#{pk}")}
    ttl = ttl_of(expires_at)
    return {
        "expiresAt": number(expires_at),
        "TTL": number(ttl),
        "GSI1PK": text(f"EXPIRES#{kind}"),
        "GSI1SK": text(f"{ttl:010}#{pk}"),
    }


def _named(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the attribute names that their expressions mention."""
    expressions = " ".join(value for name, value in arguments.items() if name.endswith("Expression"))
    names = {f"#{name}": name for name in re.findall(r"#(\w+)", expressions)}
    return arguments | {"ExpressionAttributeNames": names} if names else arguments
