"""The list of teams: by name, narrowed by status and gender, at the price of any list."""

import pytest

from core.dynamo import metering
from tests.cms.club import make_member, make_team
from tests.core.crud.roles import names_in

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def club() -> None:
    coach = make_member("Ruben Achterberg")
    make_team("Über 50", status="archived")
    make_team("Herren 1", status="published", coach_ids=[coach.id], league="Landesliga")
    make_team("damen 1", status="published", gender="woman", coach_ids=[coach.id])
    make_team("Mixed", gender="mixed")


@pytest.mark.usefixtures("club")
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["damen 1", "Herren 1", "Mixed", "Über 50"]),
        ("?sort=-name", ["Über 50", "Mixed", "Herren 1", "damen 1"]),
        ("?status=published", ["Herren 1", "damen 1"]),
        ("?status=draft", ["Mixed"]),
        ("?gender=woman", ["damen 1"]),
        ("?status=published&gender=men", ["Herren 1"]),
        ("?q=landes", ["Herren 1"]),
    ],
)
def test_it_is_sorted_and_narrowed(as_role, query: str, names: list[str]) -> None:
    page = as_role("official").get(f"/cms/teams/{query}").content.decode()

    assert names_in(page) == names


@pytest.mark.usefixtures("club")
@pytest.mark.parametrize("query", ["", "?status=published", "?gender=men"])
def test_it_costs_the_session_a_query_and_the_names_of_the_coaches(as_role, query: str) -> None:
    client = as_role("official")
    with metering.metered() as meter:
        page = client.get(f"/cms/teams/{query}").content.decode()

    assert meter.operations == ["GetItem", "Query", "BatchGetItem"]
    assert "Ruben Achterberg" in page
