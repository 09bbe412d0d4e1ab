"""Base classes of all stored models, and functions on raw items (DynamoDB's own JSON)."""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, ClassVar, NamedTuple, Self, cast

from django.conf import settings
from pynamodb.attributes import (
    Attribute,
    BooleanAttribute,
    NumberAttribute,
    TTLAttribute,
    UnicodeAttribute,
)
from pynamodb.connection.base import MetaTable
from pynamodb.connection.table import TableConnection
from pynamodb.exceptions import AttributeDeserializationError, AttributeNullError
from pynamodb.models import Model
from uuid6 import uuid7

from core.common import env
from core.dynamo.attributes import TimestampAttribute, number_of
from core.dynamo.connection import connection
from core.dynamo.rawjson import dumps

AttributeValue = dict[str, Any]
RawItem = dict[str, AttributeValue]
Target = tuple[str, str]


def new_id() -> str:
    """A UUIDv7: sorts by the time it was made."""
    return str(uuid7())


class StoredModel(Model):
    """A PynamoDB model on the connection that all tables share.

    `stored` is the raw item that it was read from, with attributes that this release does not know: an update
    never drops them, and a deleted record is restored byte for byte.
    """

    stored: RawItem
    # Read with some attributes only, so it must not be written.
    partial = False
    _read_plan: ClassVar["_ReadPlan"]

    class Meta:
        """Models that live in a table name it with `table_name()`."""

        table_name: str

    def __init__(self, hash_key: Any = None, range_key: Any = None, **attributes: Any) -> None:
        """A faster replacement of PynamoDB's, which sets every value through its attribute's descriptor."""
        for name, key in ((self._hash_keyname, hash_key), (self._range_keyname, range_key)):
            if key is not None:
                attributes[str(name)] = key
        declared = self.get_attributes()
        values = self.attribute_values = {}
        for name, attribute in declared.items():
            of_new = attribute.default_for_new
            default = attribute.default if of_new is None else of_new
            if default is not None:
                values[name] = default() if callable(default) else default
        if not attributes.keys() <= declared.keys():
            raise ValueError(
                f"{type(self).__name__} has no {', '.join(attributes.keys() - declared.keys())}."
            )
        values.update(attributes)

    def serialize(self, null_check: bool = True) -> RawItem:
        """A faster replacement of PynamoDB's, which reads every value through its attribute's descriptor."""
        raw: RawItem = {}
        for name, attribute in self.get_attributes().items():
            value = self.attribute_values.get(name)
            serialized = None if value is None else attribute.serialize(value)
            if serialized is not None:
                raw[attribute.attr_name] = {attribute.attr_type: serialized}
            elif null_check and not attribute.null:
                raise AttributeNullError(name)
        return raw

    @classmethod
    def from_raw_data(cls, data: RawItem) -> Self:
        """A faster replacement of PynamoDB's, which sets every default twice and looks up every name."""
        # From __dict__, not inherited: a subclass has more attributes.
        plan = cls.__dict__.get("_read_plan") or cls._make_read_plan()
        item = cls.__new__(cls)
        values = item.attribute_values = plan.defaults.copy()
        for name, default in plan.made:
            values[name] = default()
        for stored_name, typed in data.items():
            if (declared := plan.attributes.get(stored_name)) is None:
                continue
            name, attribute_type, read = declared
            if attribute_type in typed:
                value = typed[attribute_type]
                values[name] = value if read is None else read(value)
            elif typed and "NULL" not in typed:
                raise AttributeDeserializationError(stored_name, attribute_type)
        item.stored = data
        return item

    @classmethod
    def _make_read_plan(cls) -> "_ReadPlan":
        attributes = cls.get_attributes()
        defaults = {name: each.default for name, each in attributes.items() if each.default is not None}
        cls._read_plan = _ReadPlan(
            {name: default for name, default in defaults.items() if not callable(default)},
            [(name, default) for name, default in defaults.items() if callable(default)],
            {each.attr_name: (name, each.attr_type, _read(each)) for name, each in attributes.items()},
        )
        return cls._read_plan

    @classmethod
    def serialize_value(cls, name: str, value: Any) -> AttributeValue | None:
        """One value in its stored form; None stands for an attribute that is absent."""
        attribute = cls.get_attributes()[name]
        # PynamoDB serialises an empty set to None, because DynamoDB cannot store one.
        serialized = None if value is None else attribute.serialize(value)
        return None if serialized is None else {attribute.attr_type: serialized}

    @classmethod
    def key_names(cls) -> tuple[str, ...]:
        """The names of the key attributes, the partition key first."""
        names = (cls._hash_keyname, cls._range_keyname)
        return tuple(cls.get_attributes()[name].attr_name for name in names if name is not None)

    @classmethod
    def stored_names(cls, names: Iterable[str]) -> list[str]:
        """The names that attributes have in DynamoDB."""
        return [cls.get_attributes()[name].attr_name for name in names]

    def raw_key(self) -> RawItem:
        """The key in DynamoDB's form; the other attributes are not serialised."""
        names = [name for name in (self._hash_keyname, self._range_keyname) if name]
        attributes = self.get_attributes()
        raw = {attributes[name].attr_name: self.serialize_value(name, getattr(self, name)) for name in names}
        return cast(RawItem, raw)

    @classmethod
    def _get_connection(cls) -> TableConnection:
        return _SharedTable(cls)


