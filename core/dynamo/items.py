"""Base classes of all stored models, and functions on raw items (DynamoDB's own JSON)."""

from collections.abc import Callable, Container, Iterable, Iterator
from decimal import Decimal
from typing import Any, ClassVar, NamedTuple, Self

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
    _own_plan: ClassVar["_Plan"]

    class Meta:
        """Models that live in a table name it with `table_name()`."""

        table_name: str

    def __init__(self, hash_key: Any = None, range_key: Any = None, **attributes: Any) -> None:
        """A faster replacement of PynamoDB's, which sets every value through its attribute's descriptor."""
        for name, key in ((self._hash_keyname, hash_key), (self._range_keyname, range_key)):
            if key is not None:
                attributes[str(name)] = key
        plan = self._plan()
        values = self.attribute_values = plan.of_new.made(besides=attributes)
        if not attributes.keys() <= plan.names:
            raise ValueError(f"{type(self).__name__} has no {', '.join(attributes.keys() - plan.names)}.")
        values.update(attributes)

    def serialize(self, null_check: bool = True) -> RawItem:
        """A faster replacement of PynamoDB's, which reads every value through its attribute's descriptor."""
        raw: RawItem = {}
        values = self.attribute_values
        for name, stored_name, kind, write, is_optional in self._plan().written:
            value = values.get(name)
            serialized = value if value is None or write is None else write(value)
            if serialized is not None:
                raw[stored_name] = {kind: serialized}
            elif null_check and not is_optional:
                raise AttributeNullError(name)
        return raw

    @classmethod
    def from_raw_data(cls, data: RawItem) -> Self:
        """A faster replacement of PynamoDB's, which sets every default twice and looks up every name."""
        plan = cls._plan()
        item = cls.__new__(cls)
        values = item.attribute_values = plan.of_read.made()
        for stored_name, typed in data.items():
            if (declared := plan.read.get(stored_name)) is None:
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
    def _plan(cls) -> "_Plan":
        # From __dict__, not inherited: a subclass has more attributes.
        return cls.__dict__.get("_own_plan") or cls._make_plan()

    @classmethod
    def _make_plan(cls) -> "_Plan":
        attributes = cls.get_attributes()
        defaults = {name: each.default for name, each in attributes.items()}
        of_new = {
            name: defaults[name] if each.default_for_new is None else each.default_for_new
            for name, each in attributes.items()
        }
        written = {
            name: _Written(name, each.attr_name, each.attr_type, _write(each), bool(each.null))
            for name, each in attributes.items()
        }
        keys = [written[name] for name in (cls._hash_keyname, cls._range_keyname) if name is not None]
        cls._own_plan = _Plan(
            keys=keys,
            key_names=tuple(each.stored_name for each in keys),
            names=frozenset(attributes),
            of_new=_Defaults.of(of_new),
            of_read=_Defaults.of(defaults),
            read={each.attr_name: (name, each.attr_type, _read(each)) for name, each in attributes.items()},
            written=list(written.values()),
        )
        return cls._own_plan

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
        return cls._plan().key_names

    @classmethod
    def stored_names(cls, names: Iterable[str]) -> list[str]:
        """The names that attributes have in DynamoDB."""
        return [cls.get_attributes()[name].attr_name for name in names]

    def raw_key(self) -> RawItem:
        """The key in DynamoDB's form; the other attributes are not serialised."""
        values = self.attribute_values
        return {
            stored_name: {kind: write(values[name]) if write else values[name]}
            for name, stored_name, kind, write, _is_optional in self._plan().keys
        }

    @classmethod
    def _get_connection(cls) -> TableConnection:
        return _SharedTable(cls)


class _Defaults(NamedTuple):
    values: dict[str, Any]
    # Called for each item.
    callables: list[tuple[str, Callable[[], Any]]]

    @classmethod
    def of(cls, defaults: dict[str, Any]) -> Self:
        return cls(
            {name: each for name, each in defaults.items() if each is not None and not callable(each)},
            [(name, each) for name, each in defaults.items() if callable(each)],
        )

    def made(self, besides: Container[str] = ()) -> dict[str, Any]:
        values = self.values.copy()
        for name, default in self.callables:
            if name not in besides:
                values[name] = default()
        return values


class _Written(NamedTuple):
    """How one attribute is written."""

    name: str
    stored_name: str
    kind: str
    # None if the value is stored as it is.
    write: Callable[[Any], Any] | None
    is_optional: bool


class _Plan(NamedTuple):
    """How objects of one model become raw items and back, computed once per model."""

    keys: list[_Written]
    key_names: tuple[str, ...]
    names: frozenset[str]
    of_new: _Defaults
    of_read: _Defaults
    # By stored name: the name in Python, the DynamoDB type, and the deserialiser if one is needed.
    read: dict[str, tuple[str, str, Callable[[Any], Any] | None]]
    written: list[_Written]


def _read(attribute: Attribute[Any]) -> Callable[[Any], Any] | None:
    if type(attribute) is NumberAttribute:
        return number_of
    is_taken_as_it_is = type(attribute).deserialize in (Attribute.deserialize, BooleanAttribute.deserialize)
    return None if is_taken_as_it_is else attribute.deserialize


def _write(attribute: Attribute[Any]) -> Callable[[Any], Any] | None:
    return None if type(attribute).serialize is Attribute.serialize else attribute.serialize


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
    return table_name, dumps(key, sort_keys=True).decode()


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
