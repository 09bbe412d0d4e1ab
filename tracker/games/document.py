"""Items as JSON documents; fields in the order keys, entity fields, timestamps, GSI keys."""

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
INDEXED = tuple(f"GSI{number}{part}" for number in range(1, 6) for part in KEYS)
# Fields that grant access; they never leave the application.
SECRETS = ("recoveryToken", "tokenHash", "shareToken", "shareKey", "calendarKey")
INDEXED_SECRETS = ("SHARE#", "INVITE#", "EMAIL#")
# Keys of maps within attributes: line-ups, substitutions, runners, hit locations, rules, counts of players.
WITHIN = (
    *("playerId", "battingOrder", "position", "after", "left", "from", "to", "out", "x", "y"),
    *season_rules.stored(Rules()),
    *("inning", "lead"),
    *(count.name for count in fields(Line)),
)
# Counters that are of no use outside the application: how many records refer to an item.
INTERNAL = ("refs",)

Document = dict[str, Any]


def fields_of(model: type[StoredModel]) -> list[str]:
    """The stored names of a model's fields in document order; entity fields are in declaration order."""
    # PynamoDB sorts attributes by name; `vars` keeps the declaration order.
    own = [each.attr_name for each in vars(model).values() if isinstance(each, Attribute)]
    return [*KEYS, *own, *((*TIMES, *INDEXED) if issubclass(model, Item) else ())]


def document(item: StoredModel) -> Document:
    """An item as a JSON document. Entity fields without a value are null, GSI keys without one are absent.

    Secrets are left out, also where they are part of a GSI key.
    """
    raw: RawItem = getattr(item, "stored", None) or item.serialize()
    known = fields_of(type(item))
    unknown = [name for name in raw if name not in known and name not in INTERNAL]
    names = [name for name in (*known, *unknown) if name not in SECRETS]
    found = {name: _arranged(unwrap(raw[name])) if name in raw else None for name in names}
    indexed = {name: value for name, value in found.items() if name.startswith("GSI")}
    hidden = {name[:4] for name, value in indexed.items() if str(value or "").startswith(INDEXED_SECRETS)}
    return {
        name: value
        for name, value in found.items()
        if name not in indexed or (value is not None and name[:4] not in hidden)
    }


def _arranged(value: Any) -> Any:
    """Order the keys of maps, because DynamoDB does not; unknown names come last, alphabetically."""
    if isinstance(value, list):
        return [_arranged(part) for part in value]
    if not isinstance(value, dict):
        return value
    known = [name for name in WITHIN if name in value]
    return {name: _arranged(value[name]) for name in (*known, *sorted(value.keys() - set(known)))}
