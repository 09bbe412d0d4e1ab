"""Views that save and remove a saved view of a list."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.accounts.rights import SignedInRequest
from core.common.http import go
from core.crud import saved, toasts
from core.crud.resource import Resource
from core.crud.rows import listing_from
from core.dynamo.errors import Invalid, TooLarge


@require_POST
def save(request: SignedInRequest, resource: Resource) -> HttpResponse:
    listing = listing_from(resource, request.POST)
    try:
        name = saved.save(request, request.user, resource, request.POST.get("name", ""), listing)
    except (Invalid, TooLarge) as error:
        toasts.add(request, error.message, level=messages.WARNING)
    else:
        toasts.add(request, _("This view is saved as “%(name)s”.") % {"name": name})
    return _back(request, resource)


@require_POST
def forget(request: SignedInRequest, resource: Resource) -> HttpResponse:
    name = request.POST.get("name", "")
    saved.forget(request, request.user, resource, name)
    toasts.add(request, _("The saved view “%(name)s” was removed.") % {"name": name})
    return _back(request, resource)


def _back(request: SignedInRequest, resource: Resource) -> HttpResponse:
    return go(request, f"{resource.list_address}?{urlencode(listing_from(resource, request.POST).query)}")
