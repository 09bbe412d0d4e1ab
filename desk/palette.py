"""The sources of the palette besides the search: recent records, screens, and actions."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from core.accounts.rights import may_open_page
from core.accounts.user import User
from core.crud import registry
from core.crud.cached_urls import address_of
from core.crud.palette import ACTIONS, Hit
from core.crud.record_search import hit_of, may_view
from core.crud.registry import viewable
from core.dynamo.errors import NotFound
from core.dynamo.registry import RecordRef, records_at
from core.dynamo.search_index import fold
from desk.menu import openable_entries

MOST_RECENT = 10


# --- Records ----------------------------------------------------------------------------------------------


def recent_records(user: User, recent: str) -> list[Hit]:
    """The records that a browser stored as `entity:key,…`, if they exist and the user may view them."""
    places = list(_places(recent))
    found = records_at(places)
    return [
        hit_of(*place, found[place])
        for place in places
        if place in found and may_view(user, place[0], found[place])
    ]


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
    """All screens of the menu that the user may open, and the lists that are not in it."""
    lists = {resource.list_address: resource for resource in viewable(user)}
    hits = {
        address: Hit(resource.plural, resource.icon, address, kind=resource.lead)
        for address, resource in lists.items()
    }
    in_menu = []
    for entry in openable_entries(user):
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


def account(user: User) -> list[Hit]:
    """What the account menu offers; its forms are on every page."""
    pages = [
        Hit(title=_("Your profile"), icon="person", address=address_of("accounts:profile")),
        Hit(title=_("Access tokens"), icon="lock", address=address_of("accounts:tokens")),
    ]
    themes = [
        ("light", "sun", _("Light colours")),
        ("dark", "moon", _("Dark colours")),
        ("system", "screen", _("Use device colours")),
    ]
    hits = [
        Hit(title=title, icon=icon, form="theme", name="theme", value=value) for value, icon, title in themes
    ]
    return [
        *(hit for hit in pages if may_open_page(user, hit.address)),
        *hits,
        Hit(title=_("Sign out"), icon="sign-out", form="sign-out-form"),
    ]


def matching(text: str, hits: Iterable[Hit]) -> list[Hit]:
    """The hits in whose title each word of the text is the beginning of a word; all hits without a text."""
    wanted = fold(text).split()

    def matches(hit: Hit) -> bool:
        words = fold(str(hit.title)).split()
        return all(any(word.startswith(beginning) for word in words) for beginning in wanted)

    return list(filter(matches, hits))
