"""docs/scale.md: every figure follows from its inputs, and what can be measured is as measured."""

import re
import tomllib
from pathlib import Path

import pytest
from django.conf import settings

from tests.scale import loads, paper
from tests.scale.paper import BENCH, MEASURED, Asked, Figure
from tests.scale.partition_meter import PartitionMeter

Meters = dict[str, PartitionMeter]
FOLDER = Path(settings.BASE_DIR)


@pytest.mark.parametrize("line", paper.figure_lines(), ids=lambda line: line.name)
def test_a_figure_is_what_its_formula_gives(line: Figure) -> None:
    assert line.value == paper.as_documented(paper.figures()[line.name], line.value)


def test_every_number_in_the_text_is_the_input_or_figure_that_it_names() -> None:
    known = paper.figures()
    text = (FOLDER / "docs" / paper.PAGE).read_text()
    told = [(value, name) for value, _between, name in re.findall(paper.NAMED_NUMBER, text)]

    assert len(told) >= 15
    assert told == [(paper.as_documented(known[name], value), name) for value, name in told]


def test_what_people_ask_for_is_all_of_it() -> None:
    assert sum(line.share for line in paper.asked_lines()) == pytest.approx(1)


@pytest.mark.parametrize("line", paper.asked_lines(), ids=lambda line: line.request)
def test_the_units_of_a_request_are_those_of_the_bench_or_measured(line: Asked, meters: Meters) -> None:
    if line.source == MEASURED:
        meter = meters[line.request]
        assert line.units == (meter.told_reads, meter.told_writes)
    else:
        name = line.source.removeprefix(BENCH)
        assert (line.source, line.units) == (f"{BENCH}{name}", (paper.bench()[name]["units"], 0))


def test_a_record_takes_the_space_that_is_assumed(meters: Meters) -> None:
    assert paper.inputs()["bytes_a_record"] == pytest.approx(paper.bytes_of_a_record(meters), rel=0.02)


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
    told = paper.hot_lines()

    assert len(told) == 6
    assert told == paper.hottest(meters, len(told))


def test_one_club_is_full_where_the_first_of_them_is(meters: Meters) -> None:
    first = min(paper.loads_of_one_club(meters).values(), key=lambda load: load.headroom)

    assert paper.figures()["first_limit"] == pytest.approx(paper.inputs()["requests"] * first.headroom)
