"""The main menu: its groups and entries, which of them a user sees, and which groups are open."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, resolve, reverse
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import may, may_open
from core.accounts.user import User
from core.dynamo.errors import Text


@dataclass(frozen=True)
class Entry:
    """One screen. Users see the entries whose pages they may open."""

    # The name of the URL.
    name: str
    title: Text
    icon: str
    # Only those who hold this right for every record see the entry; others find the page by the search.
    right: str = ""
    # The paths of other pages that belong to it.
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """Entries under a heading that opens and closes; without a title they are always in sight."""

    id: str
    title: Text
    entries: tuple[Entry, ...]


MENU = (
    Group("", "", (Entry("home", _("Home"), "home"), Entry("cms:calendar", _("Calendar"), "calendar"))),
    Group(
        "club",
        _("Club"),
        (
            Entry("cms:team-list", _("Teams"), "team"),
            Entry("cms:member-list", _("Members"), "people"),
            Entry("cms:role-list", _("Roles"), "tag", right="cms.role.update"),
            Entry("cms:location-list", _("Locations"), "pin", right="cms.location.view"),
            Entry("cms:bus-list", _("Bus"), "bus"),
        ),
    ),
    Group(
        "website",
        _("Website"),
        (
            Entry("cms:news-list", _("News"), "news"),
            Entry("cms:event-list", _("Events"), "ticket"),
            Entry("cms:page-list", _("Pages"), "file"),
            Entry("cms:media-list", _("Media"), "image"),
            Entry("cms:sponsor-list", _("Sponsors"), "heart"),
            Entry("cms:post-list", _("Social posts"), "share"),
        ),
    ),
    Group(
        "quests",
        _("Quests"),
        (
            Entry("quests:quest-list", _("Quest board"), "flag"),
            Entry("quests:mine", _("My quests"), "bookmark"),
            Entry("quests:leaders", _("Leaderboard"), "trophy", also=("quests/people/",)),
            Entry("quests:desk", _("Steward desk"), "scales"),
        ),
    ),
    Group(
        "scouting",
        _("Scouting"),
        (
            Entry("scouting:stand", _("Scout a match"), "robot"),
            Entry("scouting:pit", _("Pit form"), "wrench"),
            Entry("scouting:comment", _("Comment on a team"), "comment"),
            Entry("scouting:mine", _("My forms"), "clipboard", also=("scouting/forms/",)),
            Entry("scouting:coverage", _("Coverage"), "grid"),
            Entry("scouting:analysis", _("Analysis"), "trend", also=("scouting/teams/", "scouting/compare/")),
            Entry("scouting:selection", _("Team selection"), "sort"),
            Entry("scouting:events", _("FRC events"), "medal"),
            Entry("scouting:settings", _("Scouting settings"), "sliders", also=("scouting/games/",)),
        ),
    ),
    Group(
        "softball",
        _("Softball"),
        (
            Entry("tracker:home", _("My softball"), "ball"),
            Entry("tracker:my-statistics", _("My stats"), "chart"),
            Entry("tracker:all-teams", _("All softball teams"), "shirt", also=("tracker/all/",)),
        ),
    ),
    Group(
        "administration",
        _("Administration"),
        (
            Entry("club:settings", _("Club settings"), "settings"),
            Entry("accounts:people", _("People"), "key"),
            Entry("cms:sams", _("SAMS sync"), "sync", right="cms.sams.update", also=("cms/sams-",)),
            Entry("webhooks:list", _("Webhooks"), "link"),
            Entry("stores:overview", _("Cache and limits"), "gauge"),
        ),
    ),
)
# As many entries and headings as a laptop shows without scrolling. Groups that fit are open until somebody
# closes them: first those that not every member has.
FITS = 15
OPEN_FIRST = ("scouting", "website", "club", "quests", "softball", "administration")


@dataclass(frozen=True)
class MenuEntry:
    title: Text
    address: str
    icon: str
    right: str = ""
    prefixes: tuple[str, ...] = ()


@dataclass(frozen=True)
class MenuGroup:
    """The entries of a group that a user sees. A group with one entry shows it without a heading."""

    id: str
    title: Text
    entries: list[MenuEntry] = field(default_factory=list)

    @property
    def has_heading(self) -> bool:
        return bool(self.title) and len(self.entries) > 1


def openable_entries(user: User) -> Iterator[MenuEntry]:
    """Every entry whose page the user may open."""
    return (entry for _group, entry, view in _pages() if may_open(user, view))


def addresses_for(user: User) -> tuple[str, ...]:
    """The URLs of the entries in the user's menu."""
    return tuple(
        entry.address for entry in openable_entries(user) if not entry.right or may(user, entry.right)
    )


def menu_of(addresses: Collection[str]) -> list[MenuGroup]:
    """The groups and entries with these URLs."""
    groups = {group.id: MenuGroup(group.id, group.title) for group in MENU}
    for group, entry, _view in _pages():
        if entry.address in addresses:
            groups[group].entries.append(entry)
    return [group for group in groups.values() if group.entries]


def open_at_first(menu: list[MenuGroup]) -> frozenset[str]:
    """The ids of the groups that are open as long as the user has not chosen."""
    closed = {group.id: group for group in menu if group.has_heading}
    shown = len(closed) + sum(len(group.entries) for group in menu if not group.has_heading)
    found = set()
    for name in filter(closed.__contains__, OPEN_FIRST):
        shown += len(closed[name].entries)
        if shown > FITS:
            break
        found.add(name)
    return frozenset(found)


def current_entry(path: str) -> tuple[str, str]:
    """The group and the URL of the current entry: the one with the longest prefix of the page's path."""
    found = [
        (len(prefix), group, entry.address)
        for group, entry, _view in _pages()
        for prefix in entry.prefixes
        if path.startswith(prefix)
    ]
    _length, group, address = max(found, default=(0, "", ""))
    return group, address


Page = tuple[str, MenuEntry, Callable[..., Any]]


def _pages() -> list[Page]:
    """The id of the group, the entry and the view of each screen."""
    return _pages_in(get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())


@lru_cache(maxsize=10)
def _pages_in(urlconf: str, script_prefix: str) -> list[Page]:
    found = []
    for group in MENU:
        for entry in group.entries:
            address = reverse(entry.name, urlconf)
            prefixes = (address, *(script_prefix + path for path in entry.also))
            shown = MenuEntry(entry.title, address, entry.icon, entry.right, prefixes)
            found.append((group.id, shown, resolve(address, urlconf).func))
    return found
