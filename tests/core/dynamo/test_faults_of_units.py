"""What a write costs behind the fault proxy, in units of each partition that it reaches."""

from typing import Any

import pytest

from core.dynamo.faults.images import after
from core.dynamo.faults.messages import Part
from core.dynamo.faults.units import costs_of_write
from core.dynamo.tables import Index, Key, TableSpec

SPEC = TableSpec(
    name="pages",
    keys=(Key("id", "S"),),
    indexes=(
        Index("by-status", (Key("status", "S"), Key("id", "S")), "ALL"),
        Index("by-title", (Key("title", "S"),), "INCLUDE", ("lead",)),
        Index("by-year", (Key("year", "N"), Key("title", "S")), "KEYS_ONLY"),
    ),
)
ID = {"id": {"S": "a"}}


def item(**attributes: str) -> dict[str, Any]:
    return ID | {name: {"N" if name == "year" else "S": value} for name, value in attributes.items()}


def cost(part: Part, before: dict[str, Any] | None, times: int = 1) -> dict[str, float]:
    """Units by index (or table) and partition; those of one that is reached twice are added up."""
    found: dict[str, float] = {}
    for partition, units in costs_of_write(SPEC, part, ID, before, times):
        name = f"{partition.index_name or partition.table} {partition.key}"
        found[name] = found.get(name, 0) + units
    return found


def put(**attributes: str) -> Part:
    return Part("Put", "pages", {"Item": item(**attributes)})


def update(expression: str, **values: str) -> Part:
    values_of = {f":{name}": {"S": value} for name, value in values.items()}
    names = {"#status": "status", "#title": "title", "#lead": "lead", "#text": "text", "#map": "map"}
    body = {"UpdateExpression": expression, "ExpressionAttributeValues": values_of}
    return Part("Update", "pages", {"Key": ID, "ExpressionAttributeNames": names, **body})


DELETE = Part("Delete", "pages", {"Key": ID})


def test_a_new_item_is_written_to_the_table_and_to_each_index_whose_keys_it_has() -> None:
    assert cost(put(status="draft", title="One"), None) == {
        "pages a": 1,
        "by-status draft": 1,
        "by-title One": 1,
    }


def test_in_a_transaction_the_table_takes_double_and_an_index_does_not() -> None:
    assert cost(put(status="draft"), None, times=2) == {"pages a": 2, "by-status draft": 1}


def test_an_item_that_stays_the_same_costs_the_table_only() -> None:
    assert cost(put(status="draft", title="One"), item(status="draft", title="One")) == {"pages a": 1}


def test_an_index_takes_a_change_of_what_it_has_and_no_other() -> None:
    before = item(status="draft", title="One", lead="Once", text="x", year="2026")

    assert cost(update("SET #text = :t", t="y"), before) == {"pages a": 1, "by-status draft": 1}
    assert cost(update("SET #lead = :t", t="y"), before) == {
        "pages a": 1,
        "by-status draft": 1,
        "by-title One": 1,
    }


def test_a_value_that_only_the_engine_knows_counts_as_a_change() -> None:
    before = item(title="One", lead="1")

    assert cost(update("ADD #lead :n", n="1"), before) == {"pages a": 1, "by-title One": 1}
    assert cost(update("ADD #text :n", n="1"), before) == {"pages a": 1}


def test_an_entry_whose_key_changes_is_removed_and_added() -> None:
    before = item(status="draft", title="One", year="2026")

    assert cost(update("SET #status = :s", s="published"), before) == {
        "pages a": 1,
        "by-status draft": 1,
        "by-status published": 1,
    }
    assert cost(update("SET #title = :t", t="Two"), before) == {
        "pages a": 1,
        "by-status draft": 1,
        "by-title One": 1,
        "by-title Two": 1,
        "by-year 2026": 2,
    }


def test_the_larger_of_both_images_counts_and_an_index_by_what_it_has() -> None:
    before = item(status="draft", title="One", text="x" * 2_100)

    assert cost(DELETE, before) == {"pages a": 3, "by-status draft": 3, "by-title One": 1}
    assert cost(put(status="draft", title="One"), before) == {"pages a": 3, "by-status draft": 3}


@pytest.mark.parametrize("before", [None, item(status="draft", text="x" * 1_100)])
def test_a_check_takes_from_the_table_what_a_write_would(before: dict[str, Any] | None) -> None:
    check = Part("ConditionCheck", "pages", {"Key": ID, "ConditionExpression": "attribute_exists(id)"})

    assert cost(check, before) == {"pages a": 2 if before else 1}


def test_what_is_not_there_costs_a_unit_to_delete() -> None:
    assert cost(DELETE, None) == {"pages a": 1}


@pytest.mark.parametrize(
    ("expression", "becomes", "computed"),
    [
        ("SET #title = :v, #text = :v", item(status="draft", title="new", text="new"), set()),
        ("SET #title = :v REMOVE #status", item(title="new"), set()),
        ("set #title=:v remove #status, #text", item(title="new"), set()),
        ("SET title = :v", item(status="draft", title="new"), set()),
        ("SET #title = if_not_exists(#title, :v)", item(status="draft", title="new"), {"title"}),
        ("SET #status = if_not_exists(#status, :v)", item(status="draft"), {"status"}),
        ("SET #text = :v, #status = list_append(#status, :v)", item(status="draft", text="new"), {"status"}),
        ("SET #status.#title = :v", item(status="draft"), {"status"}),
        ("SET #status[0] = :v", item(status="draft"), {"status"}),
        ("REMOVE #status.#title", item(status="draft"), {"status"}),
        ("ADD #text :v, #status :v", item(status="draft", text="new"), {"text", "status"}),
        ("DELETE #status :v", item(status="draft"), {"status"}),
        ("", item(status="draft"), set()),
    ],
)
def test_an_update_is_followed_as_far_as_the_sizes_need_it(
    expression: str, becomes: dict[str, Any], computed: set[str]
) -> None:
    assert after(update(expression, v="new"), item(status="draft")) == (becomes, computed)


def test_an_update_makes_an_item_that_is_not_there() -> None:
    assert after(update("SET #title = :v", v="new"), None) == (item(title="new"), set())
