"""What every template may ask about the person."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.rights import may_open_page
from accounts.user import User
from dynamo.errors import Text

# The menu in its order: groups of (url name, title, icon). An entry is shown to those who may open its page,
# a group to those who see one of its entries.
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
            ("tracker:my-statistics", _("My figures"), "chart"),
            ("tracker:all-teams", _("All teams"), "team"),
        ],
    ),
    (
        _("Administration"),
        [
            ("accounts:people", _("People"), "people"),
            ("stores:overview", _("Stores"), "chart"),
        ],
    ),
]


@dataclass(frozen=True)
class MenuEntry:
    title: Text
    address: str
    icon: str
    is_here: bool


@dataclass(frozen=True)
class MenuGroup:
    title: Text
    entries: list[MenuEntry]


def person(request: HttpRequest) -> dict[str, Any]:
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return {"person": None, "menu": []}
    addresses = {name: reverse(name) for _title, entries in MENU for name, _entry_title, _icon in entries}
    # The entry to which this page belongs is the one that has most of its address.
    here = max((each for each in addresses.values() if request.path.startswith(each)), key=len, default="")
    groups = [
        MenuGroup(
            title,
            [
                MenuEntry(entry_title, addresses[name], icon, is_here=addresses[name] == here)
                for name, entry_title, icon in entries
                if may_open_page(user, addresses[name])
            ],
        )
        for title, entries in MENU
    ]
    return {"person": user, "menu": [group for group in groups if group.entries]}
