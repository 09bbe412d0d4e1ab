"""The tables of docs/access-patterns.md that say what writes and pages cost are as measured."""

import pytest

from tests.scale import costs
from tests.scale.costs import TIMES
from tests.scale.measuring import Measured
from tests.scale.partition_meter import PartitionMeter, Written

SUPPORT, NEWS = "fieldhouse", "vcm-news"


def test_what_each_write_costs_is_as_measured(measured: Measured) -> None:
    assert costs.write_lines() == costs.costs(measured.first)


def test_what_each_page_costs_is_as_measured(measured: Measured) -> None:
    assert costs.page_lines() == measured.pages


def test_the_items_of_a_write_take_all_of_its_units(measured: Measured) -> None:
    taken = {
        verb: sum(item.units + sum(units for _index, units in item.indexes) for item in meter.written)
        for verb, meter in measured.first.items()
    }

    assert taken == {verb: meter.told_writes for verb, meter in measured.first.items()}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ([(NEWS, ["1"], 6, [("GSI-Slug", 3), ("GSI-Date", 1)])], "news 6 + GSI-Slug 3 + GSI-Date 1"),
        ([(SUPPORT, ["HIST#news#1", "x"], 2, [("GSI1", 1)])], "history 2 + 1"),
        (
            [(SUPPORT, [f"WORD#cms#{word}", word], 2, []) for word in ("ab", "cd")],
            f"word 2 {TIMES} 2",
        ),
        (
            [(SUPPORT, [f"HIST#news#{key}", "x"], 2, [("GSI1", 1)]) for key in "12"],
            f"history 2 {TIMES} (2 + 1)",
        ),
        ([(SUPPORT, ["IDEM#x", "x"], 2, []), (NEWS, ["1"], 2, [])], "news 2, idempotency 2"),
    ],
)
def test_a_write_is_told_item_by_item_the_records_first(written: list, told: str) -> None:
    items = [
        Written(table, tuple(key), units, tuple(indexes), True) for table, key, units, indexes in written
    ]

    assert costs.composition(PartitionMeter(written=items)) == told
