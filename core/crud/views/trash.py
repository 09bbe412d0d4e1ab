"""The trash: records deleted in the last 30 days, and their restoration."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.common.http import go, is_htmx
from core.crud import services, toasts
from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.crud.http import page_or_partial
from core.crud.registry import resource_for
from core.crud.resource import Resource
from core.dynamo import history, trash
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, DataError, NotFound
from core.dynamo.items import Item
from core.dynamo.paging import read_token
from core.dynamo.registry import RecordRef
from core.dynamo.trash import KEPT_FOR, TrashedItem

LIMIT = 25
# The number of dropped references that a toast names: it has to fit into a cookie.
MOST_NAMED = 3


@dataclass(frozen=True)
class TrashRow:
    trash_id: str
    label: str
    who: str
    at: datetime
    until: datetime


@require_safe
def index(request: SignedInRequest, resource: Resource) -> HttpResponse:
    bound_to = (request.user.sub, resource.entity, "trash")
    start = read_token(request.GET.get("after"), *bound_to)
    page = trash.page(resource.entity, limit=LIMIT, start=start)
    token = page.next_token(*bound_to)
    context = {
        "resource": resource,
        "rows": list(_restorable(request.user, resource, page.items)),
        "days": KEPT_FOR.days,
        "next_address": "?" + urlencode({"after": token}) if token else "",
        "is_first_page": start is None,
    }
    return page_or_partial(request, "core/crud/trash.html", "more", context | _addresses(resource))


class Restore(FormPage[RefusableForm]):
    """Restore by `id`, a row of the trash, or by `key` from an "Undo", which means the newest image."""

    template = "core/crud/restore.html"

    def load(self) -> None:
        self.resource: Resource = self.kwargs["resource"]
        given = self.request.POST if self.request.method == "POST" else self.request.GET
        self.trashed = _find(self.resource, trash_id=given.get("id", ""), key=given.get("key", ""))
        self.deleted = self.resource.repository.model.from_raw_data(self.trashed.record)
        self.resource.ensure(self.request.user, "delete", self.deleted)
        self.taken = given.get("taken", "")

    def blank_form(self) -> RefusableForm:
        return _form(self.resource, self.deleted, self.taken, None)

    def bound_form(self) -> RefusableForm:
        return _form(self.resource, self.deleted, self.taken, self.request.POST)

    def save(self) -> None:
        """Restore with the chosen unique value; without one with a value as for a new record."""
        user, resource, form = self.request.user, self.resource, self.form
        if all(form.cleaned_data.values()):
            self._restore(form.cleaned_data)
            return
        whole = resource.form.initial_of(self.deleted) | form.cleaned_data
        fields: Mapping[str, Any] = resource.prepare(user, None, whole)
        try:
            self._restore(fields)
        except AlreadyExists as refused:
            replacement = resource.on_duplicate(fields, refused)
            if replacement is None:
                raise
            self._restore(replacement)

    def _restore(self, fields: Mapping[str, Any]) -> None:
        chosen = {name: fields[name] for name in self.form.fields}
        self.restored = services.restore(
            self.request.user, self.resource, self.trashed.trash_id, fields=chosen
        )

    def shows_error(self, error: DataError) -> bool:
        return isinstance(error, AlreadyExists) and error.field in self.resource.form.base_fields

    def refuse(self, error: DataError) -> HttpResponse:
        if error.field in self.form.fields:
            return super().refuse(error)
        question = urlencode({"id": self.trashed.trash_id, "taken": error.field})
        return go(self.request, f"{self.resource.address('restore')}?{question}")

    def context(self) -> Mapping[str, Any]:
        return _addresses(self.resource) | {
            "resource": self.resource,
            "trash_id": self.trashed.trash_id,
            "label": self.trashed.label or _("Untitled"),
            "taken": next(iter(self.form.fields), ""),
        }

    def done(self) -> HttpResponse:
        resource, record = self.resource, self.restored.record
        key, label = resource.repository.key_of(record), resource.repository.label_of(record) or _("Untitled")
        left_out = _named(self.restored.left_out)
        if is_htmx(self.request):
            address = resource.record_address(key)
            context = {"label": label, "key": key, "address": address, "left_out": left_out}
            return render(self.request, "core/crud/trash.html#restored", context)
        if left_out:
            text = _("“%(label)s” was restored without: %(what)s.") % {"label": label, "what": left_out}
            toasts.add(self.request, text, level=messages.WARNING)
        else:
            toasts.add(self.request, _("“%(label)s” was restored.") % {"label": label})
        return go(
            self.request, resource.address("trash") if "id" in self.request.POST else resource.list_address
        )


def _restorable(user: User, resource: Resource, images: Iterable[TrashedItem]) -> Iterator[TrashRow]:
    """The images that the user may restore, without expired ones, which DynamoDB's TTL deletes late."""
    for image in images:
        record = resource.repository.model.from_raw_data(image.record)
        until = image.at + KEPT_FOR
        if until > now() and resource.may(user, "delete", record):
            yield TrashRow(image.trash_id, image.label or _("Untitled"), image.actor_name, image.at, until)


def _find(resource: Resource, *, trash_id: str, key: str) -> TrashedItem:
    trashed = trash.of_record(resource.entity, key) if key else trash.find(resource.entity, trash_id)
    if trashed is None:
        raise NotFound(_("This is no longer in the trash. Someone may have restored it."))
    return trashed


def _form(resource: Resource, deleted: Item, taken: str, data: QueryDict | None) -> RefusableForm:
    """A form with a field for a unique value that another record has taken since; usually without fields."""
    if taken not in {unique.field for unique in resource.repository.unique} & set(resource.form.base_fields):
        return RefusableForm(data)
    form = RefusableForm(data, initial={taken: getattr(deleted, taken)})
    form.fields[taken] = deepcopy(resource.form.base_fields[taken])
    form.fields[taken].widget.attrs["autofocus"] = True
    return form


def _named(left_out: Collection[RecordRef]) -> str:
    """The dropped references for the message."""
    names = [_called(*ref) for ref in list(left_out)[:MOST_NAMED]]
    more = len(left_out) - len(names)
    if more:
        names.append(ngettext("%(more)d more", "%(more)d more", more) % {"more": more})
    return get_text_list(names, _("and"))


def _called(entity: str, key: str) -> str:
    """The kind and the last label, from the history, of a deleted record."""
    newest = history.entries(entity, key, limit=1).items
    kind = str(resource_for(entity).singular)
    if not (newest and newest[0].label):
        return kind
    return _("%(kind)s “%(name)s”") % {"kind": kind, "name": newest[0].label}


def _addresses(resource: Resource) -> dict[str, str]:
    return {"restore_address": resource.address("restore"), "trash_address": resource.address("trash")}
