"""The list of members: by name, in the groups in which the website shows them."""

import re

import pytest

from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo import metering
from tests.cms.club import MAKER, make_member, make_team
from tests.cms.public import page_of, part
from tests.core.crud.roles import names_in

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(autouse=True)
def _club(db) -> None:
    ids = {
        name: roles.create(Role(name=name, vorstand=board), actor=MAKER).id
        for name, board in (("Kassenwartin", True), ("Jugendtrainer", False), ("Zeugwart", False))
    }
    make_member("Tabea", role_ids=[ids["Zeugwart"], ids["Kassenwartin"]])
    make_member("Liv", role_ids=[ids["Jugendtrainer"], ids["Kassenwartin"]])
    make_member("Ruben", role_ids=[ids["Zeugwart"], ids["Jugendtrainer"]])
    make_member("Wolf", role_ids=[ids["Zeugwart"]])
    svea = make_member("Svea")
    maya = make_member("Maya")
    make_team("Damen 1", status="published", coach_ids=[maya.id])
    make_team("Damen 2", status="draft", coach_ids=[svea.id])


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Liv", "Maya", "Ruben", "Svea", "Tabea", "Wolf"]),
        # Who is on the board and trains as well is shown with the board.
        ("?group=board", ["Liv", "Tabea"]),
        # Whoever coaches a team that readers see is a coach, as on the website.
        ("?group=trainers", ["Maya", "Ruben"]),
        ("?group=others", ["Svea", "Wolf"]),
        ("?group=board&q=tab", ["Tabea"]),
        ("?group=nonsense", ["Liv", "Maya", "Ruben", "Svea", "Tabea", "Wolf"]),
    ],
)
def test_it_is_sorted_by_name_and_narrowed_by_group(as_role, query: str, names: list[str]) -> None:
    assert names_in(as_role("official").get(f"/cms/members/{query}").content.decode()) == names


def test_they_are_the_groups_of_the_website(as_role, client) -> None:
    website = page_of(client, "/club/people/")

    for group in ("board", "trainers", "others"):
        shown = names_in(as_role("official").get(f"/cms/members/?group={group}").content.decode())
        cards = part(website, "ul", f"people-{group}")
        assert re.findall('class="person-name">(.*?)<', cards) == shown


def test_groups_cost_a_request_for_all_roles_and_one_for_all_teams(as_role) -> None:
    client = as_role("official")
    costs = []
    for query in ("", "?group=board"):
        with metering.metered() as meter:
            client.get(f"/cms/members/{query}")
        costs.append(meter.operations)

    assert costs == [
        ["GetItem", "Query", "BatchGetItem"],
        ["GetItem", "Query", "Query", "Query", "BatchGetItem"],
    ]
