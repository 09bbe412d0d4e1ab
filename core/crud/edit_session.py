"""A record as it is opened for editing: the stored record and its working copy."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.signing import Signer
from django.http import HttpRequest, QueryDict
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.common.http import small_number
from core.crud.forms import RecordForm, Typed, as_posted
from core.crud.resource import Resource
from core.dynamo import trash, working_copies
from core.dynamo.errors import Conflict, DataError, NotFound
from core.dynamo.items import new_id
from core.dynamo.paging import MOST
from core.dynamo.prefetch import Wanted
from core.dynamo.working_copies import WorkingCopy

# The first page lists them all.
MOST_OFFERED = 3
_passes = Signer(salt="crud.opening")


class RecordDeleted(Conflict):
    """The record of a form was deleted since; `problem` says why it could not be put back."""

    message = _("This has been deleted in the meantime.")

    def __init__(self, problem: DataError | None = None) -> None:
        super().__init__()
        self.problem = problem


@dataclass(frozen=True)
class Seen:
    """The versions that a form was made from, for optimistic locking."""

    version: int = 0
    copy_version: int = 0
    # Identifies one page in one browser tab, whose own saves are no conflict.
    form_id: str = ""

    @classmethod
    def posted(cls, data: QueryDict) -> "Seen":
        version, copy_version = (small_number(data.get(name, "")) for name in ("version", "copy_version"))
        return cls(version, copy_version, data.get("form_id", "")[:64])

    def with_copy(self, copy: WorkingCopy | None) -> "Seen":
        """The versions after the form itself has saved or removed a working copy."""
        return Seen(self.version, int(copy.version) if copy else 0, self.form_id)


@dataclass(frozen=True)
class UnsavedRecord:
    """A new record that was begun and never saved."""

    title: str
    at: datetime
    address: str


@dataclass(frozen=True)
class Opened:
    """`record` is None for a new one, which may have a working copy."""

    resource: Resource
    key: str
    record: Any = None
    copy: WorkingCopy | None = None

    @property
    def label(self) -> str:
        return self.resource.repository.label_of(self.record) if self.record else ""

    @property
    def seen(self) -> Seen:
        """The versions for a form of this, with a new form id."""
        version = self.record.seen_version if self.record else 0
        if self.copy is None:
            return Seen(version, 0, new_id())
        return Seen(self.copy.base_version, int(self.copy.version), new_id())

    @property
    def typed(self) -> Typed | None:
        return self.copy.values["typed"] if self.copy else None

    def form(self, user: User) -> RecordForm:
        """The form with the working copy if there is one, else with the record."""
        typed = as_posted(self.typed) if self.typed else None
        form = self.posted_form(typed, None, user, is_draft=self.resource.has_copies)
        if typed:
            form.show_as_typed()
        return form

    def posted_form(self, data: QueryDict | None, files: Any, user: User, *, is_draft: bool) -> RecordForm:
        resource = self.resource
        initial = resource.form.initial_of(self.record) if self.record else resource.initial(user)
        form = resource.form(data, files, initial=initial, is_draft=is_draft)
        form.chooser = user
        resource.restrict(form, user)
        form.leave_out(resource.concealed(user, self.record))
        return form


def new(resource: Resource) -> Opened:
    return Opened(resource, resource.new_key())


def unsaved_of(user: User, resource: Resource) -> list[UnsavedRecord]:
    """Working copies of new records that the person has never saved, the newest first."""
    if not resource.has_copies:
        return []
    begun = [
        UnsavedRecord(copy.label, copy.at, resource.record_address(copy.key))
        for copy in working_copies.last_edited_by(user.sub, limit=MOST).items
        if copy.entity == resource.entity and copy.is_of_new
    ]
    return begun[:MOST_OFFERED]


def open_record(user: User, resource: Resource, key: str) -> Opened:
    """Record and working copy by one strong BatchGet. Only its author sees the copy of a new record."""
    records, copies = working_copies.records_and_copies(
        resource.repository, [key], have_copies=resource.has_copies
    )
    record, copy = records.get(key), copies.get(key)
    may_see = resource.may(user, "view", record) if record is not None else _is_own_new(user, copy)
    if not may_see:
        raise NotFound
    return Opened(resource, key, record, copy)


def open_or_new(user: User, resource: Resource, key: str, data: QueryDict) -> Opened:
    """`open_record`, or a new record if nothing is stored and the form has the pass for this key."""
    try:
        return open_record(user, resource, key)
    except NotFound:
        if not has_pass(user, resource, key, data):
            raise
        return Opened(resource, key)


def open_to_save(user: User, resource: Resource, key: str, data: QueryDict, seen: Seen) -> Opened:
    """`open_or_new` for a form; raises RecordDeleted if the record was deleted since the form was made."""
    try:
        opened = open_or_new(user, resource, key, data)
    except NotFound as error:
        # A record of another program may have had no version: then the trash says whether it was deleted.
        if not seen.version and ("new" in data or trash.of_record(resource.entity, key) is None):
            raise
        raise RecordDeleted from error
    if opened.record is None and seen.version:
        raise RecordDeleted
    return opened


def pass_for(user: User, resource: Resource, key: str) -> str:
    """A signature that lets this person create a record under this key, which the server made."""
    return _passes.signature(repr((user.sub, resource.entity, key)))


def has_pass(user: User, resource: Resource, key: str, data: QueryDict) -> bool:
    """Whether the form has the pass; without one, a deleted record's key and history could be taken over."""
    given = data.get("new", "")
    return bool(given) and constant_time_compare(given, pass_for(user, resource, key))


def reads(request: HttpRequest, resource: Resource, key: str) -> list[Wanted]:
    """What the page of a record reads first, for `@prefetches`; nothing for a new record."""
    if "new" in request.POST:
        return []
    return working_copies.keys_of(resource.repository, key, have_copies=resource.has_copies)


def _is_own_new(user: User, copy: WorkingCopy | None) -> bool:
    """A copy of a record that was never saved; one that outlived its deleted record is not shown."""
    return copy is not None and copy.is_of_new and copy.actor == user.sub
