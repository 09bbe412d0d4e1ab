"""What each write costs, item by item, as the tables of docs/access-patterns.md tell it."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from core.dynamo import registry
from core.dynamo.tables import TableSpec, specs
from tests.pattern_tables import table_in
from tests.scale import loads
from tests.scale.pages import PageCost
from tests.scale.partition_meter import PartitionMeter, Written

WRITES, PAGES = "What a write costs", "What a page costs"
TIMES = "\N{MULTIPLICATION SIGN}"

# Items that are of no entity, by the beginning of one of their keys.
KINDS = {
    "HIST": "history",
    "WORD": "word",
    "UNIQUE": "guard",
    "REF": "reference",
    "USES": "use count",
    "IDEM": "idempotency",
    "TRASH": "trash",
    "COPY": "working copy",
    "PREF": "preference",
    "STREAM": "stream position",
    "RATELIMIT": "limit",
    "SESSION": "session",
    "CACHE": "cached value",
    "DEDUPE": "job",
    "BOOKED": "ledger row",
    "MONTH": "month score",
    "PAIR": "score of two",
    "BOX": "box score",
    "TOKEN": "token",
    "LOGO": "logo",
    "WEBHOOKS": "webhook",
    "WEBHOOK": "delivery",
}


class WriteCost(NamedTuple):
    """As the document tells it."""

    verb: str
    requests: str
    write_units: str
    taken_by: str


def write_lines() -> list[WriteCost]:
    return table_in(loads.PAGE, WriteCost, below=WRITES)


def page_lines() -> list[PageCost]:
    return table_in(loads.PAGE, PageCost, below=PAGES)


def costs(meters: Mapping[str, PartitionMeter]) -> list[WriteCost]:
    """Of all that writes, in the order in which it is measured."""
    return [
        WriteCost(verb, f"{meter.requests}", f"{meter.told_writes:g}", composition(meter))
        for verb, meter in meters.items()
        if meter.told_writes
    ]


def composition(meter: PartitionMeter) -> str:
    """Each item with its units and those of its indexes: `news 6 + GSI-Slug 3, history 2 + 1`."""
    counted = Counter((kind_of(each), _units(each)) for each in meter.written)
    records_first = sorted(counted.items(), key=lambda each: each[0][0] in KINDS.values())
    return ", ".join(f"{kind} {_several(units, count)}" for (kind, units), count in records_first)


def _units(item: Written) -> str:
    """Those of the item, and those of each index, which is named where the table has several."""
    named = len(_spec(item).indexes) > 1
    # An entry that moves is one in each place.
    indexes: Counter[str] = Counter()
    for name, units in item.indexes:
        indexes[name] += units
    told = [f"{name} {units}" if named else f"{units}" for name, units in indexes.items()]
    return " + ".join([f"{item.units}", *told])


def _several(units: str, count: int) -> str:
    if count == 1:
        return units
    return f"{count} {TIMES} ({units})" if "+" in units else f"{count} {TIMES} {units}"


def kind_of(item: Written) -> str:
    beginnings = [value.partition("#")[0] for value in item.key]
    for beginning in beginnings:
        if beginning in KINDS:
            return KINDS[beginning]
    return _entity_of(item)


def _entity_of(item: Written) -> str:
    raw = {key.name: {"S": value} for key, value in zip(_spec(item).keys, item.key, strict=True)}
    for repository in registry.repositories():
        if repository.model.Meta.table_name == item.table and repository.owns(raw):
            return str(repository.entity)
    raise AssertionError(f"Nothing is called as {item.key} of {item.table}: name it in KINDS.")


def _spec(item: Written) -> TableSpec:
    return next(spec for spec in specs() if spec.name == item.table)
