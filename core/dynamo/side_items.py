"""Side items of a record (guards, words and references), written in the transaction that writes it."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from core.dynamo import guards, references, search_index, use_counts
from core.dynamo.errors import Missing
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import Item, RawItem
from core.dynamo.references import Reference
from core.dynamo.registry import RecordRef
from core.dynamo.transactions import Transaction

if TYPE_CHECKING:
    from core.dynamo.repository import Repository


def sync(
    transaction: Transaction,
    repository: "Repository[Any]",
    *,
    before: Item | None,
    after: Item | None,
    once: IdempotencyKey | None = None,
    uncounted: Collection[RecordRef] = (),
) -> int:
    """Add the side items that `after` has and `before` had not, and remove the others.

    A guard that is a receipt becomes that of the request `once`. References to the `uncounted` records, which
    are not there, get none. Returns how many side items a delete of `after` would touch.
    """
    entity, key = repository.entity, repository.key_of(after or before)
    touched = 0
    for unique in repository.unique:
        old, new = unique.values_of(before), unique.values_of(after)
        for value in sorted(old - new):
            transaction.add(guards.release(entity, unique, value, key))
        for value in sorted(new - old):
            transaction.add(guards.take(entity, unique, value, key, once=once if unique.is_receipt else None))
        touched += len(new)
    old_words, new_words = scoped_words(repository, before), scoped_words(repository, after)
    for scope, word in sorted(old_words - new_words):
        transaction.add(search_index.remove(scope, word, entity=entity, key=key))
    for scope, word in sorted(new_words - old_words):
        transaction.add(search_index.put(scope, word, entity=entity, key=key))
    for reference in repository.references:
        earlier, targets = reference.targets(before), reference.targets(after)
        # Another program may have stored more; they may stay.
        if not set(targets) <= set(earlier):
            reference.refuse_too_many(targets)
        # The count of each, and its row.
        touched += (2 if reference.has_row else 1) * len(targets)
        # A reference of a record to itself is not counted: it would prevent its deletion.
        itself = {key} if reference.to == entity else set()
        old, new = set(earlier) - itself, set(targets) - itself
        for target in sorted(new - old):
            if (reference.to, target) in uncounted:
                continue
            if reference.has_row:
                transaction.add(references.put_row(reference, target, entity=entity, key=key))
            count(transaction, reference, target, 1, source=(entity, key))
        for target in sorted(old - new):
            if reference.has_row:
                transaction.add(references.remove_row(reference, target, entity=entity, key=key))
            count(transaction, reference, target, -1, source=(entity, key))
    return touched + len(new_words)


def fields_without(repository: "Repository[Any]", item: Item, gone: Collection[RecordRef]) -> dict[str, Any]:
    """The fields that refer to these records, with values that do not."""
    fields = {}
    for reference in repository.references:
        keys = {key for entity, key in gone if entity == reference.to}
        if not keys.isdisjoint(reference.targets(item)):
            fields[reference.field] = reference.without(item, keys)
    return fields


def scoped_words(repository: "Repository[Any]", item: Item | None) -> set[tuple[str, str]]:
    """The words of a record, each with its scope."""
    if item is None:
        return set()
    return {(repository.word_scope_of(item), word) for word in repository.words_of(item)}


def outward(repository: "Repository[Any]", item: Item) -> Iterator[tuple[Reference, str]]:
    """The references of a record to others, each with the key that it leads to."""
    itself = repository.entity, repository.key_of(item)
    for reference in repository.references:
        yield from ((reference, key) for key in reference.targets(item) if (reference.to, key) != itself)


def count(
    transaction: Transaction, reference: Reference, target: str, step: int, *, source: RecordRef
) -> None:
    def gone(_stored: RawItem | None) -> Exception:
        return Missing(field=reference.field, records=[(reference.to, target)])

    use_counts.add(transaction, (reference.to, target), step, source=source, refused=gone)
