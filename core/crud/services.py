"""Writes of any record: each verb checks the right, then writes in one transaction."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from core.accounts.user import User
from core.crud.edit_session import Opened, Seen
from core.crud.forms import Typed
from core.crud.resource import Resource
from core.dynamo import history, transactions, trash, working_copies
from core.dynamo.errors import AlreadyExists, DataError, Missing, NotFound, Unavailable
from core.dynamo.history import CreatedBefore
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef
from core.dynamo.transactions import Transaction
from core.dynamo.working_copies import Schedule, WorkingCopy

PUBLISH = "publish"
# The number of attempts with another unique value when the first is taken.
MOST_ATTEMPTS = 50


class Restored(NamedTuple):
    record: Item
    # References of the record that were dropped, because their records are deleted.
    left_out: Collection[RecordRef]


def write(
    user: User,
    opened: Opened,
    fields: Mapping[str, Any],
    *,
    seen: Seen,
    verb: str = "",
    once: IdempotencyKey | None = None,
) -> Item:
    """Create or update the record, and delete its working copy in the same transaction.

    A request that creates a record names its key.
    """
    ensure_may_write(user, opened)
    if opened.resource.is_live(opened.record) and verb != PUBLISH:
        raise ValueError("What readers see changes only by publishing.")
    is_first = not opened.resource.repository.natural_key
    for _attempt in range(MOST_ATTEMPTS):
        try:
            return _write(user, opened, fields, seen=seen, verb=verb, once=once, is_first=is_first)
        except CreatedBefore:
            is_first = False
        except AlreadyExists as refused:
            replacement = opened.resource.on_duplicate(fields, refused)
            if replacement is None:
                # By an earlier release the receipt is a row.
                refuse(refused, once if refused.field is None else None)
            fields = replacement
    return _write(user, opened, fields, seen=seen, verb=verb, once=once, is_first=is_first)


def _write(
    user: User,
    opened: Opened,
    fields: Mapping[str, Any],
    *,
    seen: Seen,
    verb: str,
    once: IdempotencyKey | None,
    is_first: bool,
) -> Item:
    """`is_first`: whether a new record has never been created before."""
    resource, repository = opened.resource, opened.resource.repository
    transaction = Transaction()
    if resource.has_copies:
        transaction.add(
            working_copies.discard(repository.entity, opened.key, seen.copy_version, form_id=seen.form_id)
        )
    if opened.record is None:
        written: Item = repository.create(
            resource.build(opened.key, fields),
            actor=user.actor,
            verb=verb or "create",
            receipt=replace(once, answer={"version": 1}) if once and is_first else None,
            transaction=transaction,
        )
        has_receipt = is_first
    else:
        next_version = opened.record.seen_version + 1
        written = repository.update(
            opened.record,
            fields,
            actor=user.actor,
            verb=verb or "update",
            seen_version=seen.version,
            receipt=replace(once, answer={"version": next_version}) if once else None,
            transaction=transaction,
        )
        # If nothing differs there is no history entry.
        has_receipt = written is not opened.record
    if once is not None and not has_receipt:
        transaction.add(replace(once, answer={"version": written.seen_version}).operation())
    transaction.commit()
    return written


@contextmanager
def answered_once(
    resource: Resource,
    key: str,
    once: IdempotencyKey | None,
    *,
    receipt_of: Callable[[str, str, IdempotencyKey], Exception | None] = history.answer_of,
) -> Iterator[None]:
    """What refuses a write within may be the effect of this very request, carried out before.

    Then `Replayed` is raised instead, also where the record was read before the write.
    """
    try:
        yield
    except Unavailable:
        raise
    except DataError as error:
        if once is not None and (earlier := receipt_of(resource.entity, key, once)):
            raise earlier from error
        refuse(error, once)


def keep(
    user: User,
    opened: Opened,
    typed: Typed,
    *,
    label: str,
    seen: Seen,
    schedule: Schedule | None = None,
    once: IdempotencyKey | None = None,
) -> WorkingCopy:
    """Store the typed values in the working copy, which readers do not see.

    An earlier schedule with its values stays unchanged, unless `schedule` replaces it.
    """
    ensure_may_write(user, opened)
    if opened.record is None and seen.version:
        raise NotFound
    repository, earlier = opened.resource.repository, opened.copy
    # Refuses a form of an older version: its working copy would be stored with a newer record.
    is_new = opened.record is None
    also = [repository.check_version(opened.key, None if is_new else seen.version)]
    if once is not None:
        also.append(replace(once, answer={"version": seen.version}).operation())
    return working_copies.save(
        entity=opened.resource.entity,
        key=opened.key,
        label=label or opened.label,
        values={"typed": typed},
        seen_version=seen.copy_version,
        based_on=None if is_new else seen.version,
        actor=user.actor,
        form_id=seen.form_id,
        also=also,
        scheduled=earlier.apply_at if earlier else None,
        schedule=schedule or (earlier.schedule if earlier else None),
    )


def discard(user: User, opened: Opened, *, seen: Seen) -> None:
    """Delete the working copy, so that the record itself is edited again."""
    ensure_may_write(user, opened)
    transactions.commit(
        working_copies.discard(opened.resource.entity, opened.key, seen.copy_version, form_id=seen.form_id)
    )


def delete(user: User, resource: Resource, record: Item, *, seen_version: int) -> None:
    """Move the record, which was read with `strong=True`, to the trash."""
    resource.ensure(user, "delete", record)
    resource.repository.delete(record, actor=user.actor, seen_version=seen_version)


def restore(
    user: User, resource: Resource, trash_id: str, *, fields: Mapping[str, Any] | None = None
) -> Restored:
    """Restore a deleted record, without references to records that are deleted meanwhile.

    It requires the right to delete, checked with the last image of the record.
    """
    trashed = trash.find(resource.entity, trash_id)
    if trashed is None:
        raise NotFound
    resource.ensure(user, "delete", resource.repository.model.from_raw_data(trashed.record))
    repository = resource.repository
    gone: dict[RecordRef, None] = {}
    # What another program refers to although it was never here.
    unknown: dict[RecordRef, None] = {}
    while True:
        try:
            record = repository.restore(
                trash_id, actor=user.actor, fields=fields, without=gone, uncounted=unknown
            )
            return Restored(record, gone)
        except Missing as error:
            if (gone | unknown).keys() >= set(error.records):
                raise
            for place in error.records:
                was_here = not repository.adopts or history.entries(*place, limit=1, strong=True).items
                (gone if was_here else unknown)[place] = None


def ensure_may_write(user: User, opened: Opened) -> None:
    if opened.record is None:
        opened.resource.ensure(user, "create")
    else:
        opened.resource.ensure(user, "update", opened.record)
