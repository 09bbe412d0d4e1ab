"""The form of one record: save, autosave to the working copy, publish, schedule and discard."""

from collections.abc import Mapping, Set
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event

from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.common.http import go, is_htmx
from core.crud import conflicts, edit_session, scheduling, services, toasts
from core.crud.edit_session import Opened, RecordDeleted, Seen
from core.crud.form_page import ActionPage, FormPage
from core.crud.forms import RecordForm, Typed, typed_in
from core.crud.http import prefetches
from core.crud.publication import PublishedResource, publish
from core.crud.resource import Resource
from core.crud.times import club_time
from core.crud.views import record_page
from core.dynamo import changeset
from core.dynamo.errors import AlreadyExists, Conflict, DataError, KeyReused, NotFound
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import Item
from core.dynamo.working_copies import WorkingCopy
from core.stores import idempotency

SAVE, PUBLISH, PREVIEW = "save", "publish", "preview"
# The two answers if publishing would take a record offline for some time.
SCHEDULE, TAKE_OFFLINE = "schedule", "take_offline"
PUBLISHING = {PUBLISH, SCHEDULE, TAKE_OFFLINE}
# The event that tells the page that all typed values are stored.
SAVED = "fieldhouse:saved"
# Suffix of the idempotency route for a save that is repeated by the server after a conflict.
AGAIN = "/again"


@require_safe
def new(request: SignedInRequest, resource: Resource) -> HttpResponse:
    opened = edit_session.new(resource)
    form = opened.form(request.user)
    form.focus_first_field()
    unsaved = edit_session.unsaved_of(request.user, resource)
    return record_page.show(request, opened, form, opened.seen, unsaved=unsaved)


