"""Deleting one record: asked first, refused while others use it, and undone from the toast."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.rights import SignedInRequest
from accounts.user import User
from crud import services
from crud.http import go, page_or_partial
from crud.opening import Seen
from crud.registry import has_resource, resource_for
from crud.resource import Resource
from crud.toasts import Undo, tell
from dynamo import references
from dynamo.errors import Conflict, InUse
from dynamo.items import Item
from dynamo.registry import records_at
from dynamo.trash import KEPT_FOR


@dataclass(frozen=True)
class Use:
    """A record that uses the one to be deleted; one that the person may not see is not named."""

    label: str = ""
    kind: str = ""
    address: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    record = resource.repository.get(key, strong=True)
    resource.ensure(request.user, "delete", record)
    if request.method != "POST":
        return _question(request, resource, record, problem=InUse() if record.refs else None)
    try:
        services.delete(request.user, resource, record, seen_version=Seen.posted(request.POST).version)
    except Conflict as error:
        return _question(request, resource, record, problem=error)
    told = _("“%(label)s” was deleted.") % {"label": resource.repository.label_of(record) or _("Untitled")}
    tell(request, told, undo=Undo(resource.address("restore"), {"key": key}))
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
        "uses": list(_uses(request.user, resource, key)) if is_used else [],
    }
    status = problem.status_code if problem and request.method == "POST" else 200
    return page_or_partial(request, "crud/delete.html", "dialog", context, status=status)


def _uses(user: User, resource: Resource, key: str) -> Iterator[Use]:
    """Where the record is used, each record once; their names come by one BatchGet."""
    rows = references.used_in(resource.entity, key).items
    places = list(dict.fromkeys((row.entity, row.key) for row in rows if has_resource(row.entity)))
    found = records_at(places)
    for entity, other_key in places:
        other, record = resource_for(entity), found.get((entity, other_key))
        if record is None or not other.may(user, "view", record):
            yield Use()
            continue
        label = other.repository.label_of(record) or _("Untitled")
        yield Use(label, str(other.singular), other.record_address(other_key))
