"""The table of shared items in docs/access-patterns.md is complete and says what is measured."""

import pytest

from tests.scale import loads
from tests.scale.loads import SharedItem
from tests.scale.partition_meter import PartitionMeter

LINES = loads.item_lines()
Meters = dict[str, PartitionMeter]


def test_each_item_that_several_writes_touch_is_in_exactly_one_line(meters: Meters) -> None:
    found = loads.shared_items(meters)
    lines = {item: [line.item for line in LINES if loads.is_item_of(line, item)] for item in found}

    assert {item: items for item, items in lines.items() if len(items) != 1} == {}


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.tables} {line.item}")
def test_a_line_says_what_touches_it_and_how_often(line: SharedItem, meters: Meters) -> None:
    names = loads.touching(line, loads.shared_items(meters))

    assert names
    assert (line.touched_by, line.times_a_second) == (", ".join(names), loads.times_of(names))


def test_no_item_is_touched_more_often_than_it_can_be_sent_again() -> None:
    """A transaction holds its items some ten milliseconds, so twenty a second would often meet."""
    assert [line.item for line in LINES if float(line.times_a_second) > 7] == []
