"""Side items and working copies of records that were removed other than by their repository, such as by TTL.

Every write is conditional: the record is still gone, or a new one under the same key is unchanged, whose side
items stay.
"""

from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeVar

from core.dynamo import (
    guards,
    queries,
    references,
    search_index,
    side_items,
    transactions,
    trash,
    use_counts,
    working_copies,
)
from core.dynamo.actors import SYSTEM
from core.dynamo.deadline import pause
from core.dynamo.errors import Conflict
from core.dynamo.items import Item, RawItem, target_of
from core.dynamo.registry import records_at
from core.dynamo.repository import Repository
from core.dynamo.streams.changes import Change
from core.dynamo.transactions import Operation, Transaction

ATTEMPTS = 5

N = TypeVar("N", bound=Hashable)


class _AlreadyHandled(Exception):
    """This change was handled before: streams may deliver a change twice."""


def remove(repository: Repository[Any], record: Item, change: Change, *, with_copy: bool) -> None:
    """Remove the side items of a removed record; one that has expired gets a history entry."""

    def prepare(transaction: Transaction) -> None:
        current = queries.get(repository.model, record.raw_key(), strong=True)
        transaction.add(*_guards(repository, record, current), *_words(repository, record, current))
        _count_down(transaction, repository, record, current, has_expired=change.has_expired)
        if with_copy and current is None:
            transaction.add(*_copy(repository, record))
        if change.has_expired:
            transaction.add(_history(repository, record, change))
        if current is None:
            shards = use_counts.shards_of(repository, repository.key_of(record))
            stored = {shard: uses for shard, uses in shards.items() if uses is not None}
            transaction.add(
                *use_counts.remove((repository.entity, repository.key_of(record)), stored, record)
            )
        if transaction.operations():
            transaction.add(repository.check_as_read(repository.key_of(record), current))

    with suppress(_AlreadyHandled):
        transactions.retry_on_conflict(prepare, tries=ATTEMPTS, wait=pause)


def discard_copy(repository: Repository[Any], record: Item) -> None:
    """Remove the working copy of a record that can no longer be restored."""
    for operation in _copy(repository, record):
        transactions.commit(operation, repository.check_version(repository.key_of(record), None))


def is_gone(repository: Repository[Any], key: str) -> bool:
    """Whether the record is neither stored nor in the trash.

    The trash is read twice: a record may be moved there between the first read and that of the record.
    """
    return (
        trash.of_record(repository.entity, key) is None
        and queries.get(repository.model, repository.raw_key(key), strong=True) is None
        and trash.of_record(repository.entity, key) is None
    )


def _guards(repository: Repository[Any], record: Item, current: Item | None) -> Iterator[Operation]:
    key = repository.key_of(record)
    for unique in repository.unique:
        left = unique.values_of(record) - unique.values_of(current)
        owners = guards.owners_of(repository.entity, unique.field, left)
        for value in sorted(owners):
            if owners[value] == key:
                yield guards.release(repository.entity, unique, value, key)


def _words(repository: Repository[Any], record: Item, current: Item | None) -> Iterator[Operation]:
    entity, key = repository.entity, repository.key_of(record)
    left = side_items.scoped_words(repository, record) - side_items.scoped_words(repository, current)
    removals = {pair: search_index.remove(*pair, entity=entity, key=key) for pair in sorted(left)}
    yield from _only_existing(removals).values()


def _count_down(
    transaction: Transaction,
    repository: Repository[Any],
    record: Item,
    current: Item | None,
    *,
    has_expired: bool,
) -> None:
    """Remove the remaining reference rows of the record, and decrease the counts of their targets."""
    entity, key = repository.entity, repository.key_of(record)
    for reference in repository.references:
        itself = {key} if reference.to == entity else set()
        then, now = set(reference.targets(record)) - itself, set(reference.targets(current))
        # Each life of a record has counted its targets. Of one that has expired this is handled once, by its
        # history entry. Of any other only a row tells that it was not handled yet: what is counted without
        # one is left to `guards repair`.
        counted = then if has_expired else set()
        if reference.has_row:
            removals = {
                target: references.remove_row(reference, target, entity=entity, key=key)
                for target in sorted(then - now)
            }
            left = _only_existing(removals)
            transaction.add(
                *(replace(row, condition=transactions.exists(row.model)) for row in left.values())
            )
            # A new record with the same reference has replaced the row.
            counted = left.keys() | (counted & now)
        for target in records_at(((reference.to, each) for each in counted), strong=True):
            use_counts.add(transaction, target, -1, source=(entity, key), refused=_gone)


def _gone(_stored: RawItem | None) -> Exception:
    return Conflict()


def _only_existing(removals: Mapping[N, Operation]) -> dict[N, Operation]:
    """The removals whose item exists."""
    found = queries.get_many(((each.model, each.key) for each in removals.values()), strong=True)
    there = {target_of(item.Meta.table_name, item.raw_key()) for item in found}
    return {name: removal for name, removal in removals.items() if removal.target in there}


def _copy(repository: Repository[Any], record: Item) -> Iterator[Operation]:
    """The removal of the record's working copy, unless it is that of a new record under the same key."""
    key = repository.key_of(record)
    copy = working_copies.get(repository.entity, key)
    if copy is not None and not copy.is_of_new and copy.base_version <= record.seen_version:
        yield working_copies.discard(repository.entity, key, int(copy.version))


def _history(repository: Repository[Any], record: Item, change: Change) -> Operation:
    """The history entry that the record has expired; as it is put once, so is the whole transaction."""
    # Times of a stream are whole seconds, so the last change may have been later in the same second.
    at = max(change.at, record.updated_at + timedelta(milliseconds=1)) if record.updated_at else change.at
    entry = repository.history_entry(
        record,
        verb="expire",
        actor=SYSTEM,
        at=at,
        fields=record.stored,
        before=record.stored,
        entry_id=change.sequence_number,
    )
    # Rank 0: if this condition fails, the others do not matter.
    return replace(
        entry, condition=transactions.absent(entry.model), refused=lambda _stored: _AlreadyHandled(), rank=0
    )
