"""Records of the content as their tables hold them: documents and schemas from the models."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, create_model
from pynamodb.attributes import (
    Attribute,
    BooleanAttribute,
    NumberAttribute,
    TTLAttribute,
    UnicodeAttribute,
)

from api.fields import Day, Moment
from api.lists import PageOf
from core.accounts.user import User
from core.crud.resource import Resource
from core.dynamo.attributes import DayAttribute, JSONListAttribute, JSONMapAttribute, TimestampAttribute
from core.dynamo.items import Item

# Counters, what is computed for indexes, and what was imported from elsewhere.
HIDDEN = {"refs", "sort_name", "text_image_ids", "content_lexical", "description_lexical"}
TYPES: Mapping[type[Attribute[Any]], Any] = {
    UnicodeAttribute: str,
    NumberAttribute: int | float,
    BooleanAttribute: bool,
    TimestampAttribute: Moment,
    TTLAttribute: Moment,
    DayAttribute: Day,
    JSONListAttribute: list[Any],
    JSONMapAttribute: dict[str, Any],
}
# Fields that no attribute holds, from the record.
Computed = Mapping[str, Callable[[Any], str | None]]


class ContentDocument:
    """How records of a resource are shown to those who write them; lists have the columns of their index.

    `needed` are attributes that rights or `computed` fields ask for, so they are always read.
    """

    def __init__(
        self,
        resource: Resource,
        *,
        hidden: Collection[str] = (),
        computed: Computed | None = None,
        needed: Collection[str] = (),
    ) -> None:
        repository = resource.repository
        attributes = repository.model.get_attributes()
        self.resource = resource
        self.computed = computed or {}
        self.needed = (*needed, "version")
        # The attributes by their names in the document.
        self.names = {
            each.attr_name: name
            for name, each in attributes.items()
            if name not in HIDDEN and name not in hidden and each.attr_name not in self.computed
        }
        listed = ["id", *repository.listed_columns]
        self.listed = {name: self.names[name] for name in listed if name in self.names}
        title = str(repository.model.__name__)
        self.schema = self._schema(f"{title}Record", self.names)
        self.row_schema = self._schema(f"{title}RecordListed", self.listed)
        self.list_schema: Any = list[self.row_schema] | PageOf[self.row_schema]  # type: ignore[name-defined]

    def row(self, user: User, record: Item) -> dict[str, Any]:
        return self._shown(user, record, self.listed)

    def of(self, user: User, record: Item) -> dict[str, Any]:
        return self._shown(user, record, self.names)

    @property
    def listed_attributes(self) -> tuple[str, ...]:
        """What a list has, without the index of that list."""
        return tuple(dict.fromkeys([*self.listed.values(), *self.needed]))

    def further(self, only: Iterable[str]) -> set[str]:
        """The fields among these that a list does not have."""
        return {name for name in only if name in self.names and name not in self.listed}

    def attributes(self, only: Iterable[str]) -> tuple[str, ...]:
        """The attributes to read for these fields."""
        if not only:
            return ()
        own = [self.names[name] for name in only if name in self.names]
        return tuple(dict.fromkeys([*own, *self.needed]))

    def _shown(self, user: User, record: Item, names: Mapping[str, str]) -> dict[str, Any]:
        """What the person may not read is null."""
        concealed, values = self.resource.concealed(user, record), record.attribute_values
        stored = {
            name: None if attribute in concealed else values.get(attribute)
            for name, attribute in names.items()
        }
        return stored | {name: compute(record) for name, compute in self.computed.items()}

    def _schema(self, title: str, names: Iterable[str]) -> type[BaseModel]:
        attributes = self.resource.repository.model.get_attributes()
        fields: dict[str, Any] = {
            self.names[name]: (_type_of(attributes[self.names[name]]) | None, Field(default=None, alias=name))
            for name in names
        }
        fields |= dict.fromkeys(self.computed, (str | None, None))
        config = ConfigDict(populate_by_name=True)
        return create_model(title, __config__=config, **fields)


def _type_of(attribute: Attribute[Any]) -> Any:
    return next(TYPES[each] for each in type(attribute).__mro__ if each in TYPES)