@require_safe
def duplicate(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    """A new record that starts as a copy of another one; nothing is stored before it is saved."""
    original = resource.repository.get(key, strong=True)
    resource.ensure(request.user, "view", original)
    opened = edit_session.new(resource)
    form = resource.form(initial=resource.copied(original), is_draft=resource.has_copies)
    form.leave_out(resource.concealed(request.user, original))
    return record_page.show(request, opened, form, opened.seen)


@prefetches(edit_session.reads)
class RecordPage(FormPage[RecordForm]):
    """The page of a record. After a conflict the writer chooses field by field, and the editor stays open."""

    # Whether the server repeats the save, because the other change concerned no field of the form.
    is_repeated = False
    # The fields that take over the other version without asking.
    follows: Set[str] = frozenset()

    def load(self) -> None:
        self.resource: Resource = self.kwargs["resource"]
        self.key: str = self.kwargs["key"]
        posted, user = self.request.POST, self.request.user
        if self.request.method != "POST":
            self.opened = edit_session.open_record(user, self.resource, self.key)
            self.seen = self.opened.seen
            return
        self.seen, self.then = Seen.posted(posted), posted.get("then", SAVE)
        if not self.seen.version and edit_session.has_pass(user, self.resource, self.key, posted):
            # A new record needs no read: the conditional write is refused if the key exists.
            self.opened = Opened(self.resource, self.key)
        else:
            self._reopen(puts_back=conflicts.PUT_BACK in posted)
        services.ensure_may_write(user, self.opened)

    def _reopen(self, *, puts_back: bool = False) -> None:
        user, posted = self.request.user, self.request.POST
        try:
            self.opened = edit_session.open_to_save(user, self.resource, self.key, posted, self.seen)
        except RecordDeleted:
            if not puts_back:
                raise
            conflicts.put_back(user, self.resource, self.key)
            self._reopen()

    def blank_form(self) -> RecordForm:
        return self.opened.form(self.request.user)

    def bound_form(self) -> RecordForm:
        posted = conflicts.merged(self.request.POST, self.opened, self.seen, self.follows)
        is_draft = self.resource.has_copies and self.then not in PUBLISHING
        return self.opened.posted_form(posted, self.request.FILES, self.request.user, is_draft=is_draft)

    def post(self, _request: SignedInRequest, **parts: Any) -> HttpResponseBase:
        try:
            return super().post(_request, **parts)
        except RecordDeleted as error:
            return conflicts.deleted_page(self.request, self.resource, self.key, problem=error.problem)

    def shows_error(self, _error: DataError) -> bool:
        """Nothing typed is lost, not even while the store cannot be reached."""
        return True

    def refuse(self, error: DataError) -> HttpResponse:
        if isinstance(error, KeyReused) and idempotency.HEADER not in self.request.headers:
            # An earlier save of this form succeeded without a response: the new values are based on it.
            self.seen = Seen(error.answer["version"], 0, self.seen.form_id)
        elif error.field is not None or not isinstance(error, Conflict | AlreadyExists | NotFound):
            return super().refuse(error)
        self._reopen()
        services.ensure_may_write(self.request.user, self.opened)
        comparison = conflicts.Comparison(self.request.user, self.opened, self.request.POST, self.seen)
        if comparison.needs_choice or self.is_repeated:
            return conflicts.page(self.request, comparison)
        self.seen, self.follows, self.is_repeated = comparison.now_seen, comparison.follows, True
        return self.process()

    def show(self, status: int = 200) -> HttpResponse:
        opened = self.opened
        if self.request.method == "POST" and opened.record is None:
            # Saving a new record did not need its working copy.
            opened = edit_session.open_or_new(self.request.user, self.resource, self.key, self.request.POST)
        return record_page.show(self.request, opened, self.form, self.seen, status=status)

    @property
    def once(self) -> IdempotencyKey | None:
        payload = {
            "typed": typed_in(self.request.POST),
            "files": idempotency.files_of(self.request),
            "then": self.then,
        }
        # The route names the record, whichever of its URLs received the form.
        route = f"{self.resource.right('save')}/{self.key}{AGAIN if self.is_repeated else ''}"
        return idempotency.once(self.request, route=route, payload=payload)

    # --- The action of the pressed button ---

    def save(self) -> None:
        self.response = self._saved_response()

    def done(self) -> HttpResponse:
        return self._replayed() if self.is_replay else self.response

    def _saved_response(self) -> HttpResponse:
        resource, opened, then = self.resource, self.opened, self.then
        if resource.has_copies and then == PREVIEW:
            self._keep()
            return go(self.request, resource.address("preview", self.key))
        if isinstance(resource, PublishedResource) and then in (PUBLISH, SCHEDULE):
            fields = resource.prepare(self.request.user, opened.record, self.form.cleaned_data)
            if until := resource.offline_until(opened.record, fields):
                return self._ask_about_date(until) if then == PUBLISH else self._schedule(fields, until)
        if resource.is_live(opened.record) and then not in PUBLISHING:
            after = Opened(resource, self.key, opened.record, self._keep_for_later())
        else:
            after = Opened(resource, self.key, self._write())
        if self.is_repeated:
            # Redirect, because the form does not show the values merged from the other version.
            return go(self.request, self._address_after(after))
        return self._stay(after, replace(after.seen, form_id=self.seen.form_id))

    def _replayed(self) -> HttpResponse:
        """The response to a repeated request. A later change by others is a conflict of the next save."""
        try:
            opened = edit_session.open_record(self.request.user, self.resource, self.key)
        except NotFound as error:
            raise RecordDeleted from error
        toasts.add(self.request, _("Saved."))
        return self._stay(opened, Seen(self.answer["version"], 0, self.seen.form_id))

    def _ask_about_date(self, until: datetime) -> HttpResponse:
        """Ask whether to schedule or to take offline: a future date would take a published record offline."""
        copy = self._keep()
        kept = Opened(self.resource, self.key, self.opened.record, copy)
        context = record_page.context_of(self.request, kept, self.seen.with_copy(copy)) | {
            "typed": [(name, value) for name, values in _typed(self.form).items() for value in values],
            "until": club_time(until),
        }
        template = "core/crud/offline.html" + ("#question" if is_htmx(self.request) else "")
        response = render(self.request, template, context, status=Conflict.status_code)
        return trigger_client_event(response, SAVED)

    def _schedule(self, fields: Mapping[str, Any], at: datetime) -> HttpResponse:
        scheduling.schedule(
            self.request.user,
            self.opened,
            fields,
            _typed(self.form),
            at=at,
            label=_typed_label(self.opened, self.form),
            seen=self.seen,
            once=self.once,
        )
        toasts.add(self.request, _("The changes go live on %(when)s.") % {"when": club_time(at)})
        return go(self.request, self.resource.record_address(self.key))

    def _keep_for_later(self) -> WorkingCopy | None:
        if self.opened.record.seen_version != self.seen.version:
            raise Conflict(current=self.opened.record)
        copy = self._keep()
        if copy is None:
            text = _("No changes to save.")
        elif copy.is_edited_since:
            text = _("Draft saved. What is scheduled for %(when)s stays as it was.")
            text %= {"when": scheduling.scheduled_for(copy)}
        else:
            text = _("Draft saved. Readers see the changes when you publish.")
        toasts.add(self.request, text)
        return copy

    def _keep(self) -> WorkingCopy | None:
        return _keep(self.request.user, self.opened, self.form, self.seen)

    def _write(self) -> Item:
        resource, user, opened = self.resource, self.request.user, self.opened
        fields = resource.prepare(user, opened.record, self.form.cleaned_data)
        if isinstance(resource, PublishedResource) and self.then in PUBLISHING:
            written = publish(user, resource, opened, fields, seen=self.seen, once=self.once)
            toasts.add(self.request, resource.published_message(written))
        else:
            written = services.write(user, opened, fields, seen=self.seen, once=self.once)
            toasts.add(self.request, _("Saved."))
        return written

    def _stay(self, opened: Opened, now_seen: Seen) -> HttpResponse:
        """The response to a save: with HTMX only the parts that it changed, so that the caret stays."""
        address = self._address_after(opened)
        may_go_on = self.resource.may(self.request.user, "update", opened.record)
        is_answer = conflicts.is_answer(self.request.POST) or self.then in (SCHEDULE, TAKE_OFFLINE)
        if not is_htmx(self.request) or is_answer or not may_go_on:
            return go(self.request, address)
        context = record_page.context_of(self.request, opened, now_seen)
        response = render(self.request, "core/crud/record.html#saved", context)
        response["HX-Reswap"] = "none"
        response["HX-Replace-Url"] = address
        return trigger_client_event(response, SAVED)

    def _address_after(self, opened: Opened) -> str:
        """The URL after a save, with a toast if the user lost the right to update the record by it."""
        resource, user = self.resource, self.request.user
        if opened.record and not resource.may(user, "update", opened.record):
            toasts.add(self.request, _("You are no longer responsible for this, so you cannot edit it."))
            if not resource.may(user, "view", opened.record):
                return resource.address("list")
        return resource.record_address(self.key)


record = RecordPage.as_view()


@prefetches(edit_session.reads)
@require_POST
def autosave(request: SignedInRequest, resource: Resource, key: str) -> HttpResponseBase:
    """Store the typed values in the working copy; never overwrites a newer one of somebody else."""
    if not is_htmx(request):
        # Sent again from the resend page, after signing in.
        return record(request, resource=resource, key=key)
    seen = Seen.posted(request.POST)
    try:
        opened = edit_session.open_to_save(request.user, resource, key, request.POST, seen)
    except RecordDeleted as error:
        return _not_kept(request, Opened(resource, key), seen, error)
    form = opened.posted_form(request.POST, None, request.user, is_draft=True)
    try:
        copy = _keep(request.user, opened, form, seen)
    except (Conflict, NotFound) as error:
        return _not_kept(request, opened, seen, error)
    kept = Opened(resource, key, opened.record, copy)
    now_seen = seen.with_copy(copy)
    context = record_page.context_of(request, kept, now_seen) | {"once": request.POST.get("once", "")}
    response = render(request, "core/crud/record.html#autosaved", context)
    # A new record has a URL as soon as its working copy is stored, so that a reload finds it.
    response["HX-Replace-Url"] = resource.record_address(key)
    return trigger_client_event(response, SAVED)


def _not_kept(request: SignedInRequest, opened: Opened, seen: Seen, error: DataError) -> HttpResponse:
    """Show why the autosave was refused; the Save button then shows both versions."""
    by_myself = isinstance(error.current, WorkingCopy) and error.current.actor == request.user.sub
    problem = _("You changed this in another window.") if by_myself else str(error)
    context = record_page.context_of(request, opened, seen) | {"problem": problem}
    return render(request, "core/crud/record.html#not-kept", context, status=Conflict.status_code)


@prefetches(edit_session.reads)
class Discard(ActionPage):
    success_message = gettext_lazy("The changes were discarded.")

    def load(self) -> None:
        self.opened = edit_session.open_record(self.request.user, **self.kwargs)

    def save(self) -> None:
        services.discard(self.request.user, self.opened, seen=Seen.posted(self.request.POST))

    def success_url(self) -> str:
        resource: Resource = self.kwargs["resource"]
        return resource.record_address(self.opened.key) if self.opened.record else resource.list_address


def _keep(user: User, opened: Opened, form: RecordForm, seen: Seen) -> WorkingCopy | None:
    """Store the typed values as working copy; if they equal the record, delete the working copy instead.

    A working copy with a schedule is never deleted here.
    """
    has_schedule = opened.copy is not None and opened.copy.apply_at is not None
    if not has_schedule and _says_the_same(user, opened, form):
        if opened.copy is not None:
            services.discard(user, opened, seen=seen)
        return None
    return services.keep(user, opened, _typed(form), label=_typed_label(opened, form), seen=seen)


def _typed(form: RecordForm) -> Typed:
    """The posted values of the form's fields."""
    posted = typed_in(cast(QueryDict, form.data))
    return {name: values for name, values in posted.items() if form.knows(name)}


def _typed_label(opened: Opened, form: RecordForm) -> str:
    return str(form.data.get(opened.resource.repository.label, "")).strip()[:200]


def _says_the_same(user: User, opened: Opened, form: RecordForm) -> bool:
    if opened.record is None or not form.is_valid():
        return False
    services.ensure_may_write(user, opened)
    fields = opened.resource.prepare(user, opened.record, form.cleaned_data)
    return not changeset.differences(opened.record, fields)
