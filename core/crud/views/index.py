"""The list, with filters, search, and "Load more" instead of page numbers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, may_to_some
from core.crud import bulk, saved_views
from core.crud.cells import link_items, table_rows
from core.crud.http import page_or_partial
from core.crud.listing import Column, Link, ListBar, Listing, how_many
from core.crud.resource import Resource
from core.crud.rows import find, listing_from, rows_of
from core.crud.views.layout import is_grid
from core.dynamo.errors import Text
from core.dynamo.paging import Page, limit_from, read_token

DEFAULT_LIMIT = 25


@dataclass(frozen=True)
class Heading:
    """A column's heading, with a sort URL if a GSI provides the order."""

    name: str
    title: Text
    order: str = ""
    sort_address: str = ""


@require_safe
def index(request: SignedInRequest, resource: Resource) -> HttpResponse:
    listing = listing_from(resource, request.GET)
    bound_to = (request.user.sub, resource.entity, sorted(listing.query.items()))
    start = read_token(request.GET.get("after"), *bound_to)
    limit = limit_from(request.GET.get("limit")) if "limit" in request.GET else DEFAULT_LIMIT
    page = find(request.user, resource, listing, limit=limit, start=start)
    rows = list(rows_of(request.user, resource, page.items))
    actions = bulk.possible_for(request.user, resource)
    columns = resource.columns_for(request.user)
    sorts, query = resource.sorts(listing.filters), urlencode(listing.query)
    may_delete_some = may_to_some(request.user, resource.right("delete"))
    bar = ListBar(
        address=resource.list_address,
        found=how_many(len(rows), has_more=page.next_key is not None, is_first_page=start is None),
        text=listing.text,
        filters=[(each, listing.filters[each.name]) for each in resource.filters],
        sorts=sorts,
        sort=listing.sort,
        menu=link_items(_menu(resource, query, has_files=bool(rows), has_trash=may_delete_some)),
    )
    context = {
        "resource": resource,
        "listing": listing,
        "bar": bar,
        "columns": list(_headings(resource, columns, listing)),
        "rows": rows,
        "table_rows": table_rows(columns, rows, can_select=bool(actions), focus_first=start is not None),
        "is_grid": is_grid(request, resource),
        "layout_address": resource.address("layout") if resource.has_grid else "",
        "actions": actions,
        "saved_views": saved_views.views_of(request, resource, listing),
        "can_be_saved": listing.is_narrowed or listing.sort not in (None, *sorts[:1]),
        "to": {name: resource.address(name) for name in ("bulk", "save_view", "forget_view")},
        "may_create": resource.may(request.user, "create"),
        "next_address": _next(page, listing, bound_to, request.GET.get("limit")),
        "here": f"?{query}",
        "back": query,
        "is_first_page": start is None,
    }
    return page_or_partial(request, "core/crud/list.html", "results" if start is None else "more", context)


def _menu(resource: Resource, query: str, *, has_files: bool, has_trash: bool) -> Iterator[Link]:
    yield from resource.alternate_views()
    if has_files:
        yield Link("export-csv", _("Download as CSV"), f"{resource.address('csv')}?{query}", "download")
        yield Link("export-xlsx", _("Download as Excel"), f"{resource.address('xlsx')}?{query}", "download")
    if has_trash:
        yield Link("to-trash", _("Trash"), resource.address("trash"), "trash")


def _headings(resource: Resource, columns: Iterable[Column], listing: Listing) -> Iterator[Heading]:
    sorts = resource.sorts(listing.filters)
    for column in columns:
        offered = [sort for sort in sorts if sort.name == column.name]
        # Words give no order of their own.
        if not offered or listing.text:
            yield Heading(column.name, column.title)
            continue
        is_sorted = listing.sort in offered
        other = next((sort for sort in offered if sort != listing.sort), offered[0])
        address = "?" + urlencode({**listing.query, "sort": other.code})
        order = (
            ("descending" if listing.sort.newest_first else "ascending") if is_sorted and listing.sort else ""
        )
        yield Heading(column.name, column.title, order, address)


def _next(page: Page[Any], listing: Listing, bound_to: tuple[object, ...], limit: str | None) -> str:
    token = page.next_token(*bound_to)
    query = {**listing.query, "limit": str(limit_from(limit))} if limit else listing.query
    return "?" + urlencode({**query, "after": token}) if token else ""
