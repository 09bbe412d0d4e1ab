"""Deleting an event, the trash of events, and restoring from it."""

from collections.abc import Iterable, Iterator
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, is_htmx, small_number
from core.crud import toasts
from core.crud.http import page_or_partial
from core.crud.toasts import Undo
from core.crud.views.trash import Deleted
from core.dynamo import trash
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict
from core.dynamo.paging import read_token
from core.dynamo.trash import KEPT_FOR, TrashedItem
from scouting.events import trash as event_trash
from scouting.events.repository import event_infos
from scouting.events.views.events import event_page

PLACE = "scouting:event-trash"


@requires("scouting.event.update")
@require_POST
def delete(request: SignedInRequest, key: str) -> HttpResponse:
    seen = small_number(request.POST.get("version", ""))
    try:
        deleted = event_trash.delete(request.user, key, seen_version=seen)
    except Conflict as error:
        return event_page(request, key, delete_problem=error.message, status=error.status_code)
    undo = Undo(reverse("scouting:event-restore"), {"key": event_infos.key_of(deleted)})
    toasts.add(request, _("“%(label)s” was deleted.") % {"label": deleted.name}, undo=undo)
    return go(request, reverse("scouting:events"))


@requires("scouting.event.update")
@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """The trash of events, like that of every other list."""
    start = read_token(request.GET.get("after"), request.user.sub, PLACE)
    page = trash.page(event_infos.entity, start=start)
    token = page.next_token(request.user.sub, PLACE)
    context = {
        "resource": {"plural": _("Events"), "list_address": reverse("scouting:events")},
        "rows": list(_restorable(page.items)),
        "days": KEPT_FOR.days,
        "next_address": f"?{urlencode({'after': token})}" if token else "",
        "is_first_page": start is None,
        "restore_address": reverse("scouting:event-restore"),
    }
    return page_or_partial(request, "core/crud/trash.html", "more", context)


@requires("scouting.event.update")
@require_POST
def restore(request: SignedInRequest) -> HttpResponse:
    """Restore by the id of a trash row (`id`),
    or from an "Undo" by the key of the event that was deleted last."""
    info = event_trash.restore(
        request.user, trash_id=request.POST.get("id", ""), key=request.POST.get("key", "")
    )
    address = reverse("scouting:event", args=[info.event])
    if is_htmx(request) and "id" in request.POST:
        context = {"label": info.name, "key": info.event, "address": address}
        return render(request, "core/crud/trash.html#restored", context)
    toasts.add(request, _("“%(label)s” was restored.") % {"label": info.name})
    return go(request, address)


def _restorable(images: Iterable[TrashedItem]) -> Iterator[Deleted]:
    """The images that can still be restored: DynamoDB removes expired items late,
    so they are filtered here."""
    for image in images:
        until = image.at + KEPT_FOR
        if until > now():
            yield Deleted(image.trash_id, image.label, image.actor_name, image.at, until)
