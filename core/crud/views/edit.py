"""The form of one record: save, autosave to the working copy, publish, schedule and discard."""

from collections.abc import Mapping, Set
from datetime import datetime
from typing import Any, cast

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import trigger_client_event

from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.common.http import go, is_htmx
from core.crud import conflicts, edit_session, scheduling, services, toasts
from core.crud.edit_session import Opened, Seen
from core.crud.forms import RecordForm, Typed, typed_in
from core.crud.http import reading
from core.crud.publication import PublishedResource, publish
from core.crud.resource import Resource
from core.crud.times import club_time
from core.crud.views import record_page
from core.dynamo import changeset
from core.dynamo.errors import AlreadyExists, Conflict, DataError, KeyReused, NotFound, Replayed
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


@reading(edit_session.reads)
@require_http_methods(["GET", "HEAD", "POST"])
def record(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    if request.method == "POST":
        return _save(request, resource, key)
    opened = edit_session.open_record(request.user, resource, key)
    return record_page.show(request, opened, opened.form(request.user), opened.seen)


@reading(edit_session.reads)
@require_POST
def autosave(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    """Store the typed values in the working copy; never overwrites a newer one of somebody else."""
    if not is_htmx(request):
        # Sent again from the resend page, after signing in.
        return _save(request, resource, key)
    seen = Seen.posted(request.POST)
    opened = _open_to_save(request, resource, key, seen)
    if opened is None:
        return _not_kept(request, Opened(resource, key), seen, _("This was deleted in the meantime."))
    form = opened.posted_form(request.POST, None, request.user, is_draft=True)
    try:
        copy = _keep(request.user, opened, form, seen)
    except (Conflict, NotFound) as error:
        by_myself = isinstance(error.current, WorkingCopy) and error.current.actor == request.user.sub
        problem = _("You changed this in another window.") if by_myself else str(error)
        return _not_kept(request, opened, seen, problem)
    kept = Opened(resource, key, opened.record, copy)
    now_seen = seen.with_copy(copy)
    context = record_page.context_of(request, kept, now_seen) | {"once": request.POST.get("once", "")}
    response = render(request, "core/crud/record.html#autosaved", context)
    # A new record has a URL as soon as its working copy is stored, so that a reload finds it.
    response["HX-Replace-Url"] = resource.record_address(key)
    return trigger_client_event(response, SAVED)


def _not_kept(request: SignedInRequest, opened: Opened, seen: Seen, problem: str) -> HttpResponse:
    """Show why the autosave was refused; the Save button then shows both versions."""
    context = record_page.context_of(request, opened, seen) | {"problem": problem}
    return render(request, "core/crud/record.html#not-kept", context, status=409)


@require_POST
def discard(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    opened = edit_session.open_record(request.user, resource, key)
    services.discard(request.user, opened, seen=Seen.posted(request.POST))
    toasts.add(request, _("The changes were discarded."))
    return go(request, resource.record_address(key) if opened.record else resource.address("list"))


def _save(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    seen = Seen.posted(request.POST)
    if not seen.version and edit_session.has_pass(request.user, resource, key, request.POST):
        # A new record needs no read: the conditional write is refused if the key exists.
        return _attempt(request, Opened(resource, key), seen)
    opened = _open_to_save(request, resource, key, seen)
    if opened is None and conflicts.PUT_BACK in request.POST:
        try:
            conflicts.put_back(request.user, resource, key)
        except DataError as error:
            return conflicts.deleted_page(request, resource, key, problem=error)
        opened = _open_to_save(request, resource, key, seen)
    if opened is None:
        return conflicts.deleted_page(request, resource, key)
    return _attempt(request, opened, seen)


def _open_to_save(request: SignedInRequest, resource: Resource, key: str, seen: Seen) -> Opened | None:
    """The record to save; None if it was deleted since the form was loaded."""
    try:
        opened = edit_session.open_or_new(request.user, resource, key, request.POST)
    except NotFound:
        if not seen.version:
            raise
        return None
    return None if opened.record is None and seen.version else opened


def _attempt(
    request: SignedInRequest,
    opened: Opened,
    seen: Seen,
    *,
    follows: Set[str] = frozenset(),
    is_repeated: bool = False,
) -> HttpResponse:
    resource, key, then = opened.resource, opened.key, request.POST.get("then", SAVE)
    services.ensure_may_write(request.user, opened)
    posted = conflicts.merged(request.POST, opened, seen, follows)
    form = opened.posted_form(
        posted, request.FILES, request.user, is_draft=resource.has_copies and then not in PUBLISHING
    )
    if form.wants_help():
        return record_page.show(request, _with_copy(request, opened), form, seen)
    if not form.is_valid():
        form.focus_first_error()
        return record_page.show(request, _with_copy(request, opened), form, seen, status=422)
    try:
        return _done(request, opened, form, seen, then, is_repeated=is_repeated)
    except Replayed as earlier:
        return _done_before(request, resource, key, Seen(earlier.answer["version"], 0, seen.form_id))
    except KeyReused as earlier:
        if idempotency.HEADER in request.headers:
            return _refused(request, opened, form, seen, earlier)
        # An earlier save of this form succeeded without a response; the new values are based on its version.
        own = Seen(earlier.answer["version"], 0, seen.form_id)
        return _met_another(request, resource, key, own, is_repeated=is_repeated)
    except DataError as error:
        if error.field is None and isinstance(error, Conflict | AlreadyExists | NotFound):
            return _met_another(request, resource, key, seen, is_repeated=is_repeated)
        return _refused(request, opened, form, seen, error)


def _met_another(
    request: SignedInRequest, resource: Resource, key: str, seen: Seen, *, is_repeated: bool
) -> HttpResponse:
    """Show both versions; if the other change concerns no field of the form, save again instead."""
    opened = _open_to_save(request, resource, key, seen)
    if opened is None:
        return conflicts.deleted_page(request, resource, key)
    services.ensure_may_write(request.user, opened)
    comparison = conflicts.Comparison(request.user, opened, request.POST, seen)
    if comparison.needs_choice or is_repeated:
        return conflicts.page(request, comparison)
    return _attempt(request, opened, comparison.now_seen, follows=comparison.follows, is_repeated=True)


def _done_before(request: SignedInRequest, resource: Resource, key: str, seen: Seen) -> HttpResponse:
    """The response to a repeated request. A later change by others is a conflict of the next save."""
    try:
        opened = edit_session.open_record(request.user, resource, key)
    except NotFound:
        return conflicts.deleted_page(request, resource, key)
    toasts.add(request, _("Saved."))
    return _saved(request, opened, seen)


def _done(
    request: SignedInRequest, opened: Opened, form: RecordForm, seen: Seen, then: str, *, is_repeated: bool
) -> HttpResponse:
    """Run the action of the pressed button on the valid form."""
    resource, user = opened.resource, request.user
    if resource.has_copies and then == PREVIEW:
        _keep(user, opened, form, seen)
        return go(request, resource.address("preview", opened.key))
    if isinstance(resource, PublishedResource) and then in (PUBLISH, SCHEDULE):
        fields = resource.prepare(user, opened.record, form.cleaned_data)
        until = resource.offline_until(opened.record, fields)
        if until and then == PUBLISH:
            return _ask_about_date(request, opened, form, seen, until)
        if until:
            return _schedule(request, opened, form, seen, fields, until, is_repeated)
    if resource.is_live(opened.record) and then not in PUBLISHING:
        after = Opened(resource, opened.key, opened.record, _keep_for_later(request, opened, form, seen))
    else:
        after = Opened(resource, opened.key, _write(request, opened, form, seen, then, is_repeated))
    if is_repeated:
        # Redirect, because the form does not show the values merged from the other version.
        return go(request, _address_after(request, after))
    return _saved(request, after, Seen(after.seen.version, after.seen.copy_version, seen.form_id))


def _ask_about_date(
    request: SignedInRequest, opened: Opened, form: RecordForm, seen: Seen, until: datetime
) -> HttpResponse:
    """Ask whether to schedule or to take offline: a future date would take a published record offline."""
    copy = _keep(request.user, opened, form, seen)
    kept = Opened(opened.resource, opened.key, opened.record, copy)
    context = record_page.context_of(request, kept, seen.with_copy(copy)) | {
        "typed": [(name, value) for name, values in _typed(form).items() for value in values],
        "until": club_time(until),
    }
    template = "core/crud/offline.html" + ("#question" if is_htmx(request) else "")
    return trigger_client_event(render(request, template, context, status=409), SAVED)


def _schedule(
    request: SignedInRequest,
    opened: Opened,
    form: RecordForm,
    seen: Seen,
    fields: Mapping[str, Any],
    at: datetime,
    is_repeated: bool,
) -> HttpResponse:
    scheduling.schedule(
        request.user,
        opened,
        fields,
        _typed(form),
        at=at,
        label=_typed_label(opened.resource, cast(QueryDict, form.data)),
        seen=seen,
        once=_once(request, opened.resource, opened.key, is_repeated),
    )
    toasts.add(request, _("Readers see the changes from %(when)s.") % {"when": club_time(at)})
    return go(request, opened.resource.record_address(opened.key))


def _keep_for_later(
    request: SignedInRequest, opened: Opened, form: RecordForm, seen: Seen
) -> WorkingCopy | None:
    if opened.record.seen_version != seen.version:
        raise Conflict(current=opened.record)
    copy = _keep(request.user, opened, form, seen)
    if copy is None:
        toasts.add(request, _("There is nothing to keep: nothing was changed."))
    elif copy.is_edited_since:
        told = _("Your changes are kept. What is scheduled for %(when)s stays as it was.")
        toasts.add(request, told % {"when": scheduling.scheduled_for(copy)})
    else:
        toasts.add(request, _("Your changes are kept. Readers see them as soon as you publish."))
    return copy


def _write(
    request: SignedInRequest, opened: Opened, form: RecordForm, seen: Seen, then: str, is_repeated: bool
) -> Item:
    resource, user = opened.resource, request.user
    fields = resource.prepare(user, opened.record, form.cleaned_data)
    once = _once(request, resource, opened.key, is_repeated)
    if isinstance(resource, PublishedResource) and then in PUBLISHING:
        written = publish(user, resource, opened, fields, seen=seen, once=once)
        toasts.add(request, resource.told_published(written))
        return written
    written = services.write(user, opened, fields, seen=seen, once=once)
    toasts.add(request, _("Saved."))
    return written


def _keep(user: User, opened: Opened, form: RecordForm, seen: Seen) -> WorkingCopy | None:
    """Store the typed values as working copy; if they equal the record, delete the working copy instead.

    A working copy with a schedule is never deleted here.
    """
    has_schedule = opened.copy is not None and opened.copy.apply_at is not None
    if not has_schedule and _says_the_same(user, opened, form):
        if opened.copy is not None:
            services.discard(user, opened, seen=seen)
        return None
    label = _typed_label(opened.resource, cast(QueryDict, form.data))
    return services.keep(user, opened, _typed(form), label=label, seen=seen)


def _typed(form: RecordForm) -> Typed:
    """The posted values of the form's fields."""
    posted = typed_in(cast(QueryDict, form.data))
    return {name: values for name, values in posted.items() if form.knows(name)}


def _says_the_same(user: User, opened: Opened, form: RecordForm) -> bool:
    if opened.record is None or not form.is_valid():
        return False
    services.ensure_may_write(user, opened)
    fields = opened.resource.prepare(user, opened.record, form.cleaned_data)
    return not changeset.differences(opened.record, fields)


def _once(request: SignedInRequest, resource: Resource, key: str, is_repeated: bool) -> IdempotencyKey | None:
    payload = {
        "typed": typed_in(request.POST),
        "files": idempotency.files_of(request),
        "then": request.POST.get("then", SAVE),
    }
    # The route names the record, whichever of its URLs received the form.
    route = f"{resource.right('save')}/{key}{AGAIN if is_repeated else ''}"
    return idempotency.once(request, route=route, payload=payload)


def _saved(request: SignedInRequest, opened: Opened, now_seen: Seen) -> HttpResponse:
    """The response to a save: with HTMX only the parts that it changed, so that the caret stays."""
    address = _address_after(request, opened)
    may_go_on = opened.resource.may(request.user, "update", opened.record)
    is_answer = conflicts.is_answer(request.POST) or request.POST.get("then") in (SCHEDULE, TAKE_OFFLINE)
    if not is_htmx(request) or is_answer or not may_go_on:
        return go(request, address)
    context = record_page.context_of(request, opened, now_seen)
    response = render(request, "core/crud/record.html#saved", context)
    response["HX-Reswap"] = "none"
    response["HX-Replace-Url"] = address
    return trigger_client_event(response, SAVED)


def _address_after(request: SignedInRequest, opened: Opened) -> str:
    """The URL after a save, with a toast if the user lost the right to update the record by it."""
    resource, user = opened.resource, request.user
    if opened.record and not resource.may(user, "update", opened.record):
        toasts.add(request, _("It is in other hands now: you can no longer change it."))
        if not resource.may(user, "view", opened.record):
            return resource.address("list")
    return resource.record_address(opened.key)


def _refused(
    request: SignedInRequest, opened: Opened, form: RecordForm, seen: Seen, error: DataError
) -> HttpResponse:
    """Show the form again with all typed values and the reason of the refusal."""
    form.add_refusal(error)
    form.focus_first_error()
    return record_page.show(request, _with_copy(request, opened), form, seen, status=form.status_of(error))


def _with_copy(request: SignedInRequest, opened: Opened) -> Opened:
    """Read the working copy for a form that is shown again; saving a new record does not need it."""
    if opened.record is not None:
        return opened
    return edit_session.open_or_new(request.user, opened.resource, opened.key, request.POST)


def _typed_label(resource: Resource, data: QueryDict) -> str:
    return data.get(resource.repository.label, "").strip()[:200]
