"""The list of members: by name, in the groups in which the website shows them."""

import pytest

from cms.models import Role
from cms.repository import roles
from dynamo import metering
from tests.cms.club import MAKER, make_member
from tests.crud.roles import names_in

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(autouse=True)
def _club() -> None:
    ids = {
        name: roles.create(Role(name=name, vorstand=board), actor=MAKER).id
        for name, board in (("Kassenwartin", True), ("Jugendtrainer", False), ("Zeugwart", False))
    }
    make_member("Tabea", role_ids=[ids["Zeugwart"], ids["Kassenwartin"]])
    make_member("Liv", role_ids=[ids["Jugendtrainer"], ids["Kassenwartin"]])
    make_member("Ruben", role_ids=[ids["Zeugwart"], ids["Jugendtrainer"]])
    make_member("Wolf", role_ids=[ids["Zeugwart"]])
    make_member("Svea")


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Liv", "Ruben", "Svea", "Tabea", "Wolf"]),
        # Who is on the board and trains as well is shown with the board.
        ("?group=board", ["Liv", "Tabea"]),
        ("?group=trainers", ["Ruben"]),
        ("?group=others", ["Svea", "Wolf"]),
        ("?group=board&q=tab", ["Tabea"]),
        ("?group=nonsense", ["Liv", "Ruben", "Svea", "Tabea", "Wolf"]),
    ],
)
def test_it_is_sorted_by_name_and_narrowed_by_group(as_role, query: str, names: list[str]) -> None:
    assert names_in(as_role("official").get(f"/cms/members/{query}").content.decode()) == names


def test_groups_cost_one_request_for_all_roles(as_role) -> None:
    client = as_role("official")
    costs = []
    for query in ("", "?group=board"):
        with metering.metered() as meter:
            client.get(f"/cms/members/{query}")
        costs.append(meter.operations)

    assert costs == [["GetItem", "Query", "BatchGetItem"], ["GetItem", "Query", "Query", "BatchGetItem"]]
