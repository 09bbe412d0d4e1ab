"""The menu: what each role finds in it, which groups are open, and which entry is the current one."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from django.conf import settings
from django.urls import reverse

from core.accounts.rights import may_open_page
from core.accounts.user import User
from desk.menu import MENU, addresses_for, current_entry, menu_of, open_at_first, openable_entries
from tests.cast import CAST
from tests.desk.home import AsRole

COACH = replace(CAST["member"], member_ids=frozenset({"m1"}))
PEOPLE = {**CAST, "coach": COACH}

OF_ALL = {"": ["Home", "Calendar"], "Softball": ["My softball", "My stats"]}
CLUB = {"Club": ["Teams", "Members", "Roles", "Locations", "Bus"]}
WEBSITE = {"Website": ["News", "Events", "Pages", "Media", "Sponsors", "Social posts"]}
QUESTS = {"Quests": ["Quest board", "My quests", "Leaderboard"]}
STEWARDS = {"Quests": [*QUESTS["Quests"], "Steward desk"]}
BUS = {"Club": ["Bus"]}
SCOUTS = {"Scouting": ["Scout a match", "Pit form", "Comment on a team", "My forms", "Coverage"]}
SCOUT_LEADS = {
    "Scouting": [*SCOUTS["Scouting"], "Analysis", "Team selection", "FRC events", "Scouting settings"]
}
EVERYTHING = {"Softball": [*OF_ALL["Softball"], "All softball teams"]}
ADMINISTRATION = {"Administration": ["Club settings", "People", "SAMS sync", "Webhooks", "Cache and limits"]}


def menu_for(user: User) -> dict[str, list[str]]:
    return {
        str(group.title): [str(entry.title) for entry in group.entries]
        for group in menu_of(addresses_for(user))
    }


@pytest.mark.parametrize(
    ("role", "menu"),
    [
        ("admin", OF_ALL | CLUB | WEBSITE | STEWARDS | SCOUT_LEADS | EVERYTHING | ADMINISTRATION),
        ("moderator", OF_ALL | CLUB | WEBSITE | QUESTS),
        (
            "official",
            OF_ALL
            | {"Club": ["Teams", "Members", "Locations", "Bus"]}
            | {"Website": ["News", "Events", "Media", "Social posts"]}
            | QUESTS,
        ),
        ("scout-lead", OF_ALL | BUS | QUESTS | SCOUT_LEADS),
        ("scout", OF_ALL | BUS | QUESTS | SCOUTS),
        ("steward", OF_ALL | BUS | STEWARDS),
        ("member", OF_ALL | BUS | QUESTS),
        ("other-member", OF_ALL | BUS | QUESTS),
        ("coach", OF_ALL | {"Club": ["Teams", "Members", "Bus"]} | QUESTS),
        ("guest", OF_ALL | {"": ["Home"]}),
    ],
)
def test_everybody_finds_what_they_work_with(role: str, menu: dict[str, list[str]]) -> None:
    assert menu_for(PEOPLE[role]) == menu


def test_groups_stand_in_the_same_order_for_everybody_and_administration_is_the_last() -> None:
    order = [str(group.title) for group in MENU]

    assert order == ["", "Club", "Website", "Quests", "Scouting", "Softball", "Administration"]
    for user in PEOPLE.values():
        titles = list(menu_for(user))
        assert titles == sorted(titles, key=order.index)


@pytest.mark.parametrize("role", PEOPLE)
def test_every_entry_lets_the_user_in_and_what_is_left_out_is_found_by_the_search(role: str) -> None:
    user = PEOPLE[role]
    openable = {entry.address for entry in openable_entries(user)}

    assert set(addresses_for(user)) <= openable
    assert openable == {
        reverse(entry.name)
        for group in MENU
        for entry in group.entries
        if may_open_page(user, reverse(entry.name))
    }


def test_no_two_entries_have_the_same_name_or_icon() -> None:
    entries = [entry for group in MENU for entry in group.entries]
    names = Counter(
        str(name).casefold()
        for name in [*(entry.title for entry in entries), *(group.title for group in MENU)]
    )
    icons = Counter(entry.icon for entry in entries)

    assert [name for name, count in names.items() if count > 1] == []
    assert [icon for icon, count in icons.items() if count > 1] == []
    assert not {"chevron-right", "external"} & set(icons)


# --- Open groups ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "groups"),
    [
        ("admin", set()),
        ("moderator", {"website"}),
        ("official", {"website", "club"}),
        ("scout-lead", {"scouting"}),
        ("scout", {"scouting", "quests"}),
        ("steward", {"quests", "softball"}),
        ("member", {"quests", "softball"}),
        ("coach", {"club", "quests", "softball"}),
        ("guest", {"softball"}),
    ],
)
def test_the_groups_that_fit_a_laptop_are_open_at_first(role: str, groups: set[str]) -> None:
    assert open_at_first(menu_of(addresses_for(PEOPLE[role]))) == groups


def test_an_administrator_has_at_most_twelve_entries_in_sight_at_first() -> None:
    menu = menu_of(addresses_for(CAST["admin"]))
    opened = open_at_first(menu)
    headings = sum(group.has_heading for group in menu)
    entries = sum(len(group.entries) for group in menu if not group.has_heading or group.id in opened)

    # The link to the website is the last one.
    assert headings + entries + 1 == 9


def test_a_group_of_one_entry_has_no_heading() -> None:
    headings = {group.id: group.has_heading for group in menu_of(addresses_for(CAST["member"]))}

    assert headings == {"": False, "club": False, "quests": True, "softball": True}


def open_groups(as_role: AsRole, role: str, cookie: str = "", address: str = "/desk/") -> set[str]:
    client = as_role(role)
    client.cookies[settings.MENU_COOKIE_NAME] = cookie
    page = client.get(address).content.decode()
    return {
        name
        for name, state in re.findall(r'<details class="menu-group" id="menu-(\w+)"( open)?>', page)
        if state
    }


@pytest.mark.parametrize(
    ("cookie", "groups"),
    [
        ("", {"quests", "softball"}),
        ("-quests", {"softball"}),
        ("-softball.-quests", set()),
        ("quests", {"quests", "softball"}),
        ("website.scouting", {"quests", "softball"}),
        ('"><script>.{name}', {"quests", "softball"}),
    ],
)
def test_what_somebody_opened_and_closed_is_rendered_so(
    as_role: AsRole, cookie: str, groups: set[str]
) -> None:
    assert open_groups(as_role, "member", cookie) == groups


def test_the_group_of_the_page_is_open_whatever_was_chosen(as_role: AsRole) -> None:
    assert open_groups(as_role, "admin", address="/cms/news/") == {"website"}
    assert open_groups(as_role, "admin", "-website.quests", "/cms/news/") == {"website", "quests"}
    assert open_groups(as_role, "admin") == set()


@pytest.mark.parametrize(
    ("path", "current"),
    [
        ("/desk/", ("", "/desk/")),
        ("/cms/news/new", ("website", "/cms/news/")),
        ("/cms/sams-teams/", ("administration", "/cms/sams/")),
        ("/people/some-sub/", ("administration", "/people/")),
        ("/stores/cache/", ("administration", "/stores/")),
        ("/quests/some-key/", ("quests", "/quests/")),
        ("/quests/mine/", ("quests", "/quests/mine/")),
        ("/quests/people/some-sub/", ("quests", "/quests/leaders/")),
        ("/scouting/forms/stand/key/", ("scouting", "/scouting/mine/")),
        ("/scouting/teams/254/", ("scouting", "/scouting/analysis/")),
        ("/scouting/compare/", ("scouting", "/scouting/analysis/")),
        ("/scouting/games/2026/", ("scouting", "/scouting/settings/")),
        ("/tracker/games/some-game/", ("softball", "/tracker/")),
        ("/tracker/all/games/", ("softball", "/tracker/all/teams/")),
        ("/search", ("", "")),
    ],
)
def test_every_page_belongs_to_an_entry(path: str, current: tuple[str, str]) -> None:
    assert current_entry(path) == current


def test_the_menu_ends_with_a_link_to_the_website(as_role: AsRole) -> None:
    for role in CAST:
        menu = as_role(role).get("/desk/").content.decode().partition('id="menu"')[2].partition("</nav>")[0]
        assert re.findall(r'<a class="menu-website" id="to-website" href="/">', menu)
