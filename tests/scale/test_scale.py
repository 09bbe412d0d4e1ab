"""docs/scale.md: every figure follows from its inputs, and what can be measured is as measured."""

import re
import tomllib
from pathlib import Path

import pytest
from django.conf import settings

from tests.pattern_tables import table_in
from tests.scale import loads, paper
from tests.scale.loads import Shared
from tests.scale.paper import ASKED, BENCH, FIGURES, HOT, MEASURED, Asked, Figure
from tests.scale.partition_meter import PartitionMeter

Meters = dict[str, PartitionMeter]
FOLDER = Path(settings.BASE_DIR)


@pytest.mark.parametrize("line", FIGURES, ids=lambda line: line.name)
def test_a_figure_is_what_its_formula_gives(line: Figure) -> None:
    assert line.value == paper.as_documented(paper.figures()[line.name], line.value)


def test_every_number_in_the_text_is_the_input_or_figure_that_it_names() -> None:
    known = paper.figures()
    text = (FOLDER / "docs" / paper.PAGE).read_text()
    told = re.findall(r"([\d,.]+)\s\(`(\w+)`\)", text)

    assert len(told) >= 15
    assert told == [(paper.as_documented(known[name], value), name) for value, name in told]


def test_what_people_ask_for_is_all_of_it() -> None:
    assert sum(line.share for line in ASKED) == pytest.approx(1)


@pytest.mark.parametrize("line", ASKED, ids=lambda line: line.request)
def test_the_units_of_a_request_are_those_of_the_bench_or_measured(line: Asked, meters: Meters) -> None:
    if line.source == MEASURED:
        meter = meters[line.request]
        assert line.units == (meter.told_reads, meter.told_writes)
    else:
        name = line.source.removeprefix(BENCH)
        assert (line.source, line.units) == (f"{BENCH}{name}", (paper.bench()[name]["units"], 0))


def test_a_record_takes_the_space_that_is_assumed(meters: Meters) -> None:
    """Without the row of its request, which lasts a day."""
    created = meters["create news"].bytes
    kept = sum(grown for partition, grown in created.items() if not partition.value.startswith("IDEM#"))

    assert paper.inputs()["bytes_a_record"] == pytest.approx(kept, rel=0.02)


def test_there_are_as_many_tables_and_indexes_as_assumed() -> None:
    given, ours = paper.inputs(), loads.our_specs()

    assert (given["tables"], given["indexes"]) == (len(ours), sum(len(spec.indexes) for spec in ours))


def test_the_prices_are_those_of_the_file() -> None:
    prices = tomllib.loads((FOLDER / "core/dynamo/cloudformation/prices.toml").read_text())["used"]
    given = paper.inputs()

    assert prices == {
        "million_write_units": given["price_writes"],
        "million_read_units": given["price_reads"],
        "gigabyte": given["price_gigabyte"],
        "gigabyte_of_recovery": given["price_recovery"],
    }


def test_a_partition_takes_what_the_access_patterns_say() -> None:
    given = paper.inputs()

    assert (given["partition_writes"], given["partition_reads"]) == (loads.WRITE_LIMIT, loads.READ_LIMIT)


def test_the_partitions_of_one_club_that_come_first_to_their_limit_are_told_in_order(meters: Meters) -> None:
    found = paper.loads_of_one_club(meters)
    shared = table_in(loads.PAGE, Shared, below="Keys that many records share")
    touched = [line for line in shared if any(loads.is_of(line, each) for each in found)]
    loaded = sorted(
        ((loads.tightest(line, found), line) for line in touched), key=lambda each: each[0].headroom
    )

    assert [tuple(line) for line in HOT] == [
        (
            f"{line.tables} {line.index}".strip(),
            line.key,
            f"{load.writes:g}",
            f"{load.reads:g}",
            f"{load.headroom:,.1f}",
        )
        for load, line in loaded[: len(HOT)]
    ]


def test_one_club_is_full_where_the_first_of_them_is(meters: Meters) -> None:
    first = min(paper.loads_of_one_club(meters).values(), key=lambda load: load.headroom)

    assert paper.figures()["first_limit"] == pytest.approx(paper.inputs()["requests"] * first.headroom)
