"""Views for bulk actions: confirmation of a deletion, and the result for each row."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.accounts.rights import SignedInRequest
from core.common.http import go
from core.crud import bulk, toasts
from core.crud.bulk import BulkAction
from core.crud.resource import Resource
from core.crud.rows import back_to
from core.dynamo.trash import KEPT_FOR
from core.stores.idempotency import idempotent


@require_POST
def run(request: SignedInRequest, resource: Resource) -> HttpResponse:
    back = request.POST.get("back", "")
    actions = {action.name: action for action in bulk.possible_for(request.user, resource)}
    action = actions.get(request.POST.get("bulk", ""))
    selection = bulk.read_selection(request.POST.getlist("selected"))
    if action is None or not selection:
        toasts.add(request, _("Select at least one row first."), level=messages.INFO)
        return go(request, back_to(resource, back))
    if len(selection) > bulk.MOST_RECORDS:
        text = _("Select at most %(most)d at once. Nothing was changed.") % {"most": bulk.MOST_RECORDS}
        toasts.add(request, text, level=messages.WARNING)
        return go(request, back_to(resource, back))
    if action.is_deletion and "confirmed" not in request.POST:
        return _question(request, resource, action, selection)
    return _results(request, resource, action, selection)


@idempotent
def _results(
    request: SignedInRequest, resource: Resource, action: BulkAction, selection: Mapping[str, int]
) -> HttpResponse:
    """Run the action and show the result for each row. A reload of this page changes nothing more."""
    results = bulk.run(request.user, resource, action, selection)
    done = sum(result.state == "done" for result in results)
    context = {
        "resource": resource,
        "back_address": back_to(resource, request.POST.get("back", "")),
        "action": action,
        "results": results,
        "restore_address": resource.address("restore"),
        "summary": _("Done: %(done)d of %(all)d") % {"done": done, "all": len(results)},
    }
    # After an outage the same selection can be sent again for the remaining rows.
    is_broken_off = any(result.state in ("unknown", "skipped") for result in results)
    return render(request, "core/crud/bulk.html", context, status=503 if is_broken_off else 200)


def _question(
    request: SignedInRequest, resource: Resource, action: BulkAction, selection: Mapping[str, int]
) -> HttpResponse:
    """The confirmation, with the labels of the selected records."""
    opened = bulk.open_many(request.user, resource, selection)
    back = request.POST.get("back", "")
    context = {
        "resource": resource,
        "back": back,
        "back_address": back_to(resource, back),
        "action": action,
        "bulk_address": resource.address("bulk"),
        "days": KEPT_FOR.days,
        "chosen": [(f"{key}@{at}", opened[key]) for key, at in selection.items() if key in opened],
        "many": len(opened),
    }
    return render(request, "core/crud/bulk.html", context)
