"""The rows of a list, found by an index or by search, with the labels of other records."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from core.accounts.user import User
from core.crud.fields.picker import is_possible
from core.crud.listing import Column, Listing, searched
from core.crud.publication import PublishedResource
from core.crud.registry import resource_for
from core.crud.resource import Resource
from core.dynamo import search
from core.dynamo.items import Item
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, get_many
from core.dynamo.repository import Repository
from core.dynamo.working_copies import WorkingCopy
from core.dynamo.working_copies import raw_key as copy_key

LONGEST_QUERY = 2000


@dataclass(frozen=True)
class Row:
    """A record of a list. `values` are those of the columns, with the labels of other records."""

    key: str
    version: int
    label: str
    title: str
    address: str
    values: Sequence[Any]
    is_changed: bool


def listing_from(resource: Resource, query: QueryDict) -> Listing:
    """The listing of a query string; invalid values are ignored."""
    filters = {each.name: each.read(query.get(each.name)) for each in resource.filters}
    sorts = resource.sorts(filters)
    by_code = {sort.code: sort for sort in sorts}
    sort = by_code.get(query.get("sort", ""), sorts[0] if sorts else None)
    return Listing(text=searched(query.get("q", "")), filters=filters, sort=sort)


def back_to(resource: Resource, query: str) -> str:
    """The URL of the list with the query that a form carries, as far as it is valid for this list."""
    valid = listing_from(resource, QueryDict(query[:LONGEST_QUERY])).query
    return f"{resource.list_address}?{urlencode(valid)}" if query and valid else resource.list_address


def find(
    user: User,
    resource: Resource,
    listing: Listing,
    *,
    limit: int,
    start: Mapping[str, Any] | None = None,
    fields: Sequence[str] = (),
) -> Page[Any]:
    """One page of the listing: by search if a text was typed, else by an index.

    Only these `fields` are read, unless filters or rights have to look at the records.
    """
    if listing.text:
        return _search(user, resource, listing, start)
    options: PageOptions = {"limit": limit, "start": dict(start) if start else None}
    if listing.sort is not None:
        options["newest_first"] = listing.sort.newest_first
    kept_by = _record_filters(user, resource, listing.filters, only_without_index=True)
    if kept_by or not resource.may(user, "view"):
        options["keep"] = lambda record: (
            resource.may(user, "view", record) and all(keep(record, value) for keep, value in kept_by)
        )
    elif not any(listing.filters.values()):
        options["fields"] = fields
    return resource.page(listing, **options)


def _search(user: User, resource: Resource, listing: Listing, start: Mapping[str, Any] | None) -> Page[Any]:
    scope = resource.repository.scope
    kept_by = _record_filters(user, resource, listing.filters, only_without_index=False)

    def may_see(_repository: Repository[Any], record: Item) -> bool:
        return (
            resource.may(user, "view", record)
            and resource.is_found(user, record, listing.text)
            and all(keep(record, value) for keep, value in kept_by)
        )

    found = search.search(
        listing.text,
        [scope],
        may_see=may_see,
        entities={resource.entity},
        start={scope: dict(start)} if start else None,
    )
    return Page([hit.item for hit in found.hits], found.next_keys.get(scope))


def _record_filters(
    user: User, resource: Resource, filters: Mapping[str, str], *, only_without_index: bool
) -> list[tuple[Any, str]]:
    """The filters that are checked on each record."""
    chosen = [(each, filters[each.name]) for each in resource.filters if filters.get(each.name) or each.usual]
    return [
        (each.keep_of(user) or resource.keeps(each.name), value)
        for each, value in chosen
        if each.keep_of(user) or not only_without_index
    ]


def rows_of(user: User, resource: Resource, records: Iterable[Any]) -> Iterable[Row]:
    """The rows of a page; labels of other records and working copies are read by one BatchGet."""
    page = list(records)
    names, changed = _names_and_changes(user, resource, page)
    untitled = _("Untitled")
    repository, columns = resource.repository, resource.columns_for(user)
    for record in page:
        key = repository.key_of(record)
        yield Row(
            key=key,
            version=record.seen_version,
            label=repository.label_of(record) or untitled,
            title=resource.title_of(record) or untitled,
            address=resource.record_address(key),
            values=[_cell_value(column, record, names) for column in columns],
            is_changed=key in changed,
        )


def _cell_value(column: Column, record: Any, names: Mapping[tuple[str, str], str]) -> Any:
    if column.to is None:
        return column.value_of(record)
    return ", ".join(filter(None, (names.get((column.to, key)) for key in column.keys_of(record))))


def _names_and_changes(
    user: User, resource: Resource, records: Sequence[Any]
) -> tuple[dict[tuple[str, str], str], set[str]]:
    """The labels that the rows show, and the keys of published records with unpublished changes."""
    wanted: list[Any] = []
    fields = {"label"}
    others = {column.to: resource_for(column.to) for column in resource.columns if column.to}
    for column in resource.columns:
        if column.to:
            other = others[column.to].repository
            fields.update(other.model.stored_names(other.label_fields))
            keys = dict.fromkeys(key for record in records for key in column.keys_of(record))
            wanted += [(other.model, other.raw_key(key)) for key in keys if is_possible(column.to, key)]
    if isinstance(resource, PublishedResource):
        wanted += [
            (WorkingCopy, copy_key(resource.entity, resource.repository.key_of(record)))
            for record in records
            if resource.is_live(record)
        ]
    names: dict[tuple[str, str], str] = {}
    changed: set[str] = set()
    # A right to own records only is checked on the whole record.
    is_label_enough = all(other.may(user, "view") for other in others.values())
    for found in get_many(wanted, fields=sorted(fields) if is_label_enough else ()) if wanted else []:
        if isinstance(found, WorkingCopy):
            changed.add(found.pk.removeprefix(f"COPY#{resource.entity}#"))
            continue
        named = next(other for other in others.values() if isinstance(found, other.repository.model))
        if named.may(user, "view", found):
            names[named.entity, named.repository.key_of(found)] = named.repository.label_of(found)
    return names, changed
