"""The difference between a record as it is stored and as a write leaves it."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import reduce
from operator import and_
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from core.dynamo.attributes import now
from core.dynamo.errors import TooLarge
from core.dynamo.items import AttributeValue, Item, RawItem, bytes_of, same, size_of, surely_fits
from core.dynamo.support_table import pack
from core.dynamo.transactions import LARGEST_ITEM, MOST_OPERATIONS

T = TypeVar("T", bound=Item)
Changed = dict[str, AttributeValue | None]

# Set by the repository itself, so never a change of a person.
OWN_ATTRIBUTES = {"createdAt", "updatedAt", "version"}
LONGEST_KEY = 900
# Not an empty map: that may say that somebody has decided for nothing.
EMPTY: tuple[tuple[str, Any], ...] = (("NULL", True), ("S", ""), ("L", []))
# The trash keeps more than the image: room for its keys, names and times.
LARGEST_IMAGE = LARGEST_ITEM - 8 * 1024
ALWAYS_SMALL_ENOUGH = 256 * 1024


def differences(item: Item, changes: Mapping[str, Any]) -> Changed:
    """The stored form of each field whose value differs; None for a field that is removed."""
    model = type(item)
    fixed = {*model.key_names(), *OWN_ATTRIBUTES, *model.stored_names(model.counters)}
    changed: Changed = {}
    for name, value in changes.items():
        stored_name = model.get_attributes()[name].attr_name
        if stored_name in fixed:
            raise ValueError(f"{name} is not changed by an update.")
        new = model.serialize_value(name, value)
        if not _is_as_read(item, name, new):
            changed[stored_name] = new
    return changed


def _is_as_read(item: Item, name: str, new: AttributeValue | None) -> bool:
    """Whether a field has this value; absent, NULL, an empty text and an empty list are all nothing."""
    stored = item.stored.get(type(item).get_attributes()[name].attr_name)
    if stored is None or "NULL" in stored:
        # As it is read, which may be a default.
        stored = item.serialize_value(name, getattr(item, name))
    return same(new, stored) or (_is_empty(new) and _is_empty(stored))


def _is_empty(value: AttributeValue | None) -> bool:
    return value is None or next(iter(value.items())) in EMPTY


def apply(raw: RawItem, changed: Mapping[str, AttributeValue | None]) -> RawItem:
    """The stored item with these attributes set, or removed where they are None."""
    kept = {name: value for name, value in raw.items() if name not in changed}
    return kept | {name: value for name, value in changed.items() if value is not None}


def with_derived(model: type[T], raw: RawItem) -> T:
    """The record with its derived attributes (`Item.derived`) up to date, as it will be stored."""
    item = model.from_raw_data(raw)
    derived = item.derived()
    follows = {
        stored_name: model.serialize_value(name, value)
        for stored_name, (name, value) in zip(model.stored_names(derived), derived.items(), strict=True)
        # Another program may have written the same moment in another way, which stays.
        if stored_name not in raw or value != getattr(item, name)
    }
    # Most edits change no derived attribute: then nothing is read again.
    if all(value == raw.get(stored_name) for stored_name, value in follows.items()):
        return item
    return model.from_raw_data(apply(raw, follows))


def edited(item: T, changed: Changed, moment: datetime) -> T:
    """The record with the changes, the next version and the time of the change."""
    stamp: Changed = {
        "updatedAt": item.serialize_value("updated_at", moment),
        "version": {"N": str(item.seen_version + 1)},
    }
    return with_derived(type(item), apply(item.stored, changed | stamp))


def actions(before: RawItem, after: RawItem) -> Iterator[Action]:
    """The update actions of an UpdateItem that turns one stored item into the other."""
    for name in before.keys() - after.keys():
        yield Path([name]).remove()
    for name, value in after.items():
        if not same(value, before.get(name)):
            yield Path([name]).set(value)


def attributes_unchanged(item: Item, *names: str) -> Condition:
    """A condition: these stored attributes have the values that the item was read with."""
    return reduce(and_, (_is(name, item.stored.get(name)) for name in names))


def _is(name: str, value: AttributeValue | None) -> Condition:
    condition: Condition = Path([name]).does_not_exist() if value is None else Path([name]) == value
    return condition


def timestamp_after(earlier: datetime | None) -> datetime:
    """Now, but always later than the previous change, even if the clock of another machine is ahead."""
    moment = now()
    return moment if earlier is None else max(moment, earlier + timedelta(milliseconds=1))


def refuse_undeletable(item: Item, key: str, side_items: int) -> None:
    """Refuse a record that could not be moved to the trash in one transaction.

    `side_items` is how many side items its delete would touch.
    """
    if bytes_of(key) > LONGEST_KEY:
        raise TooLarge
    # Besides: the record, its image in the trash and the history entry.
    if side_items + 3 > MOST_OPERATIONS:
        raise TooLarge(_("This is too much for one entry. Shorten it or remove some of the links."))
    if surely_fits(item.stored, ALWAYS_SMALL_ENOUGH):
        return
    size = size_of(item.stored)
    if size > LARGEST_ITEM or (size > ALWAYS_SMALL_ENOUGH and len(pack(item.stored)) > LARGEST_IMAGE):
        raise TooLarge
