"""Rebuild the search index: for operators, after a change of the declared search fields."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from core.dynamo import maintenance, queries, search_index, transactions
from core.dynamo.errors import Conflict
from core.dynamo.items import Item
from core.dynamo.paging import batches
from core.dynamo.record_type import T
from core.dynamo.registry import is_known, records_at, repositories, repository_for
from core.dynamo.repository import Repository
from core.dynamo.search_index import WordRow
from core.dynamo.transactions import Transaction

ATTEMPTS = 10


@dataclass
class Rebuilt:
    records: int = 0
    removed: int = 0


def rebuild(progress: Callable[..., Any], *, dry_run: bool = False) -> Rebuilt:
    """Write every record's words and remove stale ones.

    Safe while people work: each write is conditional on the version of the record.
    """
    result = Rebuilt()
    for repository in repositories():
        if repository.searched:
            for item in progress(records_of(repository), repository.entity):
                result.records += 1
                if not dry_run:
                    _write_words(repository, item)
    for row in progress(_orphans(_rows()), "words"):
        result.removed += 1
        if not dry_run:
            _remove(row)
    return result


def records_of(repository: Repository[T], *, strong: bool = False) -> Iterator[T]:
    """All records of one entity."""
    table = repository.model.Meta.table_name
    for raw in maintenance.scan_items(TableName=table, ConsistentRead=strong):
        if repository.owns(raw):
            yield repository.model.from_raw_data(raw)


def _rows() -> Iterator[WordRow]:
    for raw in maintenance.scan_items(TableName=WordRow.Meta.table_name):
        if raw["PK"]["S"].startswith("WORD#"):
            yield WordRow.from_raw_data(raw)


def _orphans(rows: Iterable[WordRow]) -> Iterator[WordRow]:
    for batch in batches(rows, queries.BATCH):
        places = [row.place.record for row in batch if is_known(row.place.entity)]
        found = records_at(places, strong=True)
        yield from (row for row in batch if not _is_current(row, found.get(row.place.record)))


def _is_current(row: WordRow, item: Item | None) -> bool:
    if item is None:
        return False
    repository = repository_for(row.place.entity)
    word = row.place.word
    scope = repository.word_scope_of(item)
    return word in repository.words_of(item) and row.pk == search_index.partition(scope, word)


def _write_words(repository: Repository[Any], item: Item | None) -> None:
    """Put a record's words, if the record is unchanged since it was read."""
    for _attempt in range(ATTEMPTS):
        if item is None:
            return None
        key, scope = repository.key_of(item), repository.word_scope_of(item)
        try:
            return transactions.commit(
                repository.check_unchanged(item),
                *(
                    search_index.put(scope, word, entity=repository.entity, key=key)
                    for word in repository.words_of(item)
                ),
            )
        except Conflict:
            item = queries.get(repository.model, item.raw_key(), strong=True)
    raise Conflict


def _remove(row: WordRow) -> None:
    """Remove a stale word, unless the record has it by now."""
    if not is_known(row.place.entity):
        return transactions.commit(transactions.delete(WordRow, row.raw_key()))
    repository = repository_for(row.place.entity)

    def prepare(transaction: Transaction) -> None:
        item = queries.get(repository.model, repository.raw_key(row.place.key), strong=True)
        if not _is_current(row, item):
            unchanged = repository.check_as_read(row.place.key, item)
            transaction.add(unchanged, transactions.delete(WordRow, row.raw_key()))

    return transactions.retry_on_conflict(prepare, tries=ATTEMPTS)
