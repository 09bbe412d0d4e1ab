"""Earlier versions of a record, built from its history, and their restoration."""

from collections.abc import Set
from datetime import datetime
from typing import Any, cast

from django.http import QueryDict

from core.accounts.user import User
from core.crud import services
from core.crud.edit_session import Opened, Seen
from core.crud.forms import RecordForm, as_posted, typed_in
from core.crud.pristine import pristine_values
from core.crud.publication import PublishedResource
from core.dynamo import history
from core.dynamo.attributes import from_iso
from core.dynamo.errors import DataError, Invalid, NotFound
from core.dynamo.items import Item

# Restoring a version never changes status, URL and dates of publication.
STAYS = {"status", "slug", "published_date", "publish_at"}


def as_of(opened: Opened, entry_id: str) -> Any:
    """The record after one entry of its history."""
    repository = opened.resource.repository
    state = history.state_after(repository.entity, opened.key, entry_id, opened.record.stored)
    if state is None:
        raise NotFound
    return repository.model.from_raw_data(state)


def moment_of(entry_id: str, record: Item | None = None) -> datetime:
    """The time of an entry, with which its id begins unless it is the creation of the record."""
    if record is not None and record.created_at and entry_id == history.CREATION:
        return record.created_at
    return from_iso(entry_id.partition("#")[0])


def values_as_of(opened: Opened, earlier: Any, *, except_for: Set[str] = frozenset()) -> dict[str, Any]:
    """The form's values with an earlier version restored, except for some fields."""
    form = opened.resource.form
    values, now = form.initial_of(earlier), form.initial_of(opened.record)
    return values | {name: now[name] for name in values if name in STAYS | except_for}


def restore(user: User, opened: Opened, earlier: Any, *, seen: Seen) -> list[str]:
    """Restore the form's fields of an earlier version; returns the names of fields that are no longer valid.

    For a public record they go to its working copy, which replaces an existing one only if it was seen.
    """
    left_out: set[str] = set()
    while True:
        form = _form(user, opened, earlier, left_out)
        refused = set() if form.is_valid() else {name for name in form.errors if name in form.fields}
        if not form.is_valid() and not refused - left_out:
            raise Invalid
        if not refused:
            try:
                _write(user, opened, form, seen)
                return [name for name in form.fields if name in left_out]
            except DataError as error:
                if error.field not in form.fields or error.field in left_out:
                    raise
                refused = {str(error.field)}
        left_out |= refused


def _form(user: User, opened: Opened, earlier: Any, left_out: Set[str]) -> RecordForm:
    """A bound form with the earlier values, which validates them by today's rules."""
    resource = opened.resource
    values = values_as_of(opened, earlier, except_for=left_out)
    typed = pristine_values(resource.form(initial=values))
    return opened.posted_form(as_posted(typed), None, user, is_draft=resource.has_copies)


def _write(user: User, opened: Opened, form: RecordForm, seen: Seen) -> None:
    resource = opened.resource
    if isinstance(resource, PublishedResource) and resource.is_live(opened.record):
        label = str(form.cleaned_data.get(resource.repository.label) or "")
        services.keep(user, opened, typed_in(cast(QueryDict, form.data)), label=label, seen=seen)
        return
    fields = resource.prepare(user, opened.record, form.cleaned_data)
    changed = {name: value for name, value in fields.items() if name not in STAYS}
    services.write(user, opened, changed, seen=seen, verb="restore_version")
