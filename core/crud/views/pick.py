"""The options of a picker for a search text."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest
from core.crud.listing import searched
from core.crud.picker_labels import MOST_SUGGESTIONS, options_for
from core.crud.resource import Resource


@require_safe
def pick(request: SignedInRequest, resource: Resource) -> HttpResponse:
    text = searched(request.GET.get("q", ""))
    options = options_for(request.user, resource, text)
    context = {
        "options": options,
        "text": text,
        "may_create": bool(text) and resource.may(request.user, "create"),
        "found": _how_many(len(options)),
    }
    return render(request, "core/crud/pick.html", context)


def _how_many(number: int) -> str:
    if not number:
        return _("Nothing found.")
    if number == MOST_SUGGESTIONS:
        return _("Showing the first %(number)d. Type to find more.") % {"number": number}
    return ngettext("%(number)d found.", "%(number)d found.", number) % {"number": number}
