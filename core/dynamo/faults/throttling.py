"""Requests to partitions that have no capacity left."""

import time
from collections import Counter
from collections.abc import Callable

from core.dynamo.faults.capacity import Capacity
from core.dynamo.faults.messages import (
    BATCHES,
    Call,
    Json,
    Message,
    Send,
    batch_entries,
    cancellation,
    grouped_like,
    handing_back,
    refusal,
)
from core.dynamo.faults.schemas import Schemas
from core.dynamo.faults.steps import READS, WRITES, Step, steps_of_read, steps_of_write
from core.dynamo.faults.units import Cost, Partition

# Refusals of the engine for which AWS takes the units of the table all the same.
PAID = {"ConditionalCheckFailedException", "TransactionCanceledException", "TransactionConflictException"}
TOO_MUCH = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your "
    "table or index so please try again shortly. If exceptions persist, check if you have a hot key."
)


class Throttle:
    """Refuses what needs a partition without capacity, as AWS does for tables on demand.

    Each partition key of a table, and of each of its indexes, has 1,000 write units and 3,000 read units a
    second, times the scale. A single request gets ThrottlingException, a transaction is cancelled by
    ThrottlingError at the positions concerned, and a batch hands back what was not served, unless that is
    all. A write also needs capacity in the index partitions that it changes, and is refused for their sake.
    What reads take the engine tells, so their answers have ConsumedCapacity also when nobody asked for it;
    the units of a batch are shared out evenly among its keys. What writes take is computed from the items.
    They are read before each write, which costs the engine a request and nobody units. A write that a
    condition or another transaction refused takes the units of its table only.
    Limits: a Scan is neither refused nor counted; AttributeUpdates and other legacy parameters are not read.
    """

    def __init__(self, schemas: Schemas, clock: Callable[[], float] = time.monotonic) -> None:
        self.capacity = Capacity(clock)
        self._schemas = schemas

    def carry_out(self, request: Message, call: Call, scale: float, send: Send) -> tuple[Message, bool]:
        """The answer, and whether anything was refused for want of capacity."""
        if request.operation in READS:
            steps = steps_of_read(request, call, self._schemas)
        elif request.operation in WRITES:
            steps = steps_of_write(request, call, self._schemas)
        else:
            return send(request), False
        lacking = [self.capacity.exhausted((cost.partition for cost in step.costs), scale) for step in steps]
        if not any(lacking):
            return self._send(request, steps, scale, send), False
        if request.operation not in BATCHES or all(lacking):
            return _refusal(request, lacking), True
        entries = batch_entries(request)
        served = [number for number, lacks in enumerate(lacking) if not lacks]
        groups = grouped_like(request, [entries[number] for number in served])
        part = request.with_payload({**request.payload, "RequestItems": groups})
        answer = self._send(part, [steps[number] for number in served], scale, send)
        left = [entry for entry, lacks in zip(entries, lacking, strict=True) if lacks]
        return handing_back(request, answer, left), True

    def _send(self, request: Message, steps: list[Step], scale: float, send: Send) -> Message:
        if request.operation in READS:
            answer = send(_asking_for_units(request))
            costs = _costs_of_read(answer, steps) if answer.succeeded else []
        else:
            answer = send(request)
            costs = _costs_of_write(answer, steps)
        self.capacity.take(costs, scale)
        return answer


def _asking_for_units(request: Message) -> Message:
    if request.payload.get("ReturnConsumedCapacity") in ("TOTAL", "INDEXES"):
        return request
    return request.with_payload({**request.payload, "ReturnConsumedCapacity": "TOTAL"})


def _costs_of_write(answer: Message, steps: list[Step]) -> list[Cost]:
    if answer.succeeded:
        return [cost for step in steps for cost in step.costs]
    error = str(answer.payload.get("__type", "")).rpartition("#")[2]
    return [cost for step in steps for cost in step.costs[:1]] if error in PAID else []


def _costs_of_read(answer: Message, steps: list[Step]) -> list[Cost]:
    consumed = answer.payload.get("ConsumedCapacity", [])
    by_table = [consumed] if isinstance(consumed, dict) else consumed
    units = {each["TableName"]: each["CapacityUnits"] for each in by_table}
    number = Counter(step.table for step in steps)
    return [
        Cost(cost.partition, units.get(step.table, 0) / number[step.table])
        for step in steps
        for cost in step.costs
    ]


def _refusal(request: Message, lacking: list[Partition | None]) -> Message:
    if request.operation.startswith("Transact"):
        reason = {"Code": "ThrottlingError", "Message": TOO_MUCH}
        return cancellation([reason if partition else {"Code": "None"} for partition in lacking])
    reasons = [_reason(partition) for partition in dict.fromkeys(filter(None, lacking))]
    return refusal("400 Bad Request", "ThrottlingException", TOO_MUCH, throttlingReasons=reasons)


def _reason(partition: Partition) -> Json:
    index = f"/index/{partition.index_name}" if partition.index_name else ""
    kind = "Index" if partition.index_name else "Table"
    return {
        "reason": f"{kind}{partition.kind.title()}KeyRangeThroughputExceeded",
        "resource": f"arn:aws:dynamodb:local:000000000000:table/{partition.table}{index}",
    }
