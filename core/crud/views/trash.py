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
from django.views.decorators.http import require_http_methods, require_safe

from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.common.http import go, is_htmx
from core.crud import services, toasts
from core.crud.forms import RefusableForm
from core.crud.http import page_or_partial
from core.crud.registry import resource_for
from core.crud.resource import Resource
from core.crud.services import Restored
from core.dynamo import history, trash
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, NotFound
from core.dynamo.items import Item
from core.dynamo.paging import read_token, sign
from core.dynamo.registry import RecordRef
from core.dynamo.trash import KEPT_FOR, TrashedItem

LIMIT = 25
# The number of dropped references that a toast names: it has to fit into a cookie.
MOST_NAMED = 3


@dataclass(frozen=True)
class Deleted:
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
    context = {
        "resource": resource,
        "rows": list(_restorable(request.user, resource, page.items)),
        "days": KEPT_FOR.days,
        "next_address": "?" + urlencode({"after": sign(page.next_key, *bound_to)}) if page.next_key else "",
        "is_first_page": start is None,
    }
    return page_or_partial(request, "core/crud/trash.html", "more", context | _addresses(resource))


@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: SignedInRequest, resource: Resource) -> HttpResponse:
    """Restore by `id`, a row of the trash, or by `key` from an "Undo", which means the newest image."""
    asked = request.POST if request.method == "POST" else request.GET
    trashed = _find(resource, trash_id=asked.get("id", ""), key=asked.get("key", ""))
    deleted = resource.repository.model.from_raw_data(trashed.record)
    resource.ensure(request.user, "delete", deleted)
    form = _form(resource, deleted, asked.get("taken", ""), request.POST or None)
    if request.method != "POST":
        return _ask(request, resource, trashed, form)
    if not form.is_valid():
        form.focus_first_error()
        return _ask(request, resource, trashed, form, status=422)
    try:
        restored = _restore(request.user, resource, trashed, deleted, form)
    except AlreadyExists as error:
        if error.field not in resource.form.base_fields:
            raise
        if error.field in form.fields:
            form.add_refusal(error)
            form.focus_first_error()
            return _ask(request, resource, trashed, form, status=422)
        question = urlencode({"id": trashed.trash_id, "taken": error.field})
        return go(request, f"{resource.address('restore')}?{question}")
    return _restored(request, resource, restored)


def _restorable(user: User, resource: Resource, images: Iterable[TrashedItem]) -> Iterator[Deleted]:
    """The images that the user may restore, without expired ones, which DynamoDB's TTL deletes late."""
    for image in images:
        record = resource.repository.model.from_raw_data(image.record)
        until = image.at + KEPT_FOR
        if until > now() and resource.may(user, "delete", record):
            yield Deleted(image.trash_id, image.label or _("Untitled"), image.actor_name, image.at, until)


def _find(resource: Resource, *, trash_id: str, key: str) -> TrashedItem:
    trashed = trash.of_record(resource.entity, key) if key else trash.find(resource.entity, trash_id)
    if trashed is None:
        raise NotFound(_("This is no longer in the trash. Perhaps it was restored already."))
    return trashed


def _form(resource: Resource, deleted: Item, taken: str, data: QueryDict | None) -> RefusableForm:
    """A form with a field for a unique value that another record has taken since; usually without fields."""
    if taken not in {unique.field for unique in resource.repository.unique} & set(resource.form.base_fields):
        return RefusableForm(data)
    form = RefusableForm(data, initial={taken: getattr(deleted, taken)})
    form.fields[taken] = deepcopy(resource.form.base_fields[taken])
    form.fields[taken].widget.attrs["autofocus"] = True
    return form


def _restore(
    user: User, resource: Resource, trashed: TrashedItem, deleted: Item, form: RefusableForm
) -> Restored:
    """Restore with the chosen unique value or, without one, with a value generated as for a new record."""
    if all(form.cleaned_data.values()):
        return services.restore(user, resource, trashed.trash_id, fields=form.cleaned_data)
    whole = resource.form()
    whole.cleaned_data = resource.form.initial_of(deleted) | form.cleaned_data
    fields: Mapping[str, Any] = resource.prepare(user, None, whole.cleaned_data)
    try:
        return services.restore(user, resource, trashed.trash_id, fields=_only(form, fields))
    except AlreadyExists as refused:
        replacement = resource.on_duplicate(fields, refused)
        if replacement is None:
            raise
        return services.restore(user, resource, trashed.trash_id, fields=_only(form, replacement))


def _only(form: RefusableForm, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fields[name] for name in form.fields}


def _ask(
    request: SignedInRequest,
    resource: Resource,
    trashed: TrashedItem,
    form: RefusableForm,
    *,
    status: int = 200,
) -> HttpResponse:
    context = _addresses(resource) | {
        "resource": resource,
        "trash_id": trashed.trash_id,
        "label": trashed.label or _("Untitled"),
        "form": form,
        "taken": next(iter(form.fields), ""),
    }
    return render(request, "core/crud/restore.html", context, status=status)


def _restored(request: SignedInRequest, resource: Resource, restored: Restored) -> HttpResponse:
    key = resource.repository.key_of(restored.record)
    label = resource.repository.label_of(restored.record) or _("Untitled")
    left_out = _told(restored.left_out)
    if is_htmx(request):
        context = {
            "label": label,
            "key": key,
            "address": resource.record_address(key),
            "left_out": left_out,
        }
        return render(request, "core/crud/trash.html#restored", context)
    if left_out:
        told = _("“%(label)s” is back without: %(what)s.") % {"label": label, "what": left_out}
        toasts.add(request, told, level=messages.WARNING)
    else:
        toasts.add(request, _("“%(label)s” was restored.") % {"label": label})
    return go(request, resource.address("trash") if "id" in request.POST else resource.list_address)


def _told(left_out: Collection[RecordRef]) -> str:
    """The list of dropped references for the message."""
    named = [_called(*place) for place in list(left_out)[:MOST_NAMED]]
    more = len(left_out) - len(named)
    if more:
        named.append(ngettext("%(more)d more", "%(more)d more", more) % {"more": more})
    return get_text_list(named, _("and"))


def _called(entity: str, key: str) -> str:
    """The kind and the last label, from the history, of a deleted record."""
    newest = history.entries(entity, key, limit=1).items
    kind = str(resource_for(entity).singular)
    return f"{kind} “{newest[0].label}”" if newest and newest[0].label else kind


def _addresses(resource: Resource) -> dict[str, str]:
    return {"restore_address": resource.address("restore"), "trash_address": resource.address("trash")}
