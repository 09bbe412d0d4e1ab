"""What a write costs, in units of each partition that it reaches."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from core.dynamo.faults.images import after
from core.dynamo.faults.messages import Json, Part
from core.dynamo.items import size_of
from core.dynamo.tables import Index, TableSpec

KILOBYTE = 1024


class Partition(NamedTuple):
    """All items of a table, or of one of its indexes, with the same partition key; reads and writes apart."""

    table: str
    index_name: str | None
    key: str
    kind: Literal["read", "write"]


class Cost(NamedTuple):
    """Units that a request takes from a partition."""

    partition: Partition
    units: float


def key_text(value: Json) -> str:
    """A key value without its type."""
    return str(next(iter(value.values())))


def costs_of_write(spec: TableSpec, part: Part, key: Json, before: Json | None, times: int) -> list[Cost]:
    """The cost in the table, then those in its indexes.

    The table takes a unit for each KB of the item as it was or as it becomes, whichever is larger. An index
    takes one for each KB of an entry that is added, changed or removed, and none for one that stays as it is;
    an entry whose key changes is removed and added. In a transaction the table takes it `times` two.
    """
    item, computed = after(part, before)
    size = max(size_of(before or {}), size_of(item or {}))
    here = Partition(spec.name, None, key_text(key[spec.keys[0].name]), "write")
    costs = [Cost(here, times * _units(size))]
    for index in spec.indexes:
        costs += _index_costs(spec, index, before, item, computed)
    return costs


def _index_costs(
    spec: TableSpec, index: Index, before: Json | None, item: Json | None, computed: set[str]
) -> Iterator[Cost]:
    old, new = _entry(spec, index, before), _entry(spec, index, item)
    names = [key.name for key in index.keys]

    def cost(entry: Json, size: int) -> Cost:
        return Cost(Partition(spec.name, index.name, key_text(entry[names[0]]), "write"), _units(size))

    if old and new and all(old[name] == new[name] for name in names):
        if old != new or computed & new.keys():
            yield cost(new, max(size_of(old), size_of(new)))
        return
    for entry in filter(None, (old, new)):
        yield cost(entry, size_of(entry))


def _entry(spec: TableSpec, index: Index, item: Json | None) -> Json | None:
    """What an index has of an item; nothing if the item lacks a key of it."""
    if item is None or any(key.name not in item for key in index.keys):
        return None
    if index.projection == "ALL":
        return item
    names = {key.name for key in (*spec.keys, *index.keys)} | set(index.included)
    return {name: value for name, value in item.items() if name in names}


def _units(size: int) -> float:
    return float(max(1, -(-size // KILOBYTE)))
