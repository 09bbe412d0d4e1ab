"""Adopt records as another program writes them: what is in no list of ours, the stream brings in."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pynamodb.expressions.operand import Path

from core.common.logs import events
from core.dynamo import adoption, queries, transactions
from core.dynamo.actors import Actor
from core.dynamo.deadline import pause
from core.dynamo.errors import NotFound
from core.dynamo.items import Item, RawItem
from core.dynamo.repository import Repository
from core.dynamo.streams import leftovers
from core.dynamo.streams.changes import Change
from core.dynamo.transactions import Transaction

ATTEMPTS = 5
OTHERS = Actor(sub="another-program", name="Another program")


class _AlreadyNoted(Exception):
    """This change was handled before: streams may deliver a change twice."""


def is_foreign(repository: Repository[Any], change: Change) -> bool:
    """Whether another program made this change, as its images tell: our writes have a new version each.

    Without one we only count references and adopt, so our own writes never lead to another one.
    """
    before, after = change.before, change.after
    if not repository.adopts or after is None:
        return False
    if not adoption.is_adopted(after):
        return True
    if before is None or before.get("version") != after["version"]:
        return False
    return bool(_changed_names(repository, before, after))


def adopt(repository: Repository[Any], change: Change) -> None:
    """Remove what was stored beside the record as it was, add what it lacks now, and note the change."""
    model = repository.model
    if change.before is not None:
        leftovers.remove(repository, model.from_raw_data(change.before), change, with_copy=False)
    arrived = model.from_raw_data(change.image)
    # Deleted meanwhile: that is a change of its own.
    with suppress(NotFound):
        current = queries.get(model, arrived.raw_key(), strong=True)
        if current is None:
            return
        for problem in adoption.adopt(repository, current).problems:
            events.warning(
                "not_adopted", entity=repository.entity, key=repository.key_of(arrived), problem=problem
            )
    if change.before is not None:
        _note(repository, change.before, arrived, change)


def _note(repository: Repository[Any], before: RawItem, after: Item, change: Change) -> None:
    """Give the record a new version and an entry in its history, as a save here does.

    So a form that was open meanwhile is compared with what the other program has written.
    """
    model, changed = repository.model, _changed_names(repository, before, after.stored)
    earlier = model.from_raw_data(before)

    def prepare(transaction: Transaction) -> None:
        current = queries.get(model, after.raw_key(), strong=True)
        if current is None:
            return
        version = max(current.seen_version, earlier.seen_version) + 1
        transaction.add(
            transactions.update(
                model,
                current.raw_key(),
                [Path(["version"]).set({"N": str(version)})],
                condition=repository.unchanged_condition(current),
            ),
            _entry(),
        )

    def _entry() -> transactions.Operation:
        at = change.at
        if earlier.updated_at is not None:
            at = max(at, earlier.updated_at + timedelta(milliseconds=1))
        entry = repository.history_entry(
            after,
            verb="update",
            actor=OTHERS,
            at=at,
            fields=changed,
            before={name: before[name] for name in changed if name in before},
            entry_id=change.sequence_number,
        )
        return replace(
            entry,
            condition=transactions.absent(entry.model),
            refused=lambda _stored: _AlreadyNoted(),
            rank=0,
            event=None,
        )

    if changed:
        with suppress(_AlreadyNoted):
            transactions.retry_on_conflict(prepare, tries=ATTEMPTS, wait=pause)


def _changed_names(repository: Repository[Any], before: RawItem, after: RawItem) -> set[str]:
    """The attributes that differ, without those that we write without a new version."""
    model = repository.model
    own = {"version", *model.stored_names([*model.counters, *model.from_raw_data(after).adopted()])}
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)} - own
