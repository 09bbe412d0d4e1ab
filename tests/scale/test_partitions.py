"""The tables of partitions in docs/access-patterns.md are complete and say what is measured."""

from collections.abc import Iterator

import pytest

from tests.scale import loads
from tests.scale.loads import Load, Shared
from tests.scale.partition_meter import PartitionMeter

SHARED, OWN = loads.shared_lines(), loads.own_lines()
Meters = dict[str, PartitionMeter]


def documented() -> Iterator[tuple[str, str, str]]:
    """Table, index and attribute of each line."""
    for line in (*SHARED, *OWN):
        for table in line.tables.split(", "):
            for index in line.index.split(", "):
                yield table, index, line.key.partition(": ")[0]


def declared() -> Iterator[tuple[str, str, str]]:
    """The partition keys of all tables and of all their indexes, as the models declare them."""
    for spec in loads.our_specs():
        yield loads.short_name(spec.name), "", spec.keys[0].name
        for index in spec.indexes:
            yield loads.short_name(spec.name), index.name, index.keys[0].name


def test_the_tables_name_every_partition_key_of_every_table_and_index_and_no_other() -> None:
    assert set(documented()) == set(declared())


def test_no_key_is_in_both_tables_and_none_twice() -> None:
    lines = [
        (table, index, line.key)
        for line in (*SHARED, *OWN)
        for table in line.tables.split(", ")
        for index in line.index.split(", ")
    ]

    assert sorted(lines) == sorted(set(lines))


def test_what_is_counted_for_partitions_is_what_the_engine_takes_for_all_of_them(meters: Meters) -> None:
    counted = {name: (sum(each.reads.values()), sum(each.writes.values())) for name, each in meters.items()}

    assert counted == {name: (each.told_reads, each.told_writes) for name, each in meters.items()}


def test_every_rate_is_of_something_that_is_measured(meters: Meters) -> None:
    assert set(loads.rates()) == set(meters)


def test_each_partition_that_is_touched_is_in_exactly_one_line(meters: Meters) -> None:
    touched = {partition for each in meters.values() for partition in (*each.reads, *each.writes)}
    lines = {each: [line.key for line in (*SHARED, *OWN) if loads.is_of(line, each)] for each in touched}

    assert {each: keys for each, keys in lines.items() if len(keys) != 1} == {}


@pytest.mark.parametrize("line", SHARED, ids=lambda line: f"{line.tables} {line.index} {line.key}")
def test_a_line_says_the_units_of_its_busiest_value_and_its_headroom(line: Shared, meters: Meters) -> None:
    load = loads.tightest(line, loads.loads(meters, loads.rates()))

    assert (line.writes, line.reads, line.headroom) == load.told()


def test_the_key_that_is_closest_to_its_limit_comes_first() -> None:
    headrooms = [int(line.headroom.replace(",", "")) for line in SHARED]

    assert headrooms == sorted(headrooms)


@pytest.mark.parametrize(
    ("writes", "reads", "headroom"), [(100, 0, 10), (0, 100, 30), (100, 1000, 3), (0, 0, float("inf"))]
)
def test_the_headroom_is_that_of_the_nearer_limit(writes: float, reads: float, headroom: float) -> None:
    assert Load(writes, reads).headroom == headroom