class _ReadPlan(NamedTuple):
    """How raw items of one model become objects, computed once per model."""

    defaults: dict[str, Any]
    # Callable defaults, called for each item.
    made: list[tuple[str, Callable[[], Any]]]
    # By stored name: the name in Python, the DynamoDB type, and the deserialiser if one is needed.
    attributes: dict[str, tuple[str, str, Callable[[Any], Any] | None]]


def _read(attribute: Attribute[Any]) -> Callable[[Any], Any] | None:
    if type(attribute) is NumberAttribute:
        return number_of
    is_taken_as_it_is = type(attribute).deserialize in (Attribute.deserialize, BooleanAttribute.deserialize)
    return None if is_taken_as_it_is else attribute.deserialize


class SingleTableModel(StoredModel):
    """The keys that all kinds of items in one table share; each kind is a subclass in its own module."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    gsi1_pk = UnicodeAttribute(null=True, attr_name="GSI1PK")
    gsi1_sk = UnicodeAttribute(null=True, attr_name="GSI1SK")
    ttl = TTLAttribute(null=True, attr_name="TTL")


class Item(StoredModel):
    """A record that people work with, with times, a version and a count of the references to it."""

    created_at = TimestampAttribute(attr_name="createdAt", null=True)
    updated_at = TimestampAttribute(attr_name="updatedAt", null=True)
    version = NumberAttribute(null=True)
    refs = NumberAttribute(null=True)

    # Counters that other writes change without a new version; an update never writes them.
    counters: ClassVar[tuple[str, ...]] = ("refs",)
    # Derived attributes that other programs write too: an adoption adds them and never corrects them.
    documented: ClassVar[tuple[str, ...]] = ()

    def derived(self) -> dict[str, Any]:
        """Attributes computed from others, such as index keys; written with every change."""
        return {}

    def adopted(self) -> dict[str, Any]:
        """Attributes that a record of another program lacks, and that it is given when it is adopted."""
        return self.derived()

    @property
    def seen_version(self) -> int:
        """The version as read; a record imported from elsewhere may have none."""
        return int(self.version or 0)


class _SharedTable(TableConnection):
    """PynamoDB's connection of one table, on the shared connection."""

    def __init__(self, model: type[StoredModel]) -> None:
        self.table_name = model.Meta.table_name
        self.connection = connection()
        if self.table_name not in self.connection._tables:
            self.connection._tables[self.table_name] = MetaTable(schema_of(self.table_name))


