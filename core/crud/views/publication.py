"""Views for records with a status: unpublish, archive, republish, unschedule and preview."""

from typing import ClassVar

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe
from django_htmx.http import reswap, retarget, trigger_client_event

from core.accounts.rights import SignedInRequest
from core.common.http import go
from core.content.status import ARCHIVED, DRAFT, PUBLISHED
from core.crud import conflicts, edit_session, scheduling, services, toasts
from core.crud.conflicts import Comparison
from core.crud.edit_session import Opened, Seen
from core.crud.form_page import ActionPage
from core.crud.forms import typed_in
from core.crud.publication import PublishedResource, as_edited, change_status
from core.crud.toasts import Undo
from core.crud.views.edit import SAVED
from core.dynamo.errors import Conflict, DataError, NotFound, Text
from core.dynamo.working_copies import WorkingCopy

DONE: dict[str, Text] = {
    DRAFT: gettext_lazy("Unpublished. It is no longer on the website."),
    ARCHIVED: gettext_lazy("Archived. It is no longer on the website."),
}
# The screen that sets a status; the undo of a change uses the one of the earlier status.
SCREENS = {DRAFT: "unpublish", PUBLISHED: "republish", ARCHIVED: "archive"}
PHONE = "phone"


class ChangeStatus(ActionPage):
    """Unpublish, archive or, as the undo of these, publish the record as it is."""

    toast_errors = (Conflict,)
    status: ClassVar[str]

    def load(self) -> None:
        self.resource: PublishedResource = self.kwargs["resource"]
        self.opened = edit_session.open_record(self.request.user, self.resource, self.kwargs["key"])
        if self.opened.record is None:
            raise NotFound
        self.seen = Seen.posted(self.request.POST)

    def save(self) -> None:
        user, version, copy = self.request.user, self.seen.version, self.keep_typed()
        self.changed = change_status(
            user, self.resource, self.opened.record, self.status, seen_version=version, copy=copy
        )

    def keep_typed(self) -> WorkingCopy | None:
        """Store the values that were posted with the button and are not in the working copy yet."""
        posted, user, opened = self.request.POST, self.request.user, self.opened
        form = opened.posted_form(posted, self.request.FILES, user, is_draft=True)
        typed = typed_in(posted)
        if not typed or typed == opened.typed or not form.has_changed():
            return opened.copy
        return services.keep(user, opened, typed, label=opened.label, seen=self.seen)

    def refuse(self, error: DataError) -> HttpResponse:
        if typed_in(self.request.POST):
            comparison = Comparison(self.request.user, self.opened, self.request.POST, self.seen)
            # The button is outside the form, which the page with both versions replaces.
            return retarget(reswap(conflicts.page(self.request, comparison), "outerHTML"), "#record-form")
        return super().refuse(error)

    def done(self) -> HttpResponse:
        before = self.opened.record.status
        if self.status == PUBLISHED:
            toasts.add(self.request, self.resource.published_message(self.changed))
        elif before != self.status:
            address = self.resource.address(SCREENS[before], self.opened.key)
            undo = Undo(address, {"version": str(self.changed.seen_version)})
            toasts.add(self.request, DONE[self.status], undo=undo)
        return trigger_client_event(go(self.request, self.success_url()), SAVED)

    def success_url(self) -> str:
        return self.resource.record_address(self.opened.key)


class Unpublish(ChangeStatus):
    status = DRAFT


class Archive(ChangeStatus):
    status = ARCHIVED


class Republish(ChangeStatus):
    status = PUBLISHED


class Unschedule(ChangeStatus):
    """Cancel the schedule; the changes and the posted values stay in the working copy."""

    def save(self) -> None:
        kept = Opened(self.resource, self.opened.key, self.opened.record, self.keep_typed())
        scheduling.cancel(self.request.user, kept)

    def refuse(self, error: DataError) -> HttpResponse:
        return trigger_client_event(ActionPage.refuse(self, error), SAVED)

    def done(self) -> HttpResponse:
        toasts.add(self.request, _("Schedule cancelled. Your changes are saved as a draft."))
        return trigger_client_event(go(self.request, self.success_url()), SAVED)


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
