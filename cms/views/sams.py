"""What SAMS told: our teams, the clubs of the association, and the log of the syncs."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest
from crud.http import page_or_partial
from crud.resource import Resource
from crud.rows import find, listing_from, rows_of
from crud.views.index import how_many
from dynamo.paging import read_token, sign

SHOWN = 50


@require_safe
def records(request: SignedInRequest, resource: Resource) -> HttpResponse:
    listing = listing_from(resource, request.GET)
    bound_to = (request.user.sub, resource.entity, sorted(listing.query.items()))
    start = read_token(request.GET.get("after"), *bound_to)
    page = find(request.user, resource, listing, limit=SHOWN, start=start)
    rows = list(rows_of(request.user, resource, page.items))
    after = sign(page.next_key, *bound_to) if page.next_key else ""
    context = {
        "resource": resource,
        "listing": listing,
        "rows": rows,
        "next_address": f"?{urlencode({**listing.query, 'after': after})}" if after else "",
        "is_first_page": start is None,
        "found": how_many(len(rows), has_more=bool(after), is_first_page=start is None),
    }
    return page_or_partial(request, "cms/sams/list.html", "results" if start is None else "more", context)


@require_safe
def record(request: SignedInRequest, resource: Resource, key: str) -> HttpResponse:
    found = resource.repository.get(key)
    return render(request, f"cms/sams/{found.type}.html", {"resource": resource, "record": found, "key": key})
