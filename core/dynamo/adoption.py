"""Adopt records that other programs wrote: add what our lists, searches and unique values need beside them.

Such a record has what its document names and no `version`. Adopted, it has version 0, the attributes of
`Item.adopted`, and its guards, words and references. What is there is not rewritten, so the other program
finds its own record unchanged, and a second adoption has nothing to do. Each is one transaction that is
conditional on all that was read of the record.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic

from pynamodb.expressions.operand import Path

from core.dynamo import (
    changeset,
    guards,
    queries,
    references,
    search_index,
    side_items,
    transactions,
)
from core.dynamo.changeset import Changed
from core.dynamo.deadline import pause
from core.dynamo.errors import AlreadyExists, Conflict, Missing, NotFound
from core.dynamo.guards import UniqueGuard
from core.dynamo.items import Item, RawItem, Target, same, target_of
from core.dynamo.record_type import T
from core.dynamo.references import Reference
from core.dynamo.registry import RecordRef, records_at, repositories, repository_for
from core.dynamo.transactions import Operation, Transaction

if TYPE_CHECKING:
    from core.dynamo.repository import Repository

ATTEMPTS = 10
# Guards, words and references in one transaction, of which a reference takes the most operations.
AT_ONCE = 30
OPERATIONS_OF_A_REFERENCE = 3


@dataclass
class Adopted(Generic[T]):
    """The record as it is stored now; `problems` say what of it could not be adopted, and why."""

    item: T
    was_incomplete: bool = False
    problems: list[str] = field(default_factory=list)


@dataclass
class _Plan(Generic[T]):
    after: T
    transaction: Transaction = field(default_factory=Transaction)
    problems: list[str] = field(default_factory=list)
    # Whether the transaction adds all that is missing.
    is_whole: bool = True

    @property
    def is_empty(self) -> bool:
        return not self.transaction.operations()


def is_adopted(raw: RawItem) -> bool:
    """Whether a stored item has been written or adopted by us: only then it has a version."""
    return "NULL" not in raw.get("version", {"NULL": True})


def adopt(
    repository: "Repository[T]", item: T, *, is_dry_run: bool = False, tries: int = ATTEMPTS
) -> Adopted[T]:
    """Add what the record lacks; of one that is changed meanwhile, what it lacks then.

    Raises `NotFound` if it is deleted meanwhile, and `Conflict` if it has changed at each of the tries.
    """
    was_incomplete, attempt = False, 0
    while True:
        plan = _plan(repository, item)
        if plan.is_empty or is_dry_run:
            return Adopted(item, was_incomplete or not plan.is_empty, plan.problems)
        try:
            plan.transaction.commit()
            was_incomplete = True
            if plan.is_whole:
                return Adopted(plan.after, was_incomplete, plan.problems)
            item = _read_again(repository, item)
        except (AlreadyExists, Conflict, Missing):
            item, attempt = _read_again(repository, item), attempt + 1
            if attempt == tries:
                raise Conflict(current=item) from None
            pause(attempt)


def _read_again(repository: "Repository[T]", item: T) -> T:
    stored: T | None = queries.get(repository.model, item.raw_key(), strong=True)
    if stored is None:
        raise NotFound
    return stored


def _plan(repository: "Repository[T]", item: T) -> _Plan[T]:
    missing = _missing_attributes(repository, item)
    plan = _Plan(repository.model.from_raw_data(changeset.apply(item.stored, missing)))
    more = list(repository.adopted_with(item))
    lacking = list(_lacking_side_items(repository, item, plan, made={each.target for each in more}))
    if not (missing or lacking or more):
        return plan
    plan.transaction.add(_record_operation(repository, item, missing, with_counters=bool(more)), *more)
    room = AT_ONCE - -(-len(more) // OPERATIONS_OF_A_REFERENCE)
    for each in lacking[:room]:
        each.add_to(plan.transaction)
    plan.is_whole = len(lacking) <= room and not more
    return plan


# --- The record ------------------------------------------------------------------------------------------


def _missing_attributes(repository: "Repository[Any]", item: Item) -> Changed:
    """The attributes to add, and those of ours that are no longer right, such as the key of a new name."""
    missing: Changed = {}
    for name, value in item.adopted().items():
        stored_name = type(item).get_attributes()[name].attr_name
        there = item.stored.get(stored_name, {"NULL": True})
        right = item.serialize_value(name, value)
        is_wrong = name not in item.documented and not same(right, there)
        if right is not None and ("NULL" in there or is_wrong):
            missing[stored_name] = right
    if not is_adopted(item.stored):
        missing["version"] = {"N": "0"}
        if "refs" not in item.stored and (uses := _uses(repository, item)):
            missing["refs"] = {"N": str(uses)}
    return missing


def _uses(repository: "Repository[Any]", item: Item) -> int:
    """How many references there are to a record that another program has written anew."""
    entity = repository.entity
    is_used = any(reference.to == entity for each in repositories() for reference in each.references)
    return references.count(entity, repository.key_of(item)) if is_used and not repository.use_shards else 0


def _record_operation(
    repository: "Repository[Any]", item: Item, missing: Changed, *, with_counters: bool
) -> Operation:
    model = repository.model
    counted = set() if with_counters else set(model.stored_names(model.counters)) - missing.keys()
    names = {attribute.attr_name for attribute in model.get_attributes().values()} - counted
    as_read = transactions.exists(model) & changeset.attributes_unchanged(
        item, *sorted(names.difference(model.key_names()))
    )
    if not missing:
        return transactions.check(model, item.raw_key(), as_read)
    actions = [Path([name]).set(value) for name, value in missing.items()]
    return transactions.update(model, item.raw_key(), actions, condition=as_read)


# --- What is stored beside it ----------------------------------------------------------------------------


@dataclass
class _SideItem:
    """A guard, a word or a reference that is not stored; a reference without a row has only a count."""

    operation: Operation | None
    reference: Reference | None = None
    target: str = ""
    source: RecordRef = ("", "")

    def add_to(self, transaction: Transaction) -> None:
        if self.operation is not None:
            transaction.add(self.operation)
        if self.reference is not None:
            side_items.count(transaction, self.reference, self.target, 1, source=self.source)


def _lacking_side_items(
    repository: "Repository[Any]", before: Item, plan: _Plan[Any], *, made: set[Target]
) -> Iterator[_SideItem]:
    """What is not stored, by one strong read; and one more of the records that such references lead to."""
    entity, key = source = repository.entity, repository.key_of(plan.after)
    values = [(unique, each) for unique in repository.unique for each in sorted(unique.values_of(plan.after))]
    words = [
        search_index.put(scope, word, entity=entity, key=key)
        for scope, word in sorted(side_items.scoped_words(repository, plan.after))
    ]
    references_out = list(side_items.outward(repository, plan.after))
    rows = {
        each: references.put_row(*each, entity=entity, key=key) for each in references_out if each[0].has_row
    }
    found = queries.get_by_target(
        [
            *((UniqueGuard, guards.raw_key(entity, *each)) for each in values),
            *((operation.model, operation.key) for operation in (*words, *rows.values())),
        ],
        strong=True,
    )
    for unique, value in values:
        guard = found.get(target_of(UniqueGuard.Meta.table_name, guards.raw_key(entity, unique, value)))
        owner = guard.owner if isinstance(guard, UniqueGuard) else None
        if owner is None:
            yield _SideItem(guards.take(entity, unique, value, key))
        elif owner != key:
            plan.problems.append(f"{unique.field} “{value}” belongs to {owner}")
    yield from (_SideItem(operation) for operation in words if operation.target not in found)
    lacking = [
        each
        for each in references_out
        if (rows[each].target not in found if each in rows else not is_adopted(before.stored))
    ]
    there = records_at(((reference.to, target) for reference, target in lacking), strong=True)
    for reference, target in lacking:
        aim = repository_for(reference.to)
        target_made = target_of(aim.model.Meta.table_name, aim.raw_key(target)) in made
        if (reference.to, target) not in there and not target_made:
            plan.problems.append(f"{reference.field} leads to {reference.to} {target}, which is not there")
            continue
        row = rows.get((reference, target))
        # A run at the same moment may have counted it.
        operation = replace(row, condition=transactions.absent(row.model)) if row else None
        yield _SideItem(operation, reference, target, source)
