"""Build the search index anew: for operators, after the searched fields were declared differently."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from dynamo import beside, control, queries, transactions, words
from dynamo.errors import Conflict
from dynamo.items import Item, RawItem
from dynamo.repository import Repository
from dynamo.search import records_at
from dynamo.transactions import Transaction
from dynamo.words import WordRow

ATTEMPTS = 10


@dataclass
class Rebuilt:
    records: int = 0
    removed: int = 0


def rebuild(progress: Callable[..., Any], *, dry_run: bool = False) -> Rebuilt:
    """Write every record's words and remove those that lead nowhere. Safe while people work:
    each write holds only if the record is still as it was read.
    """
    result = Rebuilt()
    for repository in beside.repositories():
        if repository.searched:
            for item in progress(_records(repository), repository.entity):
                result.records += 1
                if not dry_run:
                    _write_words(repository, item)
    rows = (
        row for row in _rows() if row.entity in {repository.entity for repository in beside.repositories()}
    )
    for row in progress(_leading_nowhere(rows), "words"):
        result.removed += 1
        if not dry_run:
            _remove(row)
    return result


def _records(repository: Repository[Any]) -> Iterator[Item]:
    for raw in _scan(repository.model.Meta.table_name):
        if repository.owns(raw):
            yield repository.model.from_raw_data(raw)


def _rows() -> Iterator[WordRow]:
    for raw in _scan(WordRow.Meta.table_name):
        if raw["PK"]["S"].startswith("WORD#"):
            yield WordRow.from_raw_data(raw)


def _scan(table_name: str) -> Iterator[RawItem]:
    for page in control.scan(TableName=table_name):
        yield from page["Items"]


def _leading_nowhere(rows: Iterable[WordRow]) -> Iterator[WordRow]:
    remaining = iter(rows)
    while batch := list(islice(remaining, queries.BATCH)):
        found = records_at(((row.entity, row.key) for row in batch), strong=True)
        yield from (row for row in batch if not _leads_to(row, found.get((row.entity, row.key))))


def _leads_to(row: WordRow, item: Item | None) -> bool:
    repository = beside.repository_for(row.entity)
    word = row.sk.partition("#")[0]
    return (
        item is not None
        and word in repository.words_of(item)
        and row.pk == words.partition(repository.scope_of(item), word)
    )


def _write_words(repository: Repository[Any], item: Item | None) -> None:
    key = repository.key_of(item)
    for _attempt in range(ATTEMPTS):
        if item is None:
            return
        transaction = Transaction()
        transaction.add(transactions.check(repository.model, item.raw_key(), repository.as_seen(item)))
        for word in repository.words_of(item):
            transaction.add(words.put(repository.scope_of(item), word, entity=repository.entity, key=key))
        try:
            transaction.commit()
        except Conflict:
            item = queries.get(repository.model, repository.raw_key(key), strong=True)
        else:
            return
    raise Conflict


def _remove(row: WordRow) -> None:
    """Remove a word, unless the record has got it meanwhile."""
    repository = beside.repository_for(row.entity)
    for _attempt in range(ATTEMPTS):
        raw_key = repository.raw_key(row.key)
        item = queries.get(repository.model, raw_key, strong=True)
        if _leads_to(row, item):
            return
        unchanged = repository.as_seen(item) if item else transactions.absent(repository.model)
        transaction = Transaction()
        transaction.add(
            transactions.check(repository.model, raw_key, unchanged),
            transactions.delete(WordRow, row.raw_key()),
        )
        try:
            transaction.commit()
        except Conflict:
            continue
        else:
            return
    raise Conflict
