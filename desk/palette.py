"""The sources of the palette: records by full-text search, screens, and actions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from core.accounts.rights import may_open_page
from core.accounts.user import User
from core.crud import registry
from core.crud.cached_urls import address_of
from core.crud.listing import Badge
from core.crud.palette import ACTIONS, Hit, finders
from core.crud.publication import PublishedResource
from core.crud.registry import scopes_of, viewable
from core.crud.resource import Resource
from core.dynamo import search
from core.dynamo.errors import NotFound
from core.dynamo.items import Item
from core.dynamo.paging import StartKey
from core.dynamo.registry import RecordRef, records_at
from core.dynamo.repository import Repository
from core.dynamo.search_index import fold, words_in
from desk.menu import menu_of, openable_addresses

MOST_RECENT = 10


@dataclass(frozen=True)
class Records:
    """The found records, and the key at which the search continues."""

    hits: list[Hit]
    next_keys: dict[str, StartKey] = field(default_factory=dict)
    # A source had more hits, which cannot be paged.
    is_cut: bool = False


# --- Records ----------------------------------------------------------------------------------------------


def find_records(user: User, text: str, start: dict[str, StartKey] | None = None) -> Records:
    """The matching records; labels that begin with the text first. Hits of the apps are on the first page."""
    wanted = words_in([text])
    if not wanted:
        return Records([])
    sources = [source for finder in finders if (source := finder(user)) is not None]
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
    )
    indexed = (
        shows[each.entity](each.item) if each.entity in shows else hit_of(each.entity, each.key, each.item)
        for each in found.hits
    )
    hits = [hit for hit in indexed if hit is not None]
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


def recent_records(user: User, recent: str) -> list[Hit]:
    """The records that a browser stored as `entity:key,…`, if they exist and the user may view them."""
    places = list(_places(recent))
    found = records_at(places)
    return [
        hit_of(*place, found[place])
        for place in places
        if place in found and may_view(user, place[0], found[place])
    ]


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


def _places(recent: str) -> Iterator[RecordRef]:
    """Parse the list from the browser; invalid entries are skipped."""
    for part in recent.split(",", MOST_RECENT)[:MOST_RECENT]:
        entity, _colon, key = part.partition(":")
        if not registry.has_resource(entity):
            continue
        try:
            registry.resource_for(entity).repository.raw_key(key)
        except NotFound:
            continue
        yield entity, key


# --- Screens and actions ----------------------------------------------------------------------------------


def screens(user: User) -> list[Hit]:
    """The entries of the menu, and the lists that are not in it."""
    lists = {resource.list_address: resource for resource in viewable(user)}
    hits = {
        address: Hit(resource.plural, resource.icon, address, kind=resource.lead)
        for address, resource in lists.items()
    }
    in_menu = []
    for entry in (entry for group in menu_of(openable_addresses(user)) for entry in group.entries):
        listed = hits.pop(entry.address, None)
        in_menu.append(Hit(entry.title, entry.icon, entry.address, kind=listed.kind if listed else ""))
    return [*in_menu, *hits.values()]


def actions(user: User) -> list[Hit]:
    """The quick actions: a new record of each kind, news first, and those of ACTIONS."""
    new = [
        Hit(title=resource.new_title, icon="plus", address=resource.new_address)
        for resource in sorted(registry.resources(), key=lambda resource: resource.entity != "news")
        if resource.may(user, "create")
    ]
    others = [Hit(title=title, icon=icon, address=address_of(name)) for name, title, icon in ACTIONS]
    return [*new, *(hit for hit in others if may_open_page(user, hit.address))]


def settings() -> list[Hit]:
    """The actions of the account menu; its forms are on every page."""
    themes = [
        ("light", "sun", _("Light colours")),
        ("dark", "moon", _("Dark colours")),
        ("system", "screen", _("Colours as the device says")),
    ]
    hits = [
        Hit(title=title, icon=icon, form="theme", name="theme", value=value) for value, icon, title in themes
    ]
    return [*hits, Hit(title=_("Sign out"), icon="sign-out", form="sign-out-form")]


def matching(text: str, hits: Iterable[Hit]) -> list[Hit]:
    """The hits in whose title each word of the text is the beginning of a word; all hits without a text."""
    wanted = fold(text).split()

    def matches(hit: Hit) -> bool:
        words = fold(str(hit.title)).split()
        return all(any(word.startswith(beginning) for word in words) for beginning in wanted)

    return list(filter(matches, hits))
