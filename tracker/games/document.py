"""Items as documents with their fields in the order of the design: keys, entity fields, times, index keys."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from pynamodb.attributes import Attribute

from core.dynamo.attributes import unwrap
from core.dynamo.items import Item, RawItem, StoredModel
from tracker.rules import season_rules
from tracker.rules.batting import Line
from tracker.rules.replay import Rules

KEYS = ("PK", "SK")
TIMES = ("createdAt", "updatedAt", "version")
# Whoever has one of these can do something that was meant for somebody else.
SECRETS = ("recoveryToken", "tokenHash", "shareToken", "shareKey", "calendarKey")
INDEXED_SECRETS = ("SHARE#", "INVITE#", "EMAIL#")
# What is within a field: line-ups, substitutions, runners, places of balls, rules, and the counts of players.
WITHIN = (
    *("playerId", "battingOrder", "position", "after", "left", "from", "to", "out", "x", "y"),
    *season_rules.stored(Rules()),
    *("inning", "lead"),
    *(count.name for count in fields(Line)),
)
# How many others refer to an item: of no use outside.
INTERNAL = ("refs",)

Document = dict[str, Any]


def fields_of(model: type[StoredModel]) -> list[str]:
    """The stored names of an item's fields in their order; entity fields are in that of the declaration."""
    own = [name for name in _declared(model) if not name.startswith("GSI")]
    indexed = [name for name in _declared(model) if name.startswith("GSI")]
    times = TIMES if issubclass(model, Item) else ()
    return [*KEYS, *own, *times, *indexed]


def document(item: StoredModel) -> Document:
    """An item as JSON has it. An entity field without a value is null, an index key without one is absent.

    Secrets are left out, also where they are part of an index key.
    """
    raw: RawItem = getattr(item, "stored", None) or item.serialize()
    known = fields_of(type(item))
    unknown = [name for name in raw if name not in known and name not in INTERNAL]
    names = [name for name in (*known, *unknown) if name not in SECRETS]
    found = {name: _arranged(unwrap(raw[name])) if name in raw else None for name in names}
    hidden = _hidden_indexes(found)
    return {
        name: value
        for name, value in found.items()
        if not name.startswith("GSI") or (value is not None and name[:4] not in hidden)
    }


def _arranged(value: Any) -> Any:
    """DynamoDB keeps no order within a map; names that nobody knows come last, by the alphabet."""
    if isinstance(value, list):
        return [_arranged(part) for part in value]
    if not isinstance(value, dict):
        return value
    known = [name for name in WITHIN if name in value]
    return {name: _arranged(value[name]) for name in (*known, *sorted(value.keys() - set(known)))}


def _declared(model: type[StoredModel]) -> Iterator[str]:
    # PynamoDB's own list is by name; a class knows the order in which it was written.
    for value in vars(model).values():
        if isinstance(value, Attribute) and value.attr_name not in KEYS:
            yield value.attr_name


def _hidden_indexes(found: Document) -> set[str]:
    return {
        name[:4]
        for name, value in found.items()
        if name.startswith("GSI") and str(value or "").startswith(INDEXED_SECRETS)
    }
