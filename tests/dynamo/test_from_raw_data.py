"""Records are what PynamoDB makes of the same stored items: this fails when PynamoDB does it otherwise."""

from typing import Any

import pytest
from pynamodb.attributes import Attribute
from pynamodb.exceptions import AttributeDeserializationError
from pynamodb.models import Model

from dynamo.items import RawItem, StoredModel, all_models

MOMENT = "2026-11-18T01:28:11.178Z"
STORED: dict[str, list[Any]] = {
    "S": [MOMENT, "2026-11-18", "text"],
    "N": ["1794965291", "0.5"],
    "B": [b"bytes"],
    "BOOL": [True],
    "M": [{"name": {"S": "x"}, "runs": {"N": "3"}, "share": {"N": "0.25"}, "gone": {"NULL": True}}],
    "L": [[{"S": "x"}, {"M": {"number": {"N": "1"}}}]],
    "SS": [["a", "b"]],
    "NS": [["1", "2"]],
}


def stored_value(attribute: Attribute[Any]) -> dict[str, Any]:
    """A value that the attribute can read."""
    for value in STORED[attribute.attr_type]:
        try:
            attribute.deserialize(value)
        except (ValueError, TypeError):
            continue
        return {attribute.attr_type: value}
    raise AssertionError(f"No value for {attribute.attr_name}")


def made_by_pynamodb(model: type[StoredModel], raw: RawItem) -> dict[str, Any]:
    return Model.from_raw_data.__func__(model, raw).attribute_values  # type: ignore[attr-defined, no-any-return]


# Which models of tests there are depends on what was imported before.
OURS = [model for model in all_models() if not model.__module__.startswith("tests.")]


@pytest.mark.parametrize("model", OURS, ids=lambda model: f"{model.__module__}.{model.__qualname__}")
def test_it_is_what_pynamodb_makes(model: type[StoredModel]) -> None:
    attributes = model.get_attributes().values()
    full = {attribute.attr_name: stored_value(attribute) for attribute in attributes}
    unknown = full | {"ofAnotherRelease": {"S": "kept"}}
    empty = {attribute.attr_name: {"NULL": True} for attribute in attributes}
    for raw in (full, unknown, empty, {}):
        item = model.from_raw_data(raw)
        assert item.attribute_values == made_by_pynamodb(model, raw)
        assert item.stored is raw


def test_a_value_of_another_type_is_refused_as_pynamodb_does() -> None:
    model = OURS[0]
    attribute = next(each for each in model.get_attributes().values() if each.attr_type == "S")
    raw = {attribute.attr_name: {"N": "1"}}
    for read in (model.from_raw_data, lambda raw: made_by_pynamodb(model, raw)):
        with pytest.raises(AttributeDeserializationError):
            read(raw)
