"""Which partitions a request needs, entry by entry."""

from typing import NamedTuple

from core.dynamo.faults.images import asked_partition
from core.dynamo.faults.messages import Call, Json, Message, Part, parts
from core.dynamo.faults.schemas import Schemas
from core.dynamo.faults.units import Cost, Partition, costs_of_write, key_text
from core.dynamo.items import Target, target_of

WRITES = {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}
READS = {"GetItem", "BatchGetItem", "TransactGetItems", "Query"}


class Step(NamedTuple):
    """One entry of a request and what it takes: nothing where the engine will refuse it.

    A write takes from its table first; what a read takes is known only from the answer, and is 0 before.
    """

    table: str
    costs: list[Cost]


def steps_of_read(request: Message, call: Call, schemas: Schemas) -> list[Step]:
    if request.operation == "Query":
        return [_query(request.payload, call, schemas)]
    steps = []
    for part in parts(request):
        spec = schemas.of(call, part.table)
        steps.append(_reading(part.table, None, part.body["Key"].get(spec.keys[0].name) if spec else None))
    return steps


def _query(query: Json, call: Call, schemas: Schemas) -> Step:
    table, index = query["TableName"], query.get("IndexName")
    spec = schemas.of(call, table)
    source = spec.index(index) if spec and index else spec
    return _reading(table, index, asked_partition(query, source.keys[0].name) if source else None)


def _reading(table: str, index: str | None, key: Json | None) -> Step:
    return Step(table, [Cost(Partition(table, index, key_text(key), "read"), 0)] if key else [])


def steps_of_write(request: Message, call: Call, schemas: Schemas) -> list[Step]:
    written = [(part, schemas.key_of(call, part)) for part in parts(request)]
    present = _present(written, call, schemas)
    times = 2 if request.operation == "TransactWriteItems" else 1
    steps = []
    for part, key in written:
        if key is None or (spec := schemas.of(call, part.table)) is None:
            steps.append(Step(part.table, []))
        else:
            before = present.get(target_of(part.table, key))
            steps.append(Step(part.table, costs_of_write(spec, part, key, before, times)))
    return steps


def _present(written: list[tuple[Part, Json | None]], call: Call, schemas: Schemas) -> dict[Target, Json]:
    """The items as they are."""
    wanted: dict[str, Json] = {}
    for part, key in written:
        if key is not None:
            wanted.setdefault(part.table, {"Keys": [], "ConsistentRead": True})["Keys"].append(key)
    answer = call("BatchGetItem", {"RequestItems": wanted}).payload if wanted else {}
    return {
        target_of(table, {key.name: item[key.name] for key in spec.keys}): item
        for table, items in answer.get("Responses", {}).items()
        if (spec := schemas.of(call, table))
        for item in items
    }
