"""Resources with a status: what readers see changes only when somebody publishes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, cast

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.content.status import PUBLISHED, STATUSES, VERBS
from core.crud import services
from core.crud.edit_session import Opened, Seen
from core.crud.forms import as_posted
from core.crud.listing import Badge
from core.crud.resource import Resource
from core.dynamo import changeset, working_copies
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, Invalid, Text
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import Item
from core.dynamo.transactions import Transaction
from core.dynamo.working_copies import WorkingCopy

CHANGED = Badge("changed", _("Changed"))


class HasUnpublishedChanges(Conflict):
    message = _("There are unpublished changes. Publish or discard them on its page.")


class PublishedResource(Resource):
    """A resource whose records are published. Saving a published record keeps a working copy."""

    has_copies: ClassVar[bool] = True
    # The field with the moment from which readers see a published record, if there is one.
    online_from: ClassVar[str] = ""

    def is_live(self, record: Any) -> bool:
        return bool(record is not None and record.status == PUBLISHED)

    def state(self, record: Any) -> Badge:
        """The status as a badge."""
        return Badge(record.status, dict(STATUSES).get(record.status, record.status))

    def fields_to_publish(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that publishing sets besides the status."""
        return {}

    def offline_until(self, record: Any, fields: Mapping[str, Any]) -> datetime | None:
        """If publishing these fields took the record offline: when it would be online again."""
        return None

    def published_message(self, record: Any) -> Text:
        """The message after publishing; resources mention a date in the future."""
        return _("Published.")

    def preview(self, user: User, record: Any) -> tuple[str, dict[str, Any]]:
        """The public template of this record, and its context.

        It leaves out what readers would see but the user may not read yet.
        """
        raise NotImplementedError


def publish(
    user: User,
    resource: PublishedResource,
    opened: Opened,
    fields: Mapping[str, Any],
    *,
    seen: Seen,
    once: IdempotencyKey | None = None,
) -> Item:
    """Write the fields, which were validated as a whole, and set the status to published."""
    complete = {**fields, **resource.fields_to_publish(fields), "status": PUBLISHED}
    return services.write(user, opened, complete, seen=seen, verb=services.PUBLISH, once=once)


def write_at_once(
    user: User,
    opened: Opened,
    fields: Mapping[str, Any],
    *,
    seen: Seen,
    once: IdempotencyKey | None = None,
) -> Item:
    """Write a change without a working copy, as programs do: readers see that of a live record at once.

    Changes that somebody keeps are not discarded, and a live record is not taken offline in passing.
    """
    resource = opened.resource
    if opened.copy is not None:
        raise HasUnpublishedChanges
    if not isinstance(resource, PublishedResource) or not resource.is_live(opened.record):
        return services.write(user, opened, fields, seen=seen, once=once)
    if resource.offline_until(opened.record, fields):
        raise Invalid(_("Unpublish it to set a later date."), field=resource.online_from)
    return publish(user, resource, opened, fields, seen=seen, once=once)


def change_status(
    user: User,
    resource: PublishedResource,
    record: Item,
    status: str,
    *,
    seen_version: int,
    copy: WorkingCopy | None = None,
) -> Item:
    """Unpublish, archive, or publish the record as it is; its working copy is kept."""
    fields = {"status": status}
    if status == PUBLISHED:
        stored = resource.form.initial_of(record)
        _refuse_incomplete(resource, stored)
        fields |= resource.fields_to_publish(stored)
    return change_and_rebase_copy(
        user, resource, record, fields, verb=VERBS[status], seen_version=seen_version, copy=copy
    )


def change_and_rebase_copy(
    user: User,
    resource: PublishedResource,
    record: Item,
    fields: Mapping[str, Any],
    *,
    verb: str,
    seen_version: int,
    copy: WorkingCopy | None,
) -> Item:
    """Write fields that are in no form. A working copy that was up to date is rebased on the new version."""
    resource.ensure(user, "update", record)
    transaction = Transaction()
    changed: Item = resource.repository.update(
        record, fields, actor=user.actor, verb=verb, seen_version=seen_version, transaction=transaction
    )
    if (
        copy is not None
        and copy.base_version == record.seen_version
        and changed.seen_version != record.seen_version
    ):
        # Unpublishing cancels a scheduled change, which would publish the record again.
        is_taken = fields.get("status", PUBLISHED) != PUBLISHED
        transaction.add(
            working_copies.rebase(
                copy, changed.seen_version, cancels_schedule=is_taken and copy.apply_at is not None
            )
        )
    transaction.commit()
    return changed


def _refuse_incomplete(resource: PublishedResource, stored: Mapping[str, Any]) -> None:
    for name, field in resource.form.base_fields.items():
        if field.required and stored[name] in field.empty_values:
            raise Invalid(_("Something readers need is missing. Open it to publish it."))


def as_edited(user: User, opened: Opened) -> Item:
    """The record with the values of its working copy, not stored; invalid values keep the record's own."""
    resource, record, typed = opened.resource, opened.record, opened.typed
    if typed is None:
        return cast(Item, record)
    form = opened.posted_form(as_posted(typed), None, user, is_draft=True)
    form.is_valid()
    form.cleaned_data = {**{name: form.initial.get(name) for name in form.fields}, **form.cleaned_data}
    fields = resource.prepare(user, record, form.cleaned_data)
    moment = now()
    if record is not None:
        return changeset.edited(cast(Item, record), changeset.differences(record, fields), moment)
    unsaved = resource.build(opened.key, fields)
    unsaved.created_at = unsaved.updated_at = moment
    return changeset.with_derived(type(unsaved), unsaved.serialize(null_check=False))
