"""Deleting one record: asked first, refused while others use it, and undone from the toast.

A resource that can take a record out of all that use it offers that instead.
"""

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.accounts.rights import SignedInRequest
from core.common.http import go
from core.crud import services, toasts
from core.crud.edit_session import Seen
from core.crud.http import page_or_partial
from core.crud.resource import Resource
from core.crud.toasts import Undo
from core.crud.where_used import uses_of
from core.dynamo.errors import Conflict, InUse
from core.dynamo.items import Item
from core.dynamo.trash import KEPT_FOR


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    record = resource.repository.get(key, strong=True)
    resource.ensure(request.user, "delete", record)
    if request.method != "POST":
        return _question(request, resource, record, problem=InUse() if record.refs else None)
    seen_version = Seen.posted(request.POST).version
    try:
        if resource.can_remove_uses and "remove_uses" in request.POST:
            resource.remove_with_uses(request.user, record, seen_version=seen_version)
        else:
            services.delete(request.user, resource, record, seen_version=seen_version)
    except Conflict as error:
        return _question(request, resource, record, problem=error)
    told = _("“%(label)s” was deleted.") % {"label": resource.repository.label_of(record) or _("Untitled")}
    toasts.add(request, told, undo=Undo(resource.address("restore"), {"key": key}))
    return go(request, resource.list_address)


def _question(
    request: SignedInRequest, resource: Resource, record: Item, *, problem: Conflict | None
) -> HttpResponse:
    key = resource.repository.key_of(record)
    is_used = isinstance(problem, InUse)
    context = {
        "resource": resource,
        "label": resource.repository.label_of(record) or _("Untitled"),
        "version": record.seen_version,
        "to": resource.record_addresses(key),
        "days": KEPT_FOR.days,
        "problem": problem,
        "is_used": is_used,
        "uses": uses_of(request.user, resource, key) if is_used else [],
    }
    status = problem.status_code if problem and request.method == "POST" else 200
    return page_or_partial(request, "core/crud/delete.html", "dialog", context, status=status)
