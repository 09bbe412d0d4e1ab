"""The items that several writes touch, which AWS lets cancel each other when they overlap.

A transaction is cancelled when any item in it, even one that it only checks, is part of another under way.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import fsum
from typing import NamedTuple

from tests.pattern_tables import table_in
from tests.scale import loads
from tests.scale.partition_meter import TABLE, Partition, PartitionMeter, Written

OF_MANY, OF_ONE = "Items that many people write", "Items that several writes of one person share"
# What a key is about stays in its shape; which one it is does not.
CLASSES = {"entity", "field", "kind", "limit", "scope"}
# Counts that are spread over rows, of which a write touches the one that its record falls to; told as one.
SPREAD = ("USES#",)
UNTOLD = "?"

Item = tuple[str, tuple[str, ...]]
Meters = Mapping[str, PartitionMeter]


class SharedItem(NamedTuple):
    """As the document tells it."""

    table: str
    item: str
    in_transactions: str
    alone: str
    times_a_second: str
    follows: str


class Touch(NamedTuple):
    verb: str
    crew: int
    in_transaction: bool


def lines(heading: str) -> list[SharedItem]:
    return table_in(loads.PAGE, SharedItem, below=heading)


def found(crews: tuple[Meters, Meters]) -> dict[str, list[SharedItem]]:
    """The lines of both tables, the busiest item first; what follows is left to be written.

    An item is of many people if both crews touch it, which have neither people nor records in common, and of
    one person if different verbs of one crew do. Of several items with keys of one shape the busiest counts.
    """
    busiest: dict[str, dict[tuple[str, str], tuple[float, set[Touch]]]] = {OF_MANY: {}, OF_ONE: {}}
    for item, touches in touched(crews).items():
        if len({(touch.verb, touch.crew) for touch in touches}) < 2:
            continue
        lines = busiest[OF_MANY if len({touch.crew for touch in touches}) > 1 else OF_ONE]
        place = loads.short_name(item[0]), shape_of(item)
        rate, known = lines.get(place, (0.0, set()))
        lines[place] = max(rate, rate_of(touches)), known | touches
    return {
        heading: [
            _line(place, *line)
            for place, line in sorted(lines.items(), key=lambda each: (-each[1][0], each[0]))
        ]
        for heading, lines in busiest.items()
    }


def rate_of(touches: set[Touch]) -> float:
    """Whoever does what both crews touch the item with; of another verb one person."""
    everybody, one_person = loads.rates(), loads.rates_of_one_person()
    crews = defaultdict(set)
    for touch in touches:
        crews[touch.verb].add(touch.crew)
    # Exact, so that the order of the lines depends on no order in which touches are found.
    return fsum(everybody[verb] if len(each) > 1 else one_person[verb] for verb, each in crews.items())


def shape_of(item: Item) -> str:
    """The partition key as the other tables have it, and the sort key: `TEAM#<team> / SEASON#<…>`."""
    table, (value, *sort_values) = item
    return " / ".join([_partition_shape(table, value), *map(_shape, sort_values)])


def _partition_shape(table: str, value: str) -> str:
    partition = Partition(table, TABLE, value)
    known = [*loads.shared_lines(), *loads.own_lines()]
    line = next((line for line in known if loads.is_of(line, partition)), None)
    assert line, f"No table of docs/{loads.PAGE} has the partition key of {value} in {table}."
    attribute, _colon, shape = line.key.partition(": ")
    if not shape:
        return f"<{attribute}>"
    names = re.findall(r"<([^>]*)>", shape)
    values = re.fullmatch(re.sub(r"<[^>]*>", "(.+?)", shape), value)
    assert values, f"{value} is not of the shape {shape}."
    for name, told in zip(names, values.groups(), strict=True):
        if name in CLASSES:
            shape = shape.replace(f"<{name}>", told)
    return shape


def _shape(value: str) -> str:
    parts = [part if re.fullmatch("[A-Z]+", part) else "<…>" for part in value.split("#")]
    return re.sub("<…>(#<…>)+", "<…>", "#".join(parts))


def touched(crews: tuple[Meters, Meters]) -> dict[Item, set[Touch]]:
    """Every item that is written or checked, and by what."""
    found: dict[Item, set[Touch]] = defaultdict(set)
    for crew, verb, written in _written(crews):
        found[written.table, written.key].add(Touch(verb, crew, written.in_transaction))
    return found


def _written(crews: tuple[Meters, Meters]) -> Iterator[tuple[int, str, Written]]:
    for crew, meters in enumerate(crews):
        for verb, meter in meters.items():
            for written in meter.written:
                if written.key[0].startswith(SPREAD):
                    written = written._replace(key=(written.key[0], "any"))
                yield crew, verb, written


def _line(place: tuple[str, str], rate: float, touches: set[Touch]) -> SharedItem:
    def verbs(*, in_transaction: bool) -> str:
        return ", ".join(sorted({touch.verb for touch in touches if touch.in_transaction is in_transaction}))

    told = f"{rate:.2g}" if rate < 100 else f"{rate:.0f}"
    return SharedItem(*place, verbs(in_transaction=True), verbs(in_transaction=False), told, UNTOLD)
