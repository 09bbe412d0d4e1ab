"""Count DynamoDB requests and capacity units in a block; tests check the request budgets of pages with it.

Retries are counted for the life of the process.
"""

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

Reason = Literal["contention", "breakdown"]

_lock = threading.Lock()
_active: list["Meter"] = []
_retries: Counter[Reason] = Counter()


@dataclass(frozen=True)
class Call:
    """One request that was sent, and its cost if the engine reports it."""

    operation: str
    table: str
    index: str | None
    items: int
    units: float


# Each is itself: two that have counted the same are not one.
@dataclass(eq=False)
class Meter:
    calls: list[Call] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return len(self.calls)

    @property
    def items(self) -> int:
        return sum(call.items for call in self.calls)

    @property
    def units(self) -> float:
        return sum(call.units for call in self.calls)

    @property
    def operations(self) -> list[str]:
        return [call.operation for call in self.calls]


@contextmanager
def metered() -> Iterator[Meter]:
    """Count what every thread of this process sends while the block runs."""
    meter = Meter()
    with _lock:
        _active.append(meter)
    try:
        yield meter
    finally:
        with _lock:
            _active.remove(meter)


def record(operation: str, request: Mapping[str, Any], response: Mapping[str, Any] | None) -> None:
    """Count one request; `response` is None when it failed."""
    if not _active:
        return
    response = response or {}
    call = Call(
        operation=operation,
        table=request.get("TableName", ""),
        index=request.get("IndexName"),
        items=response.get("ScannedCount", 1 if "Item" in response else 0)
        + sum(len(rows) for rows in response.get("Responses", {}).values()),
        units=_units(response.get("ConsumedCapacity")),
    )
    with _lock:
        for meter in _active:
            meter.calls.append(call)


def retried(reason: Reason) -> None:
    """Count a retry: because of a concurrent write (or throttling), or because there was no answer."""
    with _lock:
        _retries[reason] += 1


def retries(reason: Reason) -> int:
    with _lock:
        return _retries[reason]


def _units(capacity: Any) -> float:
    if isinstance(capacity, list):
        return sum(_units(part) for part in capacity)
    return float((capacity or {}).get("CapacityUnits", 0))
