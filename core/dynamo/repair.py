"""Remove guards and references of records that are gone: for operators, after stream changes were lost."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pynamodb.expressions.operand import Path

from core.dynamo import changeset, guards, maintenance, queries, references, transactions, use_counts
from core.dynamo.deadline import pause
from core.dynamo.guards import UniqueGuard
from core.dynamo.items import Item
from core.dynamo.paging import batches
from core.dynamo.references import ReferenceRow
from core.dynamo.registry import RecordRef, is_known, records_at, repositories, repository_for
from core.dynamo.reindex import records_of
from core.dynamo.repository import Repository
from core.dynamo.support_table import SupportItem
from core.dynamo.transactions import Operation, Transaction
from core.dynamo.use_counts import UseCount

ATTEMPTS = 10

SideRow = UniqueGuard | ReferenceRow | UseCount


@dataclass
class Repaired:
    guards: int = 0
    references: int = 0
    counts: int = 0


def repair(progress: Callable[..., Any], *, dry_run: bool = False) -> Repaired:
    """Remove the guards and references that belong to no record, and correct the reference counts.

    Safe while people work: each write is conditional on the items that were read.
    """
    result = Repaired()
    uses: Counter[str] = Counter()
    for row, record in _with_records(progress(_rows(), "guards and references")):
        if not is_known(_owner(row)[0]) or _belongs_to(row, record):
            uses[row.pk] += 1
        elif dry_run or _remove(row):
            result.guards += isinstance(row, UniqueGuard)
            result.references += isinstance(row, ReferenceRow)
            result.counts += isinstance(row, UseCount)
    uses.update(references.partition(*target) for target in progress(_without_row(), "references"))
    used = {reference.to for repository in repositories() for reference in repository.references}
    for repository in (repository for repository in repositories() if repository.entity in used):
        for record in progress(records_of(repository), repository.entity):
            key = repository.key_of(record)
            differs = uses[references.partition(repository.entity, key)] != repository.uses_of(record)
            result.counts += differs and (dry_run or _count_anew(repository, key))
    return result


def _rows() -> Iterator[SideRow]:
    kinds: dict[str, type[SideRow]] = {"UNIQUE": UniqueGuard, "REF": ReferenceRow, "USES": UseCount}
    for raw in maintenance.scan_items(TableName=SupportItem.Meta.table_name, ConsistentRead=True):
        model = kinds.get(raw["PK"]["S"].partition("#")[0])
        # A released guard has no owner: it is only a receipt until it expires.
        if model and (model is not UniqueGuard or "owner" in raw):
            yield model.from_raw_data(raw)


def _without_row() -> Iterator[RecordRef]:
    """The target of each reference that has no row, from the records that have it."""
    for repository in repositories():
        counted = [reference for reference in repository.references if not reference.has_row]
        for record in records_of(repository, strong=True) if counted else ():
            itself = (repository.entity, repository.key_of(record))
            for reference in counted:
                targets = ((reference.to, target) for target in reference.targets(record))
                yield from (each for each in targets if each != itself)


def _with_records(rows: Iterable[SideRow]) -> Iterator[tuple[SideRow, Item | None]]:
    for batch in batches(rows, queries.BATCH):
        owners = map(_owner, batch)
        found = records_at((place for place in owners if is_known(place[0])), strong=True)
        yield from ((row, found.get(_owner(row))) for row in batch)


def _owner(row: SideRow) -> RecordRef:
    if isinstance(row, ReferenceRow):
        return row.entity, row.key
    _kind, entity, key = row.pk.split("#", 2)
    # Of the shards of a count it is the record that is used.
    return entity, key if isinstance(row, UseCount) else row.owner


def _belongs_to(row: SideRow, record: Item | None) -> bool:
    """Whether the record, as it is stored, has this guard or reference."""
    if record is None:
        return False
    repository = repository_for(_owner(row)[0])
    if isinstance(row, UseCount):
        return True
    if isinstance(row, ReferenceRow):
        return any(
            reference.has_row
            and row.field == reference.field
            and row.pk == references.partition(reference.to, target)
            for reference in repository.references
            for target in reference.targets(record)
        )
    return any(
        row.pk == guards.partition(repository.entity, unique.field, value)
        for unique in repository.unique
        for value in unique.values_of(record)
    )


def _remove(row: SideRow) -> bool:
    """Remove a row, unless a record has it by now."""
    entity, key = _owner(row)
    repository = repository_for(entity)

    def prepare(transaction: Transaction) -> bool:
        stored = queries.get(type(row), row.raw_key(), strong=True)
        record = queries.get(repository.model, repository.raw_key(key), strong=True)
        if stored is None or _owner(stored) != (entity, key) or _belongs_to(stored, record):
            return False
        transaction.add(repository.check_as_read(key, record), _removal(stored))
        return True

    return transactions.retry_on_conflict(prepare, tries=ATTEMPTS, wait=pause)


def _removal(row: SideRow) -> Operation:
    if isinstance(row, UniqueGuard):
        return transactions.delete(UniqueGuard, row.raw_key(), condition=UniqueGuard.owner == row.owner)
    return transactions.delete(type(row), row.raw_key(), condition=transactions.exists(type(row)))


def _count_anew(repository: Repository[Any], key: str) -> bool:
    """Write the number of references to a record, unless it changes meanwhile."""
    raw_key, target = repository.raw_key(key), (repository.entity, key)

    def prepare(transaction: Transaction) -> bool:
        record = queries.get(repository.model, raw_key, strong=True)
        shards = use_counts.shards_of(repository, key)
        uses = references.count(*target) + sum(1 for each in _without_row() if each == target)
        if record is None:
            return False
        as_counted = transactions.exists(repository.model) & changeset.attributes_unchanged(record, "refs")
        difference = uses - use_counts.total(record, shards)
        # Nothing is wrong only if it is still so: a use may have begun while they were counted.
        write = transactions.check(repository.model, raw_key, as_counted)
        if difference:
            written = Path(["refs"]).set({"N": str(int(record.refs or 0) + difference)})
            write = transactions.update(repository.model, raw_key, [written], condition=as_counted)
        transaction.add(write, *use_counts.check_unchanged(target, shards))
        return difference != 0

    return transactions.retry_on_conflict(prepare, tries=ATTEMPTS, wait=pause)
