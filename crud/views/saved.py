"""Saving a view of a list, and removing one."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.rights import SignedInRequest
from crud import saved
from crud.http import go
from crud.resource import Resource
from crud.rows import listing_from
from crud.toasts import tell
from dynamo.errors import Invalid, TooLarge


@require_POST
def save(request: SignedInRequest, resource: Resource) -> HttpResponse:
    listing = listing_from(resource, request.POST)
    try:
        name = saved.save(request, request.user, resource, request.POST.get("name", ""), listing)
    except (Invalid, TooLarge) as error:
        tell(request, error.message, level=messages.WARNING)
    else:
        tell(request, _("This view is saved as “%(name)s”.") % {"name": name})
    return _back(request, resource)


@require_POST
def forget(request: SignedInRequest, resource: Resource) -> HttpResponse:
    name = request.POST.get("name", "")
    saved.forget(request, request.user, resource, name)
    tell(request, _("The saved view “%(name)s” was removed.") % {"name": name})
    return _back(request, resource)


def _back(request: SignedInRequest, resource: Resource) -> HttpResponse:
    return go(request, f"{resource.list_address}?{urlencode(listing_from(resource, request.POST).query)}")
