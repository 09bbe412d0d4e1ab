"""The options of a picker for a search text."""

from dataclasses import replace

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.crud.listing import searched
from core.crud.picker_labels import Option
from core.crud.resource import Resource
from core.crud.rows import find, listing_from
from core.dynamo.search_index import words_in

MOST_SUGGESTIONS = 10
# The search index is shared by all entities of a scope: a page may contain none of this one.
MOST_READS = 3


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


def options_for(user: User, resource: Resource, text: str) -> list[Option]:
    """The records with words that begin with those of the text; without a text the first of the list."""
    listing = replace(listing_from(resource, QueryDict()), text=text if words_in([text]) else "")
    options: list[Option] = []
    start = None
    for _read in range(MOST_READS):
        page = find(user, resource, listing, limit=MOST_SUGGESTIONS, start=start)
        options += [
            Option(
                resource.repository.key_of(record),
                resource.repository.label_of(record),
                resource.detail_of(user, record),
                resource.picture_of(record),
            )
            for record in page.items
        ]
        start = page.next_key
        if start is None or len(options) >= MOST_SUGGESTIONS:
            break
    return options[:MOST_SUGGESTIONS]


def _how_many(number: int) -> str:
    if not number:
        return _("Nothing found.")
    if number == MOST_SUGGESTIONS:
        return _("Showing the first %(number)d. Type to find more.") % {"number": number}
    return ngettext("%(number)d found.", "%(number)d found.", number) % {"number": number}
