"""The tables of items that several writes touch are complete, and say what is measured."""

import pytest

from tests.scale import loads, shared_items
from tests.scale.measuring import Measured
from tests.scale.partition_meter import PartitionMeter, Written
from tests.scale.shared_items import OF_MANY, OF_ONE, UNTOLD

HEADINGS = (OF_MANY, OF_ONE)


@pytest.mark.parametrize("heading", HEADINGS)
def test_each_item_that_several_writes_touch_is_in_the_table_and_no_other(
    heading: str, measured: Measured
) -> None:
    found = shared_items.found((measured.first, measured.second))[heading]

    assert [line._replace(follows="") for line in shared_items.lines(heading)] == [
        line._replace(follows="") for line in found
    ]


@pytest.mark.parametrize("heading", HEADINGS)
def test_of_each_of_them_the_table_says_what_follows(heading: str) -> None:
    assert [line for line in shared_items.lines(heading) if line.follows in ("", UNTOLD)] == []


# --- How they are found -------------------------------------------------------------------------------------

EVENT, OTHER = ("EVENTS", "EVENT#2026mndu"), ("EVENTS", "EVENT#2026wila")


def carried_out(**verbs: list[tuple[str, ...]]) -> dict[str, PartitionMeter]:
    """What a crew does, with the keys that it touches; `_` stands for a space."""
    return {
        verb.replace("_", " "): PartitionMeter(
            written=[Written("superalliance-config", key, 2, (), True) for key in keys]
        )
        for verb, keys in verbs.items()
    }


def test_what_both_crews_touch_is_of_many_people_at_the_rate_of_all_of_them() -> None:
    crew = carried_out(send_a_stand_form=[EVENT])

    found = shared_items.found((crew, crew))

    (line,) = found[OF_MANY]
    assert line[:5] == (
        "superalliance-config",
        "EVENTS / EVENT#<…>",
        "send a stand form",
        "",
        f"{loads.rates()['send a stand form']:g}",
    )
    assert found[OF_ONE] == []


def test_what_several_writes_of_one_crew_touch_is_of_one_person_at_the_rate_of_one() -> None:
    first = carried_out(send_a_stand_form=[EVENT], send_a_comment=[EVENT])

    found = shared_items.found((first, {}))

    (line,) = found[OF_ONE]
    rates = loads.rates_of_one_person()
    assert line.in_transactions == "send a comment, send a stand form"
    assert line.times_a_second == f"{rates['send a stand form'] + rates['send a comment']:.2g}"
    assert found[OF_MANY] == []


def test_what_one_write_touches_is_not_shared_nor_are_two_items_of_the_same_shape() -> None:
    crews = carried_out(send_a_stand_form=[EVENT]), carried_out(send_a_stand_form=[OTHER])

    assert shared_items.found(crews) == {OF_MANY: [], OF_ONE: []}


def test_the_rows_over_which_a_count_is_spread_are_one_item() -> None:
    crews = (
        carried_out(send_a_stand_form=[("USES#scouted-event#some", "03")]),
        carried_out(send_a_stand_form=[("USES#scouted-event#some", "11")]),
    )

    assert [len(touches) for touches in shared_items.touched(crews).values()] == [2]
