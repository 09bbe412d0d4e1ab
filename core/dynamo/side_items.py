"""What is kept beside a record: its guards, words and references, in the transaction that writes it."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from core.dynamo import guards, references, search_index
from core.dynamo.errors import Missing
from core.dynamo.items import Item, RawItem
from core.dynamo.references import Reference
from core.dynamo.registry import RecordRef, repository_for
from core.dynamo.transactions import Transaction

if TYPE_CHECKING:
    from core.dynamo.repository import Repository


def keep(
    transaction: Transaction, repository: "Repository[Any]", *, before: Item | None, after: Item | None
) -> int:
    """Bring everything beside a record from what the record was to what it becomes.

    Answers how many items a delete of the record would touch beside it.
    """
    key = repository.key_of(after or before)
    return (
        _keep_guards(transaction, repository, key, before, after)
        + _keep_words(transaction, repository, key, before, after)
        + _keep_references(transaction, repository, key, before, after)
    )


def left_out(repository: "Repository[Any]", item: Item, gone: Collection[RecordRef]) -> dict[str, Any]:
    """The fields that refer to what is gone, as they are without it."""
    fields = {}
    for reference in repository.references:
        keys = {key for entity, key in gone if entity == reference.to}
        if not keys.isdisjoint(reference.targets(item)):
            fields[reference.field] = reference.without(item, keys)
    return fields


def _keep_guards(
    transaction: Transaction,
    repository: "Repository[Any]",
    key: str,
    before: Item | None,
    after: Item | None,
) -> int:
    kept = 0
    for unique in repository.unique:
        old, new = unique.values_of(before), unique.values_of(after)
        for value in sorted(old - new):
            transaction.add(guards.release(repository.entity, unique, value, key))
        for value in sorted(new - old):
            transaction.add(guards.take(repository.entity, unique, value, key))
        kept += len(new)
    return kept


def _keep_words(
    transaction: Transaction,
    repository: "Repository[Any]",
    key: str,
    before: Item | None,
    after: Item | None,
) -> int:
    old, new = scoped_words(repository, before), scoped_words(repository, after)
    for scope, word in sorted(old - new):
        transaction.add(search_index.remove(scope, word, entity=repository.entity, key=key))
    for scope, word in sorted(new - old):
        transaction.add(search_index.put(scope, word, entity=repository.entity, key=key))
    return len(new)


def scoped_words(repository: "Repository[Any]", item: Item | None) -> set[tuple[str, str]]:
    """The words that a record is found by, each with the scope in which it is."""
    if item is None:
        return set()
    return {(repository.word_scope_of(item), word) for word in repository.words_of(item)}


def _keep_references(
    transaction: Transaction,
    repository: "Repository[Any]",
    key: str,
    before: Item | None,
    after: Item | None,
) -> int:
    kept = 0
    for reference in repository.references:
        targets = reference.targets(after)
        reference.refuse_too_many(targets)
        # A row for each, and the target that counts it.
        kept += 2 * len(targets)
        # A record that refers to itself must not stop its own deletion.
        itself = {key} if reference.to == repository.entity else set()
        old, new = set(reference.targets(before)) - itself, set(targets) - itself
        for target in sorted(new - old):
            transaction.add(references.row(reference, target, entity=repository.entity, key=key))
            _count(transaction, reference, target, 1)
        for target in sorted(old - new):
            transaction.add(references.remove_row(reference, target, entity=repository.entity, key=key))
            _count(transaction, reference, target, -1)
    return kept


def _count(transaction: Transaction, reference: Reference, target: str, step: int) -> None:
    def gone(_stored: RawItem | None) -> Exception:
        return Missing(field=reference.field, places=[(reference.to, target)])

    repository = repository_for(reference.to)
    transaction.count(repository.model, repository.raw_key(target), "refs", step, refused=gone)
