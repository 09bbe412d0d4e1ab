"""The capacity of partitions, and what was taken of it."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from core.dynamo.faults.units import Cost, Partition

# What AWS gives each partition in a second.
UNITS_A_SECOND = {"read": 3000, "write": 1000}


class Source(NamedTuple):
    """A table, or one of its indexes, whatever the partition; reads and writes apart."""

    table: str
    index_name: str | None
    kind: Literal["read", "write"]


class Hot(NamedTuple):
    """The most units that a partition gave in any one second, and their share of what AWS gives."""

    partition: Partition
    units: float
    share: float


@dataclass
class _Taken:
    level: float = 0
    at: float = 0
    peak: float = 0
    sum: float = 0
    # Time and units of what was taken within the last second.
    recent: list[tuple[float, float]] = field(default_factory=list)


class Capacity:
    """A bucket of units for each partition, which holds what AWS gives in one second and fills that fast.

    A request is served as long as a part of a unit is left, and may leave a debt that the next ones wait for:
    what a read costs is known only afterwards. So a burst takes one full bucket besides what flows in. AWS
    also keeps what partitions did not use for five minutes, and splits those that stay hot; here is neither.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._taken: dict[Partition, _Taken] = {}
        self._totals: defaultdict[Source, float] = defaultdict(float)

    def exhausted(self, partitions: Iterable[Partition], scale: float) -> Partition | None:
        """The first one of these that has nothing left."""
        with self._lock:
            now = self._clock()
            for partition in partitions:
                taken, limit = self._taken.get(partition), UNITS_A_SECOND[partition.kind] * scale
                if taken and taken.level - (now - taken.at) * limit >= limit:
                    return partition
        return None

    def take(self, costs: Iterable[Cost], scale: float) -> None:
        with self._lock:
            now = self._clock()
            for partition, units in costs:
                taken = self._taken.setdefault(partition, _Taken())
                limit = UNITS_A_SECOND[partition.kind] * scale
                taken.level = max(0.0, taken.level - (now - taken.at) * limit) + units
                taken.at = now
                _count(taken, now, units)
                self._totals[Source(partition.table, partition.index_name, partition.kind)] += units

    def hottest(self, most: int) -> list[Hot]:
        with self._lock:
            peaks = [(partition, taken.peak) for partition, taken in self._taken.items() if taken.peak]
        found = [Hot(partition, peak, peak / UNITS_A_SECOND[partition.kind]) for partition, peak in peaks]
        return sorted(found, key=lambda hot: hot.share, reverse=True)[:most]

    def totals(self) -> dict[Source, float]:
        """All units of each table and index, the most first."""
        with self._lock:
            return dict(sorted(self._totals.items(), key=lambda each: each[1], reverse=True))

    def forget_peaks(self) -> None:
        """Count anew; what was taken stays taken."""
        with self._lock:
            self._totals.clear()
            for taken in self._taken.values():
                taken.peak = taken.sum = 0
                taken.recent.clear()


def _count(taken: _Taken, now: float, units: float) -> None:
    old = 0
    while old < len(taken.recent) and taken.recent[old][0] <= now - 1:
        taken.sum -= taken.recent[old][1]
        old += 1
    del taken.recent[:old]
    taken.recent.append((now, units))
    taken.sum += units
    taken.peak = max(taken.peak, taken.sum)