def table_name(default: str, *, variable: str) -> str:
    """The table's name: from its environment variable, or the default with TABLE_PREFIX."""
    return env.matching(
        variable,
        r"[A-Za-z0-9_.-]{3,255}",
        default=settings.TABLE_PREFIX + default,
        rule="3 to 255 letters, digits, dots, dashes or underscores",
    )


def all_models() -> Iterator[type[StoredModel]]:
    """Every model that names a table, in a stable order."""
    pending: list[type[StoredModel]] = [StoredModel]
    found: list[type[StoredModel]] = []
    while pending:
        model = pending.pop()
        pending.extend(model.__subclasses__())
        if getattr(model.Meta, "table_name", None):
            found.append(model)
    yield from sorted(found, key=lambda model: (model.__module__, model.__qualname__))


def models_of(table_name: str) -> list[type[StoredModel]]:
    return [model for model in all_models() if model.Meta.table_name == table_name]


def schema_of(table_name: str, models: Iterable[type[StoredModel]] | None = None) -> dict[str, Any]:
    """Keys and indexes of a table as CreateTable takes them: the union of these or all models in it."""
    definitions: dict[str, Any] = {}
    indexes: dict[str, Any] = {}
    keys: list[Any] = []
    for model in models_of(table_name) if models is None else models:
        schema: dict[str, Any] = dict(model._get_schema())
        keys = sorted(schema["key_schema"], key=lambda key: key["KeyType"])
        definitions |= {
            definition["AttributeName"]: definition for definition in schema["attribute_definitions"]
        }
        indexes |= {
            index["index_name"]: {
                "IndexName": index["index_name"],
                "KeySchema": sorted(index["key_schema"], key=lambda key: key["KeyType"]),
                "Projection": index["projection"],
            }
            for index in schema["global_secondary_indexes"]
        }
    return {
        "TableName": table_name,
        "KeySchema": keys,
        "AttributeDefinitions": list(definitions.values()),
        "GlobalSecondaryIndexes": list(indexes.values()),
    }


def target_of(table_name: str, key: RawItem) -> Target:
    """The identity of one item, for use as a dictionary key."""
    return table_name, repr(sorted(key.items()))


def same(one: AttributeValue | None, other: AttributeValue | None) -> bool:
    """Whether two stored values are equal: sets have no order and 1.0 is 1."""
    if one == other:
        # Fast path: most values are unchanged.
        return True
    if one is None or other is None:
        return False
    ((kind, left),) = one.items()
    ((other_kind, right),) = other.items()
    if kind != other_kind:
        return False
    match kind:
        case "N":
            return Decimal(left) == Decimal(right)
        case "NS":
            return {Decimal(part) for part in left} == {Decimal(part) for part in right}
        case "SS" | "BS":
            return set(left) == set(right)
        case "M":
            return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
        case "L":
            return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def bytes_of(text: str) -> int:
    # isascii() is a flag of the str object, so this costs nothing.
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def surely_fits(stored: RawItem | list[RawItem], limit: int) -> bool:
    """Whether it is certainly no larger: its JSON is longer than DynamoDB's count, and fast to make."""
    return len(dumps(stored)) <= limit


def size_of(raw: RawItem) -> int:
    """Bytes by DynamoDB's own rules (names and values as UTF-8, numbers by their digits)."""
    return sum(bytes_of(name) + _value_size(value) for name, value in raw.items())


def _value_size(attribute: AttributeValue) -> int:
    ((kind, value),) = attribute.items()
    match kind:
        case "S":
            return bytes_of(value)
        case "B":
            return len(value)
        case "N":
            return len(value) // 2 + 2
        case "SS":
            return sum(map(bytes_of, value))
        case "NS":
            return sum(len(part) // 2 + 2 for part in value)
        case "BS":
            return sum(len(part) for part in value)
        case "M":
            return 3 + sum(bytes_of(name) + 1 + _value_size(part) for name, part in value.items())
        case "L":
            return 3 + sum(1 + _value_size(part) for part in value)
    return 1
