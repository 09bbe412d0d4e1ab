"""Records are what PynamoDB makes of the same stored items: this fails when PynamoDB does it otherwise."""

from typing import Any
from unittest.mock import patch

import pytest
from pynamodb.attributes import Attribute
from pynamodb.exceptions import AttributeDeserializationError, AttributeNullError
from pynamodb.models import Model

from core.dynamo.items import RawItem, StoredModel, all_models
from core.dynamo.support_table import SupportItem

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
    with patch.object(StoredModel, "__init__", Model.__init__):
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
        # Without what some models read otherwise in records of other programs.
        item = StoredModel.from_raw_data.__func__(model, raw)  # type: ignore[attr-defined]
        assert item.attribute_values == made_by_pynamodb(model, raw)
        assert item.stored is raw


def test_a_value_of_another_type_is_refused_as_pynamodb_does() -> None:
    model = OURS[0]
    attribute = next(each for each in model.get_attributes().values() if each.attr_type == "S")
    raw = {attribute.attr_name: {"N": "1"}}
    for read in (model.from_raw_data, lambda raw: made_by_pynamodb(model, raw)):
        with pytest.raises(AttributeDeserializationError):
            read(raw)


def new_by_pynamodb(model: type[StoredModel], values: dict[str, Any]) -> Any:
    item = model.__new__(model)
    Model.__init__(item, **values)
    return item


@pytest.mark.parametrize("model", OURS, ids=lambda model: f"{model.__module__}.{model.__qualname__}")
def test_a_new_one_is_written_as_pynamodb_writes_it(model: type[StoredModel]) -> None:
    attributes = model.get_attributes()
    values = {name: each.deserialize(stored_value(each)[each.attr_type]) for name, each in attributes.items()}
    full = model(**values)

    assert full.attribute_values == new_by_pynamodb(model, values).attribute_values
    assert full.serialize() == Model.serialize(full)

    empty, theirs = model(), new_by_pynamodb(model, {})
    assert empty.attribute_values.keys() == theirs.attribute_values.keys()
    assert empty.serialize(null_check=False) == Model.serialize(empty, null_check=False)
    if any(empty.attribute_values.get(name) is None and not each.null for name, each in attributes.items()):
        with pytest.raises(AttributeNullError) as ours:
            empty.serialize()
        with pytest.raises(AttributeNullError) as refused:
            Model.serialize(empty)
        assert str(ours.value) == str(refused.value)


def test_its_keys_can_be_given_by_their_place() -> None:
    assert SupportItem("DEMO#news", "LOADED").serialize() == {"PK": {"S": "DEMO#news"}, "SK": {"S": "LOADED"}}


def test_an_attribute_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="titel"):
        OURS[0](titel="x")
