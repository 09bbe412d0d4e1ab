"""Saved views of a list: search, filters and order under a name, one set for each user."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from core.accounts import preferences
from core.accounts.user import User
from core.crud.listing import Listing, searched
from core.crud.resource import Resource
from core.dynamo.errors import Invalid, TooLarge

MOST_VIEWS = 20
LONGEST_NAME = 60


@dataclass(frozen=True)
class SavedView:
    name: str
    query: Mapping[str, str]
    is_current: bool

    @property
    def address(self) -> str:
        # Sorted, because the stored map has no order.
        return "?" + urlencode(sorted(self.query.items()))


def views_of(request: HttpRequest, resource: Resource, listing: Listing) -> list[SavedView]:
    """The saved views from the session, by name; `is_current` marks the one with the list's query."""
    prefix = _prefix(resource)
    return [
        SavedView(name.removeprefix(prefix), query, is_current=query == listing.query)
        for name, query in sorted(preferences.of(request).items())
        if name.startswith(prefix)
    ]


def save(request: HttpRequest, user: User, resource: Resource, name: str, listing: Listing) -> str:
    """Save the list's query, replacing a view with this name. Returns the name as it was stored."""
    kept_name = searched(name)[:LONGEST_NAME].strip()
    if not kept_name:
        raise Invalid(_("Give this view a name to save it."))
    prefix = _prefix(resource)
    others = [other for other in preferences.current(request, user) if other.startswith(prefix)]
    if len(others) >= MOST_VIEWS and prefix + kept_name not in others:
        text = _("You already have %(most)d saved views of this list. Remove one first.")
        raise TooLarge(text % {"most": MOST_VIEWS})
    preferences.save(request, user, prefix + kept_name, listing.query)
    return kept_name


def forget(request: HttpRequest, user: User, resource: Resource, name: str) -> None:
    preferences.forget(request, user, _prefix(resource) + name[:LONGEST_NAME])


def _prefix(resource: Resource) -> str:
    return f"view:{resource.entity}:"
