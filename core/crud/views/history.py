"""The history of a record, its versions, and their restoration."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.crud import edit_session, services, toasts, verbs, versions
from core.crud.confirm_page import ConfirmPage
from core.crud.diff import Difference, differences
from core.crud.display import field_of, names_in, title_of, typed_values
from core.crud.edit_session import Opened, Seen
from core.crud.forms import as_posted
from core.crud.http import page_or_partial
from core.crud.resource import Resource
from core.dynamo import history as changes_of
from core.dynamo import trash
from core.dynamo.errors import Conflict, DataError, NotFound
from core.dynamo.history import HistoryEntry, TooOld
from core.dynamo.items import RawItem
from core.dynamo.paging import read_token

# Verbs after which there is no version to restore.
WITHOUT_VERSION = {"delete", "expire"}


@dataclass(frozen=True)
class HistoryLine:
    """One entry of the history for the template."""

    entry: HistoryEntry
    sentence: SafeString
    fields: str
    address: str
    restore_address: str


@dataclass(frozen=True)
class Subject:
    """The record of a history; of a deleted record its last image."""

    key: str
    record: Any
    is_deleted: bool


@require_safe
def history(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    subject = _subject(request.user, resource, key)
    bound_to = (request.user.sub, resource.entity, key, "history")
    start = read_token(request.GET.get("after"), *bound_to)
    page = changes_of.entries(resource.entity, key, start=start)
    token = page.next_token(*bound_to)
    here = resource.address("history", key)
    context = {
        **_common(resource, subject),
        "entries": [_line(resource, subject, entry, request.user) for entry in page.items],
        "next_address": f"{here}?{urlencode({'after': token})}" if token else "",
        "is_first_page": start is None,
        "here": here,
    }
    return page_or_partial(request, "core/crud/history.html", "more", context)


@require_safe
def version(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    """The changes of one entry, field by field."""
    subject = _subject(request.user, resource, key)
    current: RawItem | None = None if subject.is_deleted else subject.record.stored
    found = changes_of.before_and_after(resource.entity, key, request.GET.get("entry", ""), current)
    if found is None:
        raise NotFound
    entry, before, after = found
    user, is_known = request.user, after is not None
    context = {
        **_common(resource, subject),
        "line": _line(resource, subject, entry, user, is_known=is_known),
        "differences": (
            [] if after is None else _stored_differences(resource, subject, entry, before, after, user)
        ),
        "too_old": "" if is_known else TooOld.message,
    }
    return page_or_partial(request, "core/crud/version.html", "differences", context)


class RestoreVersion(ConfirmPage):
    """Confirm with the differences, then restore an earlier version."""

    template = "core/crud/restore_version.html"
    partial = ""
    # The record as it was; None if the version is too old to be rebuilt.
    earlier: Any = None

    def load(self) -> None:
        self.resource: Resource = self.kwargs["resource"]
        self.opened = edit_session.open_record(self.request.user, self.resource, self.kwargs["key"])
        services.ensure_may_write(self.request.user, self.opened)
        if self.opened.record is None:
            raise NotFound
        self.entry_id = self.request.GET.get("entry", "")
        with suppress(TooOld):
            self.earlier = versions.as_of(self.opened, self.entry_id)

    def save(self) -> None:
        if self.earlier is None:
            raise TooOld
        seen = Seen.posted(self.request.POST)
        self.left_out = versions.restore(self.request.user, self.opened, self.earlier, seen=seen)

    def shows_error(self, error: DataError) -> bool:
        return isinstance(error, Conflict)

    def refuse(self, error: DataError) -> HttpResponse:
        self.load()
        return super().refuse(error)

    def context(self) -> Mapping[str, Any]:
        resource, opened = self.resource, self.opened
        found: list[Difference] = []
        if self.earlier:
            now = resource.form.initial_of(opened.record)
            before = versions.values_as_of(opened, self.earlier)
            found = _differences(opened, now, before, self.request.user)
        return {
            **_common(resource, Subject(opened.key, opened.record, is_deleted=False)),
            "differences": found,
            "seen": Seen(opened.record.seen_version, int(opened.copy.version) if opened.copy else 0),
            "copy": opened.copy,
            "is_live": resource.is_live(opened.record),
            "restore_address": _at(resource, "restore_version", opened.key, self.entry_id),
            "as_of": versions.moment_of(self.entry_id, opened.record),
            "too_old": "" if self.earlier else _("This version is too old to restore."),
        }

    def message(self) -> str:
        if self.resource.is_live(self.opened.record):
            return _("Earlier version restored as a draft. Readers see it when you publish.")
        return _("Earlier version restored.")

    def done(self) -> HttpResponse:
        response = super().done()
        if self.left_out:
            titles = [str(title_of(self.resource.form.base_fields[name])) for name in self.left_out]
            text = _("These fields could not be restored: %(fields)s.")
            fields = get_text_list(titles, _("and"))
            toasts.add(self.request, text % {"fields": fields}, level=messages.WARNING)
        return response

    def success_url(self) -> str:
        return self.resource.record_address(self.opened.key)


@require_safe
def changes(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    """The differences between the published record and its working copy."""
    opened = edit_session.open_record(request.user, resource, key)
    if opened.record is None:
        raise NotFound
    before = resource.form.initial_of(opened.record)
    after = before
    if opened.typed is not None:
        form = resource.form(as_posted(opened.typed), initial=before, is_draft=True)
        typed = typed_values(form)
        after = before | {name: typed[name] for name in form.changed_data}
    context = {
        **_common(resource, Subject(key, opened.record, is_deleted=False)),
        "copy": opened.copy,
        "is_live": resource.is_live(opened.record),
        "differences": _differences(opened, before, after, request.user),
    }
    return render(request, "core/crud/changes.html", context)


def _subject(user: User, resource: Resource, key: str) -> Subject:
    """The record or, if it is deleted, its last image; NotFound unless the user may view it."""
    repository = resource.repository
    record = repository.get_many([key], strong=True).get(key)
    is_deleted = record is None
    if is_deleted and (trashed := trash.of_record(resource.entity, key)):
        record = repository.model.from_raw_data(trashed.record)
    if record is None or not resource.may(user, "view", record):
        raise NotFound
    return Subject(key, record, is_deleted=is_deleted)


def _common(resource: Resource, subject: Subject) -> dict[str, Any]:
    return {
        "resource": resource,
        "subject": subject,
        "label": resource.repository.label_of(subject.record) or _("Untitled"),
        "to": resource.record_addresses(subject.key),
    }


def _line(
    resource: Resource, subject: Subject, entry: HistoryEntry, user: User, *, is_known: bool = True
) -> HistoryLine:
    is_current = entry.at == subject.record.updated_at
    may_restore = (
        is_known
        and not is_current
        and not subject.is_deleted
        and entry.verb not in WITHOUT_VERSION
        and resource.may(user, "update", subject.record)
    )
    titles = [str(title_of(field)) for field in _fields(resource, entry).values()]
    return HistoryLine(
        entry=entry,
        sentence=verbs.sentence_of(entry),
        # These set or remove all fields, so they are not listed.
        fields="" if entry.verb in {"create", "delete", "expire", "restore"} else ", ".join(titles),
        address=_at(resource, "version", subject.key, entry.entry_id),
        restore_address=_at(resource, "restore_version", subject.key, entry.entry_id) if may_restore else "",
    )


def _at(resource: Resource, screen: str, key: str, entry_id: str) -> str:
    return f"{resource.address(screen, key)}?{urlencode({'entry': entry_id})}"


def _fields(resource: Resource, entry: HistoryEntry) -> dict[str, Any]:
    """The changed fields of an entry that are displayed, in the order of the form."""
    by_stored_name = {
        each.attr_name: name for name, each in resource.repository.model.get_attributes().items()
    }
    changed = [by_stored_name.get(stored_name, stored_name) for stored_name in entry.fields]
    in_order = [name for name in resource.form.base_fields if name in changed]
    others = [name for name in changed if name not in in_order]
    fields = {name: field_of(resource, name) for name in (*in_order, *others)}
    return {name: field for name, field in fields.items() if field is not None}


def _stored_differences(
    resource: Resource, subject: Subject, entry: HistoryEntry, before: RawItem, after: RawItem, user: User
) -> list[Difference]:
    hidden = resource.hidden(user, subject.record, entry)
    fields = {name: field for name, field in _fields(resource, entry).items() if name not in hidden}
    was, became = _values(resource, fields, before), _values(resource, fields, after)
    names = names_in([(fields[name], each[name]) for name in fields for each in (was, became)], user)
    return differences(fields, was, became, names)


def _values(resource: Resource, names: Iterable[str], stored: RawItem) -> dict[str, Any]:
    """The values of a stored image; a missing attribute is None rather than the model's default."""
    model = resource.repository.model
    record, attributes = model.from_raw_data(stored), model.get_attributes()
    return {
        name: getattr(record, name) if name in attributes and attributes[name].attr_name in stored else None
        for name in names
    }


def _differences(
    opened: Opened, before: dict[str, Any], after: dict[str, Any], user: User
) -> list[Difference]:
    concealed = opened.resource.concealed(user, opened.record)
    base_fields = opened.resource.form.base_fields
    fields = {name: field for name, field in base_fields.items() if name not in concealed}
    names = names_in([(fields[name], each[name]) for name in fields for each in (before, after)], user)
    return differences(fields, before, after, names)
