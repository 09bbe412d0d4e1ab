"""The list: filters and search that are always visible, and "Load more" instead of page numbers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, may_to_some
from accounts.user import User
from crud import bulk, saved
from crud.http import page_or_partial
from crud.listing import Column, Filter, Listing, searched
from crud.resource import Resource
from dynamo import search
from dynamo.copies import WorkingCopy
from dynamo.copies import raw_key as copy_key
from dynamo.errors import Text
from dynamo.items import Item
from dynamo.paging import Page, limit_from, read_token, sign
from dynamo.queries import PageOptions, get_many
from dynamo.registry import repository_for
from dynamo.repository import Repository

DEFAULT_LIMIT = 25


@dataclass(frozen=True)
class Cell:
    column: Column
    value: Any


@dataclass(frozen=True)
class Row:
    key: str
    version: int
    label: str
    address: str
    cells: Sequence[Cell]
    is_changed: bool


@dataclass(frozen=True)
class Shown:
    """A filter with what is chosen of it."""

    filter: Filter
    chosen: str


@dataclass(frozen=True)
class Heading:
    """A column's heading; where an index gives its order, with the address that turns it round."""

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
    rows = list(rows_of(resource, page.items))
    sorts, query = resource.sorts(listing.filters), urlencode(listing.query)
    context = {
        "resource": resource,
        "listing": listing,
        "filters": [Shown(each, listing.filters[each.name]) for each in resource.filters],
        # Words give no order of their own.
        "sorts": [] if listing.text else sorts,
        "columns": list(_headings(resource, listing)),
        "rows": rows,
        "actions": bulk.possible_for(request.user, resource),
        "saved_views": saved.views_of(request, resource, listing),
        "can_be_saved": listing.is_narrowed or listing.sort not in (None, *sorts[:1]),
        "to": {name: resource.address(name) for name in ("bulk", "trash", "save_view", "forget_view")},
        "csv_address": f"{resource.address('csv')}?{query}",
        "xlsx_address": f"{resource.address('xlsx')}?{query}",
        "may_create": resource.may(request.user, "create"),
        "may_delete_some": may_to_some(request.user, resource.right("delete")),
        "next_address": _next(page, listing, bound_to, request.GET.get("limit")),
        "here": f"?{query}",
        "is_first_page": start is None,
        "found": how_many(len(rows), has_more=page.next_key is not None, is_first_page=start is None),
    }
    return page_or_partial(request, "crud/list.html", "results" if start is None else "more", context)


def listing_from(resource: Resource, query: QueryDict) -> Listing:
    """What the address asks for; what it asks for wrongly is left out."""
    filters = {each.name: each.read(query.get(each.name)) for each in resource.filters}
    sorts = resource.sorts(filters)
    by_code = {sort.code: sort for sort in sorts}
    sort = by_code.get(query.get("sort", ""), sorts[0] if sorts else None)
    return Listing(text=searched(query.get("q", "")), filters=filters, sort=sort)


def find(
    user: User, resource: Resource, listing: Listing, *, limit: int, start: Mapping[str, Any] | None = None
) -> Page[Any]:
    """One page of what the listing asks for: by its words where some were typed, else by its index."""
    if listing.text:
        return _search(user, resource, listing, start)
    options: PageOptions = {"limit": limit, "start": dict(start) if start else None}
    if listing.sort is not None:
        options["newest_first"] = listing.sort.newest_first
    kept_by = _kept_by(user, resource, listing.filters, only_without_index=True)
    if kept_by:
        options["keep"] = lambda record: all(keep(record, value) for keep, value in kept_by)
    return resource.page(listing, **options)


def _search(user: User, resource: Resource, listing: Listing, start: Mapping[str, Any] | None) -> Page[Any]:
    scope = resource.repository.scope
    kept_by = _kept_by(user, resource, listing.filters, only_without_index=False)

    def may_see(repository: Repository[Any], record: Item) -> bool:
        return (
            repository.entity == resource.entity
            and resource.may(user, "view", record)
            and all(keep(record, value) for keep, value in kept_by)
        )

    found = search.search(
        listing.text, [scope], may_see=may_see, start={scope: dict(start)} if start else None
    )
    return Page([hit.item for hit in found.hits], found.next_keys.get(scope))


def _kept_by(
    user: User, resource: Resource, filters: Mapping[str, str], *, only_without_index: bool
) -> list[tuple[Any, str]]:
    """The chosen filters that are asked of each record."""
    chosen = [(each, filters[each.name]) for each in resource.filters if filters.get(each.name)]
    return [
        (each.keep_of(user) or resource.keeps(each.name), value)
        for each, value in chosen
        if each.keep_of(user) or not only_without_index
    ]


def rows_of(resource: Resource, records: Iterable[Any]) -> Iterable[Row]:
    """The rows of a page; names of other records and working copies come by one BatchGet for all."""
    shown = list(records)
    names, changed = _beside(resource, shown)
    repository = resource.repository
    for record in shown:
        key = repository.key_of(record)
        yield Row(
            key=key,
            version=record.seen_version,
            label=repository.label_of(record) or _("Untitled"),
            address=resource.record_address(key),
            cells=[Cell(column, _shown(column, record, names)) for column in resource.columns],
            is_changed=key in changed,
        )


def _shown(column: Column, record: Any, names: Mapping[tuple[str, str], str]) -> Any:
    if column.to is None:
        return column.value_of(record)
    return ", ".join(filter(None, (names.get((column.to, key)) for key in column.keys_of(record))))


def _beside(resource: Resource, records: Sequence[Any]) -> tuple[dict[tuple[str, str], str], set[str]]:
    """The names that the rows show, and the keys of those that have a working copy."""
    wanted: list[Any] = []
    fields = {"label"}
    for column in resource.columns:
        if column.to:
            other = repository_for(column.to)
            fields.update(other.model.stored_names([other.label]))
            keys = dict.fromkeys(key for record in records for key in column.keys_of(record))
            wanted += [(other.model, other.raw_key(key)) for key in keys]
    if resource.has_copies:
        wanted += [
            (WorkingCopy, copy_key(resource.entity, resource.repository.key_of(record))) for record in records
        ]
    names: dict[tuple[str, str], str] = {}
    changed: set[str] = set()
    for found in get_many(wanted, fields=sorted(fields)) if wanted else []:
        if isinstance(found, WorkingCopy):
            changed.add(found.pk.removeprefix(f"COPY#{resource.entity}#"))
        else:
            other = _repository_of(resource, found)
            names[other.entity, other.key_of(found)] = other.label_of(found)
    return names, changed


def _repository_of(resource: Resource, record: Any) -> Repository[Any]:
    candidates = (repository_for(column.to) for column in resource.columns if column.to)
    return next(candidate for candidate in candidates if isinstance(record, candidate.model))


def _headings(resource: Resource, listing: Listing) -> Iterator[Heading]:
    sorts = resource.sorts(listing.filters)
    for column in resource.columns:
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
    if page.next_key is None:
        return ""
    asked = {**listing.query, "limit": str(limit_from(limit))} if limit else listing.query
    return "?" + urlencode({**asked, "after": sign(page.next_key, *bound_to)})


def how_many(count: int, *, has_more: bool, is_first_page: bool) -> str:
    """Never a total: nothing counts the records of a list."""
    if not count:
        return _("Nothing found")
    if has_more or not is_first_page:
        return ngettext("%d shown", "%d shown", count) % count
    return ngettext("%d entry", "%d entries", count) % count
