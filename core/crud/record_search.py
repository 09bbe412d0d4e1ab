"""The search over the records of all apps, for the palette, its page and the API."""

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from core.accounts.rights import reads_domain
from core.accounts.user import User
from core.crud import registry
from core.crud.listing import Badge
from core.crud.palette import Hit, finders
from core.crud.publication import PublishedResource
from core.crud.registry import scopes_of, viewable
from core.crud.resource import Resource
from core.dynamo import search
from core.dynamo.items import Item
from core.dynamo.paging import StartKey
from core.dynamo.repository import Repository
from core.dynamo.search_index import fold, words_in


@dataclass(frozen=True)
class Records:
    """The found records, and the key at which the search continues."""

    hits: list[Hit]
    next_keys: dict[str, StartKey] = field(default_factory=dict)
    # A source had more hits, which cannot be paged.
    is_cut: bool = False


def find_records(
    user: User,
    text: str,
    start: dict[str, StartKey] | None = None,
    *,
    limit: int = search.MOST_RECORDS,
) -> Records:
    """The matching records; labels that begin with the text first. Hits of the apps are on the first page."""
    wanted = words_in([text])
    if not wanted:
        return Records([])
    own_finders = [finder for domain, finder in finders if reads_domain(user, domain)]
    sources = [source for finder in own_finders if (source := finder(user)) is not None]
    shows = {entity: show for source in sources for entity, show in source.shows.items()}

    def may_see(repository: Repository[Any], record: Item) -> bool:
        entity = repository.entity
        if entity in shows:
            return shows[entity](record) is not None
        return may_view(user, entity, record) and registry.resource_for(entity).is_found(user, record, text)

    found = search.search(
        text,
        [*scopes_of(user), *(scope for source in sources for scope in source.scopes)],
        may_see=may_see,
        entities={*shows, *(resource.entity for resource in viewable(user))},
        start=start,
        limit=limit,
    )
    indexed = (
        shows[each.entity](each.item) if each.entity in shows else hit_of(each.entity, each.key, each.item)
        for each in found.hits
    )
    hits = [
        replace(hit, entity=each.entity, key=each.key)
        for hit, each in zip(indexed, found.hits, strict=True)
        if hit is not None
    ]
    is_cut = False
    for source in sources if start is None else ():
        own = list(islice(source.find(wanted), search.MOST_RECORDS + 1))
        is_cut = is_cut or len(own) > search.MOST_RECORDS
        hits += own[: search.MOST_RECORDS]
    # A record can be a hit of the index and of an app.
    hits = list({hit.address: hit for hit in hits}.values())
    beginning = fold(text)
    hits.sort(key=lambda hit: not fold(str(hit.title)).startswith(beginning))
    return Records(hits, found.next_keys, is_cut)


def may_view(user: User, entity: str, record: Item | None) -> bool:
    """Whether the user may view the record; without one, which may be deleted, all records of the entity."""
    if not registry.has_resource(entity):
        return False
    resource = registry.resource_for(entity)
    return resource.is_shown_to(user) and resource.may(user, "view", record)


def hit_of(entity: str, key: str, record: Item) -> Hit:
    resource = registry.resource_for(entity)
    return Hit(
        title=resource.repository.label_of(record) or _("Untitled"),
        icon=resource.icon,
        address=resource.record_address(key),
        kind=resource.singular,
        badge=badge_of(resource, record),
    )


def badge_of(resource: Resource, record: Item) -> Badge | None:
    return resource.state(record) if isinstance(resource, PublishedResource) else None
