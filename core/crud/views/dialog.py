"""Creates a record in a dialog over another record's form, whose picker then selects it."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import trigger_client_event

from core.accounts.rights import SignedInRequest
from core.crud import edit_session, services
from core.crud.edit_session import Opened, Seen
from core.crud.fields import load_labels
from core.crud.forms import RecordForm, typed_in
from core.crud.listing import searched
from core.crud.resource import Resource
from core.dynamo.errors import DataError, Invalid, KeyReused, Replayed
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import Item

CREATED = "record-created"


@require_http_methods(["GET", "HEAD", "POST"])
def create(request: SignedInRequest, resource: Resource) -> HttpResponse:
    """The form in the dialog. A record with a status becomes a draft, which needs few fields."""
    if request.method != "POST":
        opened = edit_session.new(resource)
        form = _beside(opened.form(request.user), resource)
        form.initial[resource.repository.label] = searched(request.GET.get("label", ""))
        return _page(request, opened, form)
    opened = _opened(request, resource)
    posted = opened.posted_form(request.POST, request.FILES, request.user, is_draft=resource.has_copies)
    form = _beside(posted, resource)
    if not form.is_valid():
        form.focus_first_error()
        return _page(request, opened, form, status=200 if form.wants_help() else 422)
    try:
        return _chosen(resource, _created(request, opened, form))
    except DataError as error:
        return _refused(request, opened, form, error)


def _opened(request: SignedInRequest, resource: Resource) -> Opened:
    """A new record under the posted key if its signature is this user's, else under a new key."""
    key = request.POST.get("key", "")
    own = edit_session.pass_for(request.user, resource, key)
    is_own = constant_time_compare(request.POST.get("new", ""), own)
    return Opened(resource, key) if is_own else edit_session.new(resource)


def _created(request: SignedInRequest, opened: Opened, form: RecordForm) -> Item:
    """The new record; for a repeated request the one that the first request created."""
    resource, user = opened.resource, request.user
    fields = resource.prepare(user, None, form.cleaned_data)
    route, typed = resource.right("create"), typed_in(request.POST)
    once = IdempotencyKey(sub=user.sub, route=route, key=opened.key, payload=typed)
    try:
        return services.write(user, opened, fields, seen=Seen(), once=once)
    except Replayed:
        created: Item = resource.repository.get(opened.key, strong=True)
        return created
    except KeyReused as error:
        told = _("It was created before you changed this. Close the dialog and choose it.")
        raise Invalid(told) from error


def _beside(form: RecordForm, resource: Resource) -> RecordForm:
    """Give the fields their own ids: the form beneath the dialog may have fields with the same names."""
    form.auto_id = f"new_{resource.entity}_%s"
    return form


def _chosen(resource: Resource, record: Item) -> HttpResponse:
    """An empty response with an event for the picker, which selects the record and closes the dialog."""
    repository = resource.repository
    detail = {"key": repository.key_of(record), "label": repository.label_of(record)}
    return trigger_client_event(HttpResponse(status=204), CREATED, detail)


def _refused(request: SignedInRequest, opened: Opened, form: RecordForm, error: DataError) -> HttpResponse:
    form.add_refusal(error)
    form.focus_first_error()
    return _page(request, opened, form, status=422)


def _page(request: SignedInRequest, opened: Opened, form: RecordForm, *, status: int = 200) -> HttpResponse:
    load_labels(form, request.user)
    new_pass = edit_session.pass_for(request.user, opened.resource, opened.key)
    context = {"resource": opened.resource, "key": opened.key, "new_pass": new_pass, "form": form}
    return render(request, "core/crud/dialog.html", context, status=status)
