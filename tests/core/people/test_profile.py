"""The user's own page: who they are here, and where each of it is changed."""

import re
from dataclasses import replace

import pytest
from django.conf import settings
from django.test import Client

from core.accounts.user import User
from core.dynamo import metering
from tests.cast import CAST, session_of
from tests.core.people.people_pages import texts

pytestmark = pytest.mark.usefixtures("db")

MEMBER = "Member Can use the quest board, book the bus and keep softball teams."
EVERYWHERE = {"to-quests": "/quests/people/{sub}/", "to-softball": "/tracker/profile/"}


def profile_of(user: User) -> str:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session_of(user).session_key)
    response = client.get("/profile/")
    assert response.status_code == 200
    return response.content.decode()


def links(page: str) -> dict[str, str]:
    return dict(re.findall(r'id="(to-\w+|change-\w+)" href="([^"]+)"', page))


@pytest.mark.parametrize(
    ("role", "groups"),
    [
        ("admin", ["Admin Can do everything, including people and permissions.", MEMBER]),
        ("official", ["Official Writes news and events for the website and edits their own.", MEMBER]),
        ("member", [MEMBER]),
        ("guest", ["Guest Sees only the softball teams that invited them."]),
    ],
)
def test_it_names_the_person_and_says_their_groups_in_words(role: str, groups: list[str]) -> None:
    user = CAST[role]
    page = profile_of(user)

    main = page[page.index("<main") :]
    assert f">{user.name}</dd>" in main
    assert f">{user.email}</dd>" in main
    found = re.findall(r"<li>(.*?)</li>", main.partition('id="groups"')[2].partition("</ul>")[0], re.DOTALL)
    assert [re.sub(r"<[^>]+>", " ", each).split() for each in found] == [group.split() for group in groups]


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        (CAST["member"], EVERYWHERE | {"change-name": "/tracker/profile/"}),
        (CAST["guest"], {"to-softball": "/tracker/profile/", "change-name": "/tracker/profile/"}),
        (
            CAST["admin"],
            EVERYWHERE | {"change-name": "/tracker/profile/", "change-groups": "/people/admin-sub/"},
        ),
        (
            replace(CAST["member"], member_ids=frozenset({"m2", "m1"})),
            EVERYWHERE | {"change-name": "/tracker/profile/", "to-member": "/cms/members/m1/"},
        ),
    ],
)
def test_it_leads_to_where_each_of_it_is_changed(user: User, expected: dict[str, str]) -> None:
    found = links(profile_of(user))
    found.pop("to-website")

    assert found == {name: address.format(sub=user.sub) for name, address in expected.items()}


def test_the_account_menu_leads_there_and_it_costs_only_the_session() -> None:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session_of(CAST["member"]).session_key)
    with metering.metered() as meter:
        response = client.get("/profile/")

    assert meter.operations == ["GetItem"]
    assert texts(response, r'href="/profile/">(.*?)</a>') == ["Your profile"]
