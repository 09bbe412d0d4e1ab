"""The main menu and which of its entries a user sees."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, resolve, reverse
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import may_open
from core.accounts.user import User
from core.dynamo.errors import Text

Page = tuple[str, Callable[..., Any]]

# The menu in its order: groups of (url name, title, icon). Users see the entries whose pages they may open,
# and the groups with such an entry.
MENU: list[tuple[Text, list[tuple[str, Text, str]]]] = [
    ("", [("home", _("Home"), "home")]),
    (
        _("Website"),
        [
            ("cms:news-list", _("News"), "news"),
            ("cms:media-list", _("Media"), "image"),
            ("cms:calendar", _("Calendar"), "calendar"),
            ("cms:event-list", _("Events"), "flag"),
            ("cms:bus-list", _("Bus"), "bus"),
            ("cms:team-list", _("Teams"), "team"),
            ("cms:member-list", _("Members"), "people"),
            ("cms:role-list", _("Roles"), "tag"),
            ("cms:location-list", _("Locations"), "pin"),
            ("cms:sponsor-list", _("Sponsors"), "heart"),
            ("cms:post-list", _("Social posts"), "link"),
            ("cms:page-list", _("Pages"), "info"),
            ("cms:sams", _("SAMS"), "trophy"),
        ],
    ),
    (
        _("Quests"),
        [
            ("quests:quest-list", _("Quest board"), "flag"),
            ("quests:mine", _("My quests"), "person"),
            ("quests:leaders", _("Leaderboard"), "trophy"),
            ("quests:desk", _("Steward desk"), "check"),
        ],
    ),
    (
        _("Scouting"),
        [
            ("scouting:stand", _("Scout a match"), "robot"),
            ("scouting:pit", _("Pit"), "camera"),
            ("scouting:comment", _("Comment"), "pencil"),
            ("scouting:mine", _("My forms"), "person"),
            ("scouting:coverage", _("Coverage"), "grid"),
            ("scouting:analysis", _("Analysis"), "chart"),
            ("scouting:selection", _("Team selection"), "sort"),
            ("scouting:events", _("Events"), "calendar"),
            ("scouting:settings", _("Scouting settings"), "settings"),
        ],
    ),
    (
        _("Softball"),
        [
            ("tracker:home", _("My softball"), "ball"),
            ("tracker:my-statistics", _("My stats"), "chart"),
            ("tracker:all-teams", _("All teams"), "team"),
        ],
    ),
    (
        _("Administration"),
        [
            ("accounts:people", _("People"), "people"),
            ("webhooks:list", _("Webhooks"), "bell"),
            ("stores:overview", _("Cache and limits"), "chart"),
        ],
    ),
]


@dataclass(frozen=True)
class MenuEntry:
    title: Text
    address: str
    icon: str


@dataclass(frozen=True)
class MenuGroup:
    title: Text
    entries: list[MenuEntry]


def openable_addresses(user: User) -> tuple[str, ...]:
    """The URLs of the entries whose pages the user may open."""
    return tuple(address for address, view in _pages().values() if may_open(user, view))


def menu_of(openable: tuple[str, ...]) -> list[MenuGroup]:
    """The groups and entries with these URLs."""
    pages = _pages()
    groups = []
    for title, entries in MENU:
        all_entries = [MenuEntry(text, pages[name][0], icon) for name, text, icon in entries]
        groups.append(MenuGroup(title, [entry for entry in all_entries if entry.address in openable]))
    return [group for group in groups if group.entries]


def current_address(path: str) -> str:
    """The URL of the current entry: the longest one that is a prefix of the page's path."""
    addresses = (address for address, _view in _pages().values())
    return max((each for each in addresses if path.startswith(each)), key=len, default="")


def _pages() -> dict[str, Page]:
    """The URL and the view of each entry, by route name."""
    return _pages_in(get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())


@lru_cache(maxsize=10)
def _pages_in(urlconf: str, script_prefix: str) -> dict[str, Page]:
    addresses = {name: reverse(name, urlconf) for _title, entries in MENU for name, _text, _icon in entries}
    return {name: (address, resolve(address, urlconf).func) for name, address in addresses.items()}
