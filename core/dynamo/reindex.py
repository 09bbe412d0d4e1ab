"""Rebuild the search index: for operators, after a change of the declared search fields."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from core.dynamo import maintenance, queries, search_index, transactions
from core.dynamo.errors import Conflict
from core.dynamo.items import Item, RawItem
from core.dynamo.record_type import T
from core.dynamo.registry import is_known, records_at, repositories, repository_for
from core.dynamo.repository import Repository
from core.dynamo.search_index import WordRow

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


def records_of(repository: Repository[T]) -> Iterator[T]:
    """All records of one entity."""
    for raw in _scan(repository.model.Meta.table_name):
        if repository.owns(raw):
            yield repository.model.from_raw_data(raw)


def _rows() -> Iterator[WordRow]:
    for raw in _scan(WordRow.Meta.table_name):
        if raw["PK"]["S"].startswith("WORD#"):
            yield WordRow.from_raw_data(raw)


def _scan(table_name: str) -> Iterator[RawItem]:
    for page in maintenance.scan(TableName=table_name):
        yield from page["Items"]


def _orphans(rows: Iterable[WordRow]) -> Iterator[WordRow]:
    remaining = iter(rows)
    while batch := list(islice(remaining, queries.BATCH)):
        places = [(row.entity, row.key) for row in batch if is_known(row.entity)]
        found = records_at(places, strong=True)
        yield from (row for row in batch if not _is_current(row, found.get((row.entity, row.key))))


def _is_current(row: WordRow, item: Item | None) -> bool:
    if item is None:
        return False
    repository = repository_for(row.entity)
    word = row.sk.partition("#")[0]
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
    if not is_known(row.entity):
        return transactions.commit(transactions.delete(WordRow, row.raw_key()))
    repository = repository_for(row.entity)
    raw_key = repository.raw_key(row.key)
    for _attempt in range(ATTEMPTS):
        item = queries.get(repository.model, raw_key, strong=True)
        if _is_current(row, item):
            return None
        unchanged = repository.check_unchanged(item) if item else repository.check_version(row.key, 0)
        try:
            return transactions.commit(unchanged, transactions.delete(WordRow, row.raw_key()))
        except Conflict:
            continue
    raise Conflict
