"""What each partition is asked for if everything happens at once, by the rates of docs/access-patterns.md."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from django.conf import settings

from core.dynamo.items import all_models
from core.dynamo.tables import TableSpec, specs
from tests.pattern_tables import table_in
from tests.scale.partition_meter import Partition, PartitionMeter

PAGE = "access-patterns.md"
SHARED, OWN = "Keys that many records share", "Keys of one record or one person"
WRITE_LIMIT, READ_LIMIT = 1000, 3000


class Rate(NamedTuple):
    """How often something happens; `whats` are several that each happen so often."""

    whats: str
    times_a_second: str
    people: str
    because: str

    @property
    def names(self) -> list[str]:
        return self.whats.split(", ")


class Shared(NamedTuple):
    """A key whose values are each shared by many records."""

    tables: str
    index: str
    key: str
    shared_by: str
    writes: str
    reads: str
    headroom: str


class Own(NamedTuple):
    """A key whose values each belong to one record or one person."""

    tables: str
    index: str
    key: str
    whose: str


class Load(NamedTuple):
    """Units a second of one partition."""

    writes: float
    reads: float

    @property
    def headroom(self) -> float:
        """How many times as much the partition can take."""
        return min(
            WRITE_LIMIT / self.writes if self.writes else float("inf"),
            READ_LIMIT / self.reads if self.reads else float("inf"),
        )

    def told(self) -> tuple[str, str, str]:
        """As the document tells it: writes, reads, headroom."""
        return f"{self.writes:g}", f"{self.reads:g}", f"{int(self.headroom):,}"


Loads = Mapping[Partition, Load]


def shared_lines() -> list[Shared]:
    return table_in(PAGE, Shared, below=SHARED)


def own_lines() -> list[Own]:
    return table_in(PAGE, Own, below=OWN)


def our_specs() -> list[TableSpec]:
    """The tables of the product: tests declare some of their own."""
    ours = {model.Meta.table_name for model in all_models() if not model.__module__.startswith("tests.")}
    return [spec for spec in specs() if spec.name in ours]


def rates() -> dict[str, float]:
    return {name: float(line.times_a_second) for line in _rate_lines() for name in line.names}


def rates_of_one_person() -> dict[str, float]:
    return {
        name: float(line.times_a_second) / int(line.people) for line in _rate_lines() for name in line.names
    }


def _rate_lines() -> list[Rate]:
    return table_in(PAGE, Rate, below="Partitions and their limits")


def loads(meters: Mapping[str, PartitionMeter], times_a_second: Mapping[str, float]) -> Loads:
    writes: Counter[Partition] = Counter()
    reads: Counter[Partition] = Counter()
    for name, times in times_a_second.items():
        for partition, units in meters[name].writes.items():
            writes[partition] += units * times  # type: ignore[assignment]
        for partition, units in meters[name].reads.items():
            reads[partition] += units * times  # type: ignore[assignment]
    return {each: Load(round(writes[each], 2), round(reads[each], 2)) for each in writes | reads}


def tightest(line: Shared, found: Loads) -> Load:
    """The load of that value of a key which comes closest to a limit."""
    ours = [load for each, load in found.items() if is_of(line, each)]
    assert ours, f"Nothing that is measured touches {line.key} of {line.tables} {line.index}."
    return min(ours, key=lambda load: load.headroom)


def is_of(line: Shared | Own, partition: Partition) -> bool:
    """Whether a line is about this partition; `<…>` in its key stands for any text."""
    if short_name(partition.table) not in line.tables.split(", "):
        return False
    if partition.index not in line.index.split(", "):
        return False
    shape = line.key.partition(": ")[2] or "<any>"
    return bool(re.fullmatch(re.sub(r"<[^>]*>", ".+", shape), partition.value))


def short_name(table: str) -> str:
    """As the documents call it, whatever the prefix and the environment."""
    name = table.removeprefix(settings.TABLE_PREFIX)
    return "hacktracker" if name == f"hacktracker-{settings.ENVIRONMENT}" else name
