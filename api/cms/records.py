"""Records of the content as their tables hold them: documents and schemas from the models."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model
from pynamodb.attributes import (
    Attribute,
    BooleanAttribute,
    NumberAttribute,
    TTLAttribute,
    UnicodeAttribute,
)

from api.fields import Moment
from api.lists import PageOf
from core.crud.resource import Resource
from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute
from core.dynamo.indexes import ALWAYS
from core.dynamo.items import Item

# Counters, what is computed for indexes, and what was imported from elsewhere.
HIDDEN = {"refs", "sort_name", "text_image_ids", "content_lexical", "description_lexical"}
TYPES: Mapping[type[Attribute[Any]], Any] = {
    UnicodeAttribute: str,
    NumberAttribute: int | float,
    BooleanAttribute: bool,
    TimestampAttribute: Moment,
    TTLAttribute: Moment,
    JSONListAttribute: list[Any],
    JSONMapAttribute: dict[str, Any],
}


class ContentDocument:
    """How records of a resource are shown to those who write them; lists have the columns of their index."""

    def __init__(self, resource: Resource, columns: Iterable[str]) -> None:
        attributes = resource.repository.model.get_attributes()
        self.resource = resource
        # The attributes by their names in the document.
        self.names = {each.attr_name: name for name, each in attributes.items() if name not in HIDDEN}
        listed = ("id", "entity", *columns, "createdAt", *ALWAYS)
        title = str(resource.repository.model.__name__)
        self.schema = self._schema(f"{title}Record", self.names)
        self.row_schema = self._schema(f"{title}RecordListed", listed)
        self.list_schema: Any = list[self.row_schema] | PageOf[self.row_schema]  # type: ignore[name-defined]
        self.listed = {name: self.names[name] for name in listed}

    def row(self, record: Item) -> dict[str, Any]:
        return {name: record.attribute_values.get(attribute) for name, attribute in self.listed.items()}

    def of(self, record: Item) -> dict[str, Any]:
        return {name: record.attribute_values.get(attribute) for name, attribute in self.names.items()}

    def attributes(self, only: Iterable[str]) -> tuple[str, ...]:
        """The attributes to read for these fields."""
        if not only:
            return ()
        return tuple(dict.fromkeys([*(self.names[name] for name in only if name in self.names), "version"]))

    def _schema(self, title: str, names: Iterable[str]) -> type[BaseModel]:
        attributes = self.resource.repository.model.get_attributes()
        fields: dict[str, Any] = {
            self.names[name]: (_type_of(attributes[self.names[name]]) | None, Field(default=None, alias=name))
            for name in names
        }
        config = ConfigDict(populate_by_name=True)
        return create_model(title, __config__=config, **fields)


def _type_of(attribute: Attribute[Any]) -> Any:
    return next(TYPES[each] for each in type(attribute).__mro__ if each in TYPES)
