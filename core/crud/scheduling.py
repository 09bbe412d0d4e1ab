"""Scheduled changes of published records: readers see the old version until then."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, cast

from django.utils.translation import gettext as _

from core.accounts.user import User
from core.content.status import PUBLISHED
from core.crud import registry, services
from core.crud.edit_session import Opened, Seen
from core.crud.forms import Typed
from core.crud.publication import PublishedResource
from core.crud.times import club_time
from core.dynamo import changeset, transactions, working_copies
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, Conflict, DataError, Invalid, MissingTable, Unavailable
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import Item, same
from core.dynamo.queries import every
from core.dynamo.transactions import Transaction
from core.dynamo.working_copies import Schedule, WorkingCopy

# The number of attempts when the record is written concurrently.
MOST_ATTEMPTS = 5


@dataclass
class Applied:
    """The results of the changes that were due, as labels of their records."""

    applied: list[str] = field(default_factory=list)
    overtaken: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def schedule(
    user: User,
    opened: Opened,
    fields: Mapping[str, Any],
    typed: Typed,
    *,
    at: datetime,
    label: str,
    seen: Seen,
    once: IdempotencyKey | None = None,
) -> WorkingCopy:
    """Schedule the fields, which were validated as a whole, to be published at a moment."""
    resource, record = cast(PublishedResource, opened.resource), opened.record
    complete = {**fields, **resource.fields_to_publish(fields), "status": PUBLISHED}
    changed = changeset.differences(record, complete)
    return services.keep(
        user,
        opened,
        typed,
        label=label,
        seen=seen,
        schedule=Schedule(
            at=at,
            actor=user.actor,
            changed=changed,
            before={name: record.stored[name] for name in changed if name in record.stored},
            typed=working_copies.digest({"typed": typed}),
        ),
        once=once,
    )


def cancel(user: User, opened: Opened) -> None:
    """Cancel the schedule; the changes stay in the working copy."""
    services.ensure_may_write(user, opened)
    if opened.copy is not None and opened.copy.apply_at is not None:
        transactions.commit(working_copies.cancel_schedule(opened.copy))


def apply_due(*, moment: datetime | None = None, is_dry_run: bool = False) -> Applied:
    """Apply every due change once. For one that fails, the reason is stored in the working copy."""
    moment, done = moment or now(), Applied()
    # All are read before any is applied, because applying removes it from the GSI.
    for listed in every(partial(working_copies.due, moment)):
        if not registry.has_resource(listed.entity):
            continue
        resource, name = registry.resource_for(listed.entity), listed.label or listed.key
        if is_dry_run:
            done.applied.append(name)
            continue
        try:
            if _apply(cast(PublishedResource, resource), listed.key, moment):
                done.applied.append(name)
        except Conflict:
            done.overtaken.append(name)
        except _CannotApply as refused:
            done.refused.append(f"{name}: {refused}")
    return done


class _CannotApply(Exception):
    """Why a change was not applied; the working copy has the same text for its editors."""


def _apply(resource: PublishedResource, key: str, moment: datetime) -> bool:
    """False if the change was applied, moved or cancelled meanwhile: the GSI is eventually consistent."""
    for attempt in range(MOST_ATTEMPTS):
        records, waiting = working_copies.records_and_copies(resource.repository, [key], have_copies=True)
        record, copy = records.get(key), waiting.get(key)
        planned = copy.schedule if copy else None
        if copy is None or planned is None or planned.at > moment:
            return False
        try:
            _write(resource, record, copy, planned)
            return True
        except Conflict:
            if attempt == MOST_ATTEMPTS - 1:
                raise
        except (Unavailable, MissingTable):
            raise
        except DataError as error:
            transactions.commit(working_copies.cancel_schedule(copy, problem=str(error)))
            raise _CannotApply(str(error)) from error
    return False


def _write(resource: PublishedResource, record: Item | None, copy: WorkingCopy, planned: Schedule) -> None:
    """Write the record and end the schedule of its copy in one transaction, as the user who scheduled it."""
    if record is None or not resource.is_live(record):
        raise Invalid(_("It is no longer published."))
    if _is_contested(record, planned):
        raise Invalid(_("Someone else changed the same fields in the meantime."))
    fields: Mapping[str, Any] = _fields(record, planned)
    for attempt in range(services.MOST_ATTEMPTS):
        transaction = Transaction()
        written = resource.repository.update(
            record, fields, actor=planned.actor, verb="publish_scheduled", transaction=transaction
        )
        transaction.add(working_copies.carry_out_schedule(copy, written.seen_version))
        try:
            transaction.commit()
            return
        except AlreadyExists as refused:
            replacement = resource.on_duplicate({**resource.form.initial_of(record), **fields}, refused)
            if replacement is None or refused.field is None or attempt == services.MOST_ATTEMPTS - 1:
                raise
            fields = {**fields, refused.field: replacement[refused.field]}


def _is_contested(record: Item, planned: Schedule) -> bool:
    """Whether a field to change has neither its earlier nor its scheduled value."""
    return not all(
        same(record.stored.get(name), planned.before.get(name)) or same(record.stored.get(name), value)
        for name, value in planned.changed.items()
    )


def _fields(record: Item, planned: Schedule) -> dict[str, Any]:
    """The values to change, by attribute name."""
    model = type(record)
    after = model.from_raw_data(changeset.apply(record.stored, planned.changed))
    return {
        name: getattr(after, name)
        for name, attribute in model.get_attributes().items()
        if attribute.attr_name in planned.changed
    }


def scheduled_for(copy: WorkingCopy | None) -> str:
    """When the changes are published, in the club's time zone; empty without a schedule."""
    return club_time(copy.apply_at) if copy and copy.apply_at else ""
