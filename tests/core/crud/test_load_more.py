""" "Load more" in a list: its tokens, how many rows a page has, and odd addresses."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from tests.cast import sign_in
from tests.core.crud.roles import LIST, fill, make, names_in, next_page

AsRole = Callable[[str], Client]
HTMX = {"HX-Request": "true"}
NEWS = "/cms/news/"


def test_load_more_shows_every_record_once_and_moves_the_focus_to_the_first_new_one(as_role: AsRole) -> None:
    fill(0, 60)
    client = as_role("member")

    response = client.get(LIST)
    names = names_in(response.content.decode())
    while next_page(response):
        response = client.get(LIST + next_page(response), headers=HTMX)
        page = response.content.decode()
        assert page.strip().startswith("<tr")
        assert page.count("autofocus") == 1
        assert re.search(rf'<td class="card-title"><a [^>]*autofocus>{names_in(page)[0]}</a>', page)
        names += names_in(page)

    assert names == [f"Role {number:05}" for number in range(60)]


def test_without_javascript_a_later_page_leads_back_to_the_beginning(as_role: AsRole) -> None:
    fill(0, 30)
    client = as_role("member")

    page = client.get(LIST + next_page(client.get(LIST, {"sort": "-name"}))).content.decode()

    assert names_in(page) == [f"Role {number:05}" for number in range(4, -1, -1)]
    assert 'id="from-the-start" href="?sort=-name"' in page


@pytest.mark.parametrize(("limit", "many"), [("5", 5), ("0", 1), ("100", 100), ("101", 100), ("x", 20)])
def test_how_many_rows_can_be_asked_for(as_role: AsRole, limit: str, many: int) -> None:
    fill(0, 120)
    client = as_role("member")

    response = client.get(LIST, {"limit": limit})

    assert len(response.context["rows"]) == many
    assert len(client.get(LIST + next_page(response)).context["rows"]) == min(many, 120 - many)


@pytest.mark.parametrize("changed", ["vorstand=no", "sort=-name", "q=role"])
def test_a_token_holds_for_its_filters_only(as_role: AsRole, changed: str) -> None:
    fill(0, 30)
    client = as_role("member")
    token = next_page(client.get(LIST)).split("after=")[1]

    assert client.get(f"{LIST}?after={token}").status_code == 200
    assert client.get(f"{LIST}?sort=name&after={token}").status_code == 200
    assert client.get(f"{LIST}?{changed}&after={token}").status_code == 400


def test_a_token_holds_for_its_person_and_list_only(client: Client, as_role: AsRole) -> None:
    fill(0, 30)
    token = next_page(as_role("official").get(LIST))

    assert client.get(NEWS + token).status_code == 400
    assert sign_in(client, "member").get(LIST + token).status_code == 400


@pytest.mark.parametrize(
    "query",
    [
        "q=%00",
        "q=%ff%fe",
        "q=%ED%A0%80",
        "q=" + "x" * 3000,
        "q=a&q=b",
        "q=%27%22%3Cscript%3E",
        "q=%E2%80%AE%F0%9F%8F%90",
        "vorstand=yes&vorstand=no",
        "vorstand=%00",
        "vorstand[]=yes",
        "sort=__class__",
        "sort=-",
        "limit=-1",
        "limit=%D9%A3",
        "limit=1e9",
        "limit=99999999999999999999",
        "%00=%00",
        "after=",
        "&&&=&",
    ],
)
def test_an_odd_address_shows_a_list(as_role: AsRole, query: str) -> None:
    make("Treasurer")
    client = as_role("member")

    for address in (LIST, f"{LIST}export.csv"):
        assert client.get(f"{address}?{query}").status_code == 200
    assert client.get(f"{LIST}?{query}", headers=HTMX).status_code == 200


@pytest.mark.parametrize("token", ["x", "%00", "eyJ9:1:x", "x" * 5000, "..", "%ED%A0%80"])
def test_a_forged_token_is_refused(as_role: AsRole, token: str) -> None:
    assert as_role("member").get(f"{LIST}?after={token}").status_code == 400
