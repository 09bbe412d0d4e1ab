"""Views for records with a status: unpublish, archive, republish, unschedule and preview."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import reswap, retarget, trigger_client_event

from core.accounts.rights import SignedInRequest
from core.common.http import go
from core.content.status import ARCHIVED, DRAFT, PUBLISHED
from core.crud import conflicts, edit_session, scheduling, services, toasts
from core.crud.conflicts import Comparison
from core.crud.edit_session import Opened, Seen
from core.crud.forms import RecordForm, typed_in
from core.crud.publication import PublishedResource, as_edited, change_status
from core.crud.toasts import Undo
from core.crud.views.edit import SAVED
from core.dynamo.errors import Conflict, NotFound, Text
from core.dynamo.working_copies import WorkingCopy

DONE: dict[str, Text] = {
    DRAFT: gettext_lazy("Unpublished. Readers do not see it."),
    ARCHIVED: gettext_lazy("Archived. Readers do not see it."),
}
# The screen that sets a status; the undo of a change uses the one of the earlier status.
SCREENS = {DRAFT: "unpublish", PUBLISHED: "republish", ARCHIVED: "archive"}
PHONE = "phone"


@require_POST
def unpublish(request: SignedInRequest, resource: PublishedResource, key: str) -> HttpResponse:
    return _change(request, resource, key, DRAFT)


@require_POST
def archive(request: SignedInRequest, resource: PublishedResource, key: str) -> HttpResponse:
    return _change(request, resource, key, ARCHIVED)


@require_POST
def republish(request: SignedInRequest, resource: PublishedResource, key: str) -> HttpResponse:
    """Publish the record as it is; the target of "Undo"."""
    return _change(request, resource, key, PUBLISHED)


@require_POST
def unschedule(request: SignedInRequest, resource: PublishedResource, key: str) -> HttpResponse:
    """Cancel the schedule; the changes and the posted values stay in the working copy."""
    opened, seen = edit_session.open_record(request.user, resource, key), Seen.posted(request.POST)
    if opened.record is None:
        raise NotFound
    form = opened.posted_form(request.POST, request.FILES, request.user, is_draft=True)
    try:
        copy = _keep_typed(request, opened, form, seen)
        scheduling.cancel(request.user, Opened(resource, key, opened.record, copy))
        toasts.add(request, _("The schedule is cancelled. The changes are kept until you publish them."))
    except Conflict as error:
        toasts.add(request, error.message, level=messages.ERROR)
    return trigger_client_event(go(request, resource.record_address(key)), SAVED)


@require_safe
def preview(request: SignedInRequest, resource: PublishedResource, key: str) -> HttpResponse:
    """The public page of the record with its working copy, in the width of a desktop or a phone."""
    opened = edit_session.open_record(request.user, resource, key)
    template, context = resource.preview(request.user, as_edited(request.user, opened))
    chrome = {
        "resource": resource,
        "opened": opened,
        "record_address": resource.record_address(key),
        "is_phone": request.GET.get("width") == PHONE,
        "readers_template": template,
        "state": resource.state(opened.record) if opened.record else None,
        "public_address": resource.public_address(opened.record) if opened.record else "",
    }
    return render(request, "core/crud/preview.html", {**context, **chrome})


def _change(request: SignedInRequest, resource: PublishedResource, key: str, status: str) -> HttpResponse:
    opened, seen = edit_session.open_record(request.user, resource, key), Seen.posted(request.POST)
    record = opened.record
    if record is None:
        raise NotFound
    form = opened.posted_form(request.POST, request.FILES, request.user, is_draft=True)
    try:
        copy = _keep_typed(request, opened, form, seen)
        changed = change_status(request.user, resource, record, status, seen_version=seen.version, copy=copy)
    except Conflict as error:
        if typed_in(request.POST):
            page = conflicts.page(request, Comparison(request.user, opened, request.POST, seen))
            # The button is outside the form, which the page with both versions replaces.
            return retarget(reswap(page, "outerHTML"), "#record-form")
        toasts.add(request, error.message, level=messages.ERROR)
        return go(request, resource.record_address(key))
    if status == PUBLISHED:
        toasts.add(request, resource.told_published(changed))
    elif record.status != status:
        undo = Undo(resource.address(SCREENS[record.status], key), {"version": str(changed.seen_version)})
        toasts.add(request, DONE[status], undo=undo)
    return trigger_client_event(go(request, resource.record_address(key)), SAVED)


def _keep_typed(request: SignedInRequest, opened: Opened, form: RecordForm, seen: Seen) -> WorkingCopy | None:
    """Store the values that were posted with the button and are not in the working copy yet."""
    typed = typed_in(request.POST)
    if not typed or typed == opened.typed or not form.has_changed():
        return opened.copy
    return services.keep(request.user, opened, typed, label=opened.label, seen=seen)
