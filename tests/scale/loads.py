"""What each partition is asked for if everything happens at once, by the rates of docs/access-patterns.md."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from django.conf import settings

from core.dynamo.items import all_models
from core.dynamo.tables import TableSpec, specs
from scouting.settings import services as season
from tests.core.accounts.issuer import Issuer
from tests.pattern_tables import table_in
from tests.scale import other_writes, verbs
from tests.scale.partition_meter import Partition, PartitionMeter, TouchedItem, metered_partitions

PAGE = "access-patterns.md"
ITEMS = "Items that more than one kind of write touches"
SHARED, OWN = "Keys that many records share", "Keys of one record or one person"
WRITE_LIMIT, READ_LIMIT = 1000, 3000


class Rate(NamedTuple):
    """How often something happens; `whats` are several that each happen so often."""

    whats: str
    times_a_second: str
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


class SharedItem(NamedTuple):
    """An item that more than one kind of write touches, and how often they do."""

    tables: str
    item: str
    touched_by: str
    times_a_second: str
    if_they_meet: str

    @property
    def names(self) -> set[str]:
        return set(self.touched_by.split(", "))


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


def item_lines() -> list[SharedItem]:
    return table_in(PAGE, SharedItem, below=ITEMS)


def shared_items(meters: Mapping[str, PartitionMeter]) -> dict[TouchedItem, set[str]]:
    """The items that several of these writes touch. Which shard a write counts in is chance."""
    by: dict[TouchedItem, set[str]] = {}
    for name, meter in meters.items():
        for table, key in meter.touched:
            item = TouchedItem(table, re.sub(r"^(USES#.+) / [0-9]+$", r"\1 / one of 16", key))
            by.setdefault(item, set()).add(name)
    return {item: names for item, names in by.items() if len(names) > 1}


def is_item_of(line: SharedItem, item: TouchedItem) -> bool:
    if short_name(item.table) not in line.tables.split(", "):
        return False
    return bool(re.fullmatch(re.sub(r"<[^>]*>", ".+", line.item), item.key))


def touching(line: SharedItem, found: Mapping[TouchedItem, set[str]]) -> list[str]:
    """The writes that touch the items of a line, as the document tells them."""
    return sorted({name for item, names in found.items() if is_item_of(line, item) for name in names})


def times_of(names: Iterable[str]) -> str:
    known = rates()
    return f"{round(sum(known[name] for name in names), 2):g}"


def rates() -> dict[str, float]:
    lines = table_in(PAGE, Rate, below="Partitions and their limits")
    return {name: float(line.times_a_second) for line in lines for name in line.names}


def measured(issuer: Issuer) -> dict[str, PartitionMeter]:
    """What each verb costs, carried out once."""
    verbs.fill()
    found: dict[str, PartitionMeter] = {}
    for name, prepare in {**verbs.verbs(issuer), **other_writes.writes()}.items():
        # Each process asks for it every half minute, whatever is done.
        season.active()
        carry_out: Callable[[], Any] = prepare()
        with metered_partitions() as found[name]:
            answer = carry_out()
        assert getattr(answer, "status_code", 200) < 400, f"{name} answers {answer.status_code}."
    return found


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
