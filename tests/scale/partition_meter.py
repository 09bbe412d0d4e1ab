"""Which partitions a click touches, and what each of them pays: from the items before and after.

DynamoDB tells units by table and index, never by partition. So they are counted here by its rules: a write
unit for each KB, two in a transaction; a read unit for each 4 KB, half of one without `ConsistentRead`. An
index is written when what it projects changes, twice when its key does.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from unittest.mock import patch

from core.dynamo import connection
from core.dynamo.items import RawItem, same, size_of
from core.dynamo.tables import Index, TableSpec, specs

TABLE = ""


class Partition(NamedTuple):
    """One partition key value of a table (`index` is empty) or of an index."""

    table: str
    index: str
    value: str


class TouchedItem(NamedTuple):
    """An item that a write changes or only checks: its table, and its key as one text."""

    table: str
    key: str


class Write(NamedTuple):
    table: str
    key: RawItem
    # 2 in a transaction.
    times: int


@dataclass
class PartitionMeter:
    """Units by partition, and what the engine says that all requests cost."""

    reads: Counter[Partition] = field(default_factory=Counter)
    writes: Counter[Partition] = field(default_factory=Counter)
    # What is stored more than before.
    bytes: Counter[Partition] = field(default_factory=Counter)
    # Transactions that meet on one of them cancel each other, also if they only check it.
    touched: set[TouchedItem] = field(default_factory=set)
    told_reads: float = 0
    told_writes: float = 0

    def count_write(self, spec: TableSpec, write: Write, before: RawItem, after: RawItem) -> None:
        larger = max(size_of(before), size_of(after), 1)
        key = write.key[spec.keys[0].name]
        self.touched.add(
            TouchedItem(spec.name, " / ".join(_text(write.key[each.name]) for each in spec.keys))
        )
        partition = Partition(spec.name, TABLE, _text(key))
        self.writes[partition] += write.times * _write_units(larger)
        self.bytes[partition] += size_of(after) - size_of(before)
        for index in spec.indexes:
            grown = _stored(_projected(spec, index, after)) - _stored(_projected(spec, index, before))
            self.bytes[Partition(spec.name, index.name, _text(key))] += grown
            for value, units in _index_units(spec, index, before, after):
                self.writes[Partition(spec.name, index.name, value)] += units

    def count_read(self, spec: TableSpec, key: RawItem, found: RawItem, *, strong: bool) -> None:
        partition = Partition(spec.name, TABLE, _text(key[spec.keys[0].name]))
        self.reads[partition] += (1 if strong else 0.5) * max(1, math.ceil(size_of(found) / 4096))


@contextmanager
def metered_partitions() -> Iterator[PartitionMeter]:
    """Count what every request pays in each partition while the block runs."""
    meter = PartitionMeter()
    by_name = {spec.name: spec for spec in specs()}
    send = connection.SharedConnection._send

    def counted(
        shared: connection.SharedConnection, operation: str, request: dict[str, Any]
    ) -> dict[str, Any]:
        def item(write: Write) -> RawItem:
            wanted = {"TableName": write.table, "Key": write.key, "ConsistentRead": True}
            return send(shared, "GetItem", wanted).get("Item", {})

        writes = list(_writes(operation, request, by_name))
        before = [item(write) for write in writes]
        answer = send(shared, operation, request)
        for write, was in zip(writes, before, strict=True):
            meter.count_write(by_name[write.table], write, was, item(write))
        _count_reads(meter, operation, request, answer, by_name)
        told = _told(answer.get("ConsumedCapacity"))
        if writes:
            meter.told_writes += told
        else:
            meter.told_reads += told
        return answer

    with patch.object(connection.SharedConnection, "_send", counted):
        yield meter


def _writes(operation: str, request: dict[str, Any], by_name: dict[str, TableSpec]) -> Iterator[Write]:
    if operation == "TransactWriteItems":
        for part in request["TransactItems"]:
            ((kind, arguments),) = part.items()
            yield Write(arguments["TableName"], _key(kind, arguments, by_name), 2)
    elif operation in ("PutItem", "UpdateItem", "DeleteItem"):
        kind = operation.removesuffix("Item")
        yield Write(request["TableName"], _key(kind, request, by_name), 1)
    elif operation == "BatchWriteItem":
        for table, parts in request["RequestItems"].items():
            for part in parts:
                ((kind, arguments),) = part.items()
                arguments = arguments | {"TableName": table}
                yield Write(table, _key(kind.removesuffix("Request"), arguments, by_name), 1)


def _key(kind: str, arguments: dict[str, Any], by_name: dict[str, TableSpec]) -> RawItem:
    if kind != "Put":
        return dict(arguments["Key"])
    names = [key.name for key in by_name[arguments["TableName"]].keys]
    return {name: arguments["Item"][name] for name in names}


def _count_reads(
    meter: PartitionMeter,
    operation: str,
    request: dict[str, Any],
    answer: dict[str, Any],
    by_name: dict[str, TableSpec],
) -> None:
    if operation == "GetItem":
        spec, strong = by_name[request["TableName"]], bool(request.get("ConsistentRead"))
        meter.count_read(spec, request["Key"], answer.get("Item", {}), strong=strong)
    elif operation == "BatchGetItem":
        for table, wanted in request["RequestItems"].items():
            spec, strong = by_name[table], bool(wanted.get("ConsistentRead"))
            names = [key.name for key in spec.keys]
            found = {_place(raw, names): raw for raw in answer.get("Responses", {}).get(table, [])}
            for key in wanted["Keys"]:
                meter.count_read(spec, key, found.get(_place(key, names), {}), strong=strong)
    elif operation == "Query":
        index = request.get("IndexName", TABLE)
        partition = Partition(request["TableName"], index, _asked_for(request, by_name))
        meter.reads[partition] += _told(answer.get("ConsumedCapacity"))


def _asked_for(request: dict[str, Any], by_name: dict[str, TableSpec]) -> str:
    """The partition of a Query: the value that its condition compares the hash key with."""
    spec = by_name[request["TableName"]]
    index = spec.index(request.get("IndexName", ""))
    hashed = (index.keys if index else spec.keys)[0].name
    names = request.get("ExpressionAttributeNames", {})
    for name, value in re.findall(r"(#?\w+) = (:\w+)", request["KeyConditionExpression"]):
        if names.get(name, name) == hashed:
            return _text(request["ExpressionAttributeValues"][value])
    raise AssertionError(f"No partition in {request['KeyConditionExpression']}.")


def _index_units(spec: TableSpec, index: Index, before: RawItem, after: RawItem) -> Iterator[tuple[str, int]]:
    was, is_now = _projected(spec, index, before), _projected(spec, index, after)
    keys = [key.name for key in index.keys]
    if was and is_now and _place(was, keys) == _place(is_now, keys):
        if not same({"M": was}, {"M": is_now}):
            yield _text(is_now[keys[0]]), _write_units(max(size_of(was), size_of(is_now)))
        return
    for item in filter(None, (was, is_now)):
        yield _text(item[keys[0]]), _write_units(size_of(item))


def _projected(spec: TableSpec, index: Index, item: RawItem) -> RawItem:
    """What the index holds of an item; nothing if it lacks a key of the index."""
    keys = [key.name for key in index.keys]
    if not all(name in item for name in keys):
        return {}
    if index.projection == "ALL":
        return item
    names = {*keys, *(key.name for key in spec.keys), *index.included}
    return {name: value for name, value in item.items() if name in names}


def _stored(projected: RawItem) -> int:
    """Of each entry of an index 100 bytes more are charged."""
    return size_of(projected) + 100 if projected else 0


def _place(item: RawItem, names: list[str]) -> str:
    return repr([item[name] for name in names])


def _write_units(size: int) -> int:
    return max(1, math.ceil(size / 1024))


def _text(value: dict[str, Any]) -> str:
    return str(next(iter(value.values())))


def _told(capacity: Any) -> float:
    if isinstance(capacity, list):
        return sum(map(_told, capacity))
    return float((capacity or {}).get("CapacityUnits", 0))
