"""Creates a record in a dialog over another record's form, whose picker then selects it."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from django_htmx.http import trigger_client_event

from core.crud import edit_session, services
from core.crud.edit_session import Opened, Seen
from core.crud.form_page import FormPage
from core.crud.forms import RecordForm, typed_in
from core.crud.listing import searched
from core.crud.picker_labels import load_labels
from core.crud.resource import Resource
from core.dynamo.errors import KeyReused
from core.dynamo.idempotency import IdempotencyKey

CREATED = "record-created"


class Create(FormPage[RecordForm]):
    """The form in the dialog. A record with a status becomes a draft, which needs few fields."""

    template = "core/crud/dialog.html"

    def load(self) -> None:
        self.resource: Resource = self.kwargs["resource"]
        key, user = self.request.POST.get("key", ""), self.request.user
        is_own = edit_session.has_pass(user, self.resource, key, self.request.POST)
        self.opened = Opened(self.resource, key) if is_own else edit_session.new(self.resource)

    def blank_form(self) -> RecordForm:
        form = self._with_own_ids(self.opened.form(self.request.user))
        form.initial[self.resource.repository.label] = searched(self.request.GET.get("label", ""))
        return form

    def bound_form(self) -> RecordForm:
        posted, files, user = self.request.POST, self.request.FILES, self.request.user
        form = self.opened.posted_form(posted, files, user, is_draft=self.resource.has_copies)
        return self._with_own_ids(form)

    def _with_own_ids(self, form: RecordForm) -> RecordForm:
        """The form beneath the dialog may have fields with the same names."""
        form.auto_id = f"new_{self.resource.entity}_%s"
        return form

    @property
    def once(self) -> IdempotencyKey:
        """The key of the new record: sent again, the form finds the record that it has created."""
        route, typed = self.resource.right("create"), typed_in(self.request.POST)
        return IdempotencyKey(sub=self.request.user.sub, route=route, key=self.opened.key, payload=typed)

    def save(self) -> None:
        user = self.request.user
        fields = self.resource.prepare(user, None, self.form.cleaned_data)
        try:
            self.record = services.write(user, self.opened, fields, seen=Seen(), once=self.once)
        except KeyReused as error:
            error.message = _("It has already been created. Close the dialog and choose it from the list.")
            raise

    def show(self, status: int = 200) -> HttpResponse:
        load_labels(self.form, self.request.user)
        return super().show(status)

    def context(self) -> Mapping[str, Any]:
        new_pass = edit_session.pass_for(self.request.user, self.resource, self.opened.key)
        return {"resource": self.resource, "key": self.opened.key, "new_pass": new_pass}

    def done(self) -> HttpResponse:
        """An empty response with an event for the picker, which selects the record and closes the dialog."""
        repository = self.resource.repository
        record = repository.get(self.opened.key, strong=True) if self.is_replay else self.record
        detail = {"key": self.opened.key, "label": repository.label_of(record)}
        return trigger_client_event(HttpResponse(status=204), CREATED, detail)
