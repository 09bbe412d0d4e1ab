"""The list of people: search, pages, badges."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.utils.html import escape

from core.accounts import cast, cognito
from tests.core.people.people_pages import names, rows, texts
from tests.user_pool import Pool

CAST_NAMES = [person.name for person in cast.CAST]


def next_page(response: object) -> str:
    """The address behind "Load more"."""
    (found,) = re.findall(r'id="load-more" href="([^"]*)"', response.content.decode())  # type: ignore[attr-defined]
    return "/people/" + str(found).replace("&amp;", "&")


def test_each_person_is_shown_with_address_groups_and_status(admin: Client, pool: Pool) -> None:
    pool.ask("admin_disable_user", Username=pool["steward"].sub)
    pool.ask("admin_add_user_to_group", Username=pool["scout"].sub, GroupName="official")
    pool.ask(
        "admin_set_user_password", Username=pool["official"].sub, Password=cast.PASSWORD, Permanent=False
    )
    pool.ask("admin_reset_user_password", Username=pool["moderator"].sub)

    response = admin.get("/people/")

    assert response.status_code == 200
    assert [row.partition("> ")[2] for row in rows(response)] == [
        "Amara Lindqvist (you) amara.lindqvist@fieldhouse.example Admin Active",
        "Moritz Feldkamp moritz.feldkamp@fieldhouse.example Moderator Must reset password",
        "Odile Brandt odile.brandt@fieldhouse.example Official Invited",
        "Leandro Sato leandro.sato@fieldhouse.example Scout lead Active",
        "Sina Hoffmann sina.hoffmann@fieldhouse.example Official Scout Active",
        "Stellan Okafor stellan.okafor@fieldhouse.example Steward Disabled",
        "Maya Rosenthal maya.rosenthal@fieldhouse.example Member Active",
        "Milan Petrov milan.petrov@fieldhouse.example Member Active",
        "Gesa Albrecht gesa.albrecht@fieldhouse.example Guest Active",
    ]
    assert texts(response, r'id="found"[^>]*>(.*?)</p>') == ["9 people"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("amara", ["Amara Lindqvist"]),
        ("AMARA LIND", ["Amara Lindqvist"]),
        ("Lindq", ["Amara Lindqvist"]),
        ("sina.hoffmann@fieldhouse", ["Sina Hoffmann"]),
        ("  milan ", ["Milan Petrov"]),
        ("mila\x00n\u202e", ["Milan Petrov"]),
        ("m", ["Moritz Feldkamp", "Maya Rosenthal", "Milan Petrov"]),
        ("s", ["Sina Hoffmann", "Stellan Okafor", "Leandro Sato"]),
        ("rosenthal@", []),
    ],
)
def test_a_search_finds_first_and_last_names_and_addresses_that_begin_with_it(
    admin: Client, typed: str, found: list[str]
) -> None:
    assert names(admin.get("/people/", {"q": typed})) == found


@pytest.mark.parametrize(
    "typed", ['"', 'a" or name ^= "', "\\", "amara\\", "'", "*", "%", "x" * 500, "ß" * 300]
)
def test_nothing_that_is_typed_breaks_out_of_the_search(admin: Client, typed: str) -> None:
    response = admin.get("/people/", {"q": typed})

    assert response.status_code == 200
    assert names(response) == []
    assert escape(f"starts with “{typed[:100]}”.") in response.content.decode()


def test_the_filter_that_cognito_gets_has_its_quotes_escaped(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    send = cognito._send

    def note(operation: str, arguments: dict[str, object]) -> dict[str, object]:
        asked.append(str(arguments.get("Filter")))
        return send(operation, arguments)

    monkeypatch.setattr(cognito, "_send", note)
    admin.get("/people/", {"q": '@a"b\\'})

    assert asked == ['email ^= "@a\\"b\\\\"']


def test_load_more_leads_through_everybody_once(admin: Client, pool: Pool) -> None:
    for number in range(15):
        pool.add(f"Extra{number:02}", "Person")

    first = admin.get("/people/")
    second = admin.get(next_page(first))

    assert names(first) == [*CAST_NAMES, *(f"Extra{number:02} Person" for number in range(11))]
    assert texts(first, r'id="found"[^>]*>(.*?)</p>') == ["20 people shown"]
    assert names(second) == ["Extra11 Person", "Extra12 Person", "Extra13 Person", "Extra14 Person"]
    assert texts(second, r'id="found"[^>]*>(.*?)</p>') == ["4 people shown"]
    assert "load-more" not in second.content.decode()
    assert texts(second, r'id="from-the-start"[^>]*>(.*?)</a>') == ["Back to the start of the list"]


def test_a_search_shows_nobody_twice_on_any_page(admin: Client, pool: Pool) -> None:
    """These people are found by first name, last name and address alike."""
    for number in range(25):
        pool.add("Quinn", f"Quint{number:02}")

    page = admin.get("/people/", {"q": "qui"})
    everybody = names(page)
    while "load-more" in page.content.decode():
        page = admin.get(next_page(page))
        everybody += names(page)

    assert everybody == [f"Quinn Quint{number:02}" for number in range(25)]
    assert "End of the list." in page.content.decode()


def test_a_page_of_a_search_is_not_longer_than_any_other(admin: Client, pool: Pool) -> None:
    """Its first part is found by first name, its second by last name."""
    for number in range(12):
        pool.add("Quinn", f"Person{number:02}", email=f"a{number}@people.example")
        pool.add(f"Person{number:02}", "Quint", email=f"b{number}@people.example")

    first = admin.get("/people/", {"q": "qui"})
    second = admin.get(next_page(first))

    assert [len(names(page)) for page in (first, second)] == [20, 4]


def test_an_account_without_an_address_does_not_hide_the_others(admin: Client, pool: Pool) -> None:
    sub = pool.add("Nadia", "Namenlos")
    empty = [{"Name": name, "Value": ""} for name in ("email", "name")]
    pool.ask("admin_update_user_attributes", Username=sub, UserAttributes=empty)

    response = admin.get("/people/", {"q": "Namenlos"})

    assert response.status_code == 200
    assert "Nadia Namenlos" in response.content.decode()
    assert admin.get(f"/people/{sub}/").status_code == 200


def test_htmx_gets_only_the_results(admin: Client) -> None:
    response = admin.get("/people/", {"q": "amara"}, headers={"HX-Request": "true"})

    assert names(response) == ["Amara Lindqvist"]
    assert "<html" not in response.content.decode()
    assert '<p hx-swap-oob="innerHTML:#found">1 person</p>' in response.content.decode()
    assert "HX-Request" in response["Vary"]


def test_htmx_gets_only_the_rows_that_are_more_and_the_focus_goes_to_the_first(
    admin: Client, pool: Pool
) -> None:
    for number in range(13):
        pool.add(f"Extra{number:02}", "Person")
    address = next_page(admin.get("/people/"))

    response = admin.get(address, headers={"HX-Request": "true"})

    assert names(response) == ["Extra11 Person", "Extra12 Person"]
    assert "<table" not in response.content.decode()
    assert texts(response, r"autofocus>(.*?)</a>") == ["Extra11 Person"]


def test_a_page_token_is_refused_where_it_does_not_belong(admin: Client, pool: Pool) -> None:
    for number in range(14):
        pool.add(f"Extra{number:02}", "Person")
    address = next_page(admin.get("/people/"))

    assert admin.get(address).status_code == 200
    assert admin.get(address + "x").status_code == 400
    assert admin.get(address.replace("q=", "q=amara")).status_code == 400
    assert admin.get("/people/?after=" + "x" * 5000).status_code == 400


def test_another_persons_page_token_is_refused(
    admin: Client, as_person: Callable[[str], Client], pool: Pool
) -> None:
    for number in range(14):
        pool.add(f"Extra{number:02}", "Person")
    pool.people["moderator"] = replace(pool["moderator"], groups=frozenset({"admin"}))

    assert as_person("moderator").get(next_page(admin.get("/people/"))).status_code == 400


def test_an_empty_pool_says_what_to_do(admin: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cognito, "find", lambda text, place: cognito.AccountList([], None))

    page = admin.get("/people/").content.decode()

    assert "Nobody here yet. Invite the first person" in page


@pytest.mark.parametrize(
    "role", ["moderator", "official", "scout-lead", "scout", "steward", "member", "guest"]
)
def test_nobody_else_sees_the_list_or_its_menu_entry(as_person: Callable[[str], Client], role: str) -> None:
    client = as_person(role)

    assert client.get("/people/").status_code == 403
    assert 'href="/people/"' not in client.get("/desk/").content.decode()


def test_the_menu_leads_an_admin_there(admin: Client) -> None:
    assert '<a href="/people/" aria-current="page">' in admin.get("/people/").content.decode()


def test_a_stranger_is_sent_to_sign_in(client: Client, pool: Pool) -> None:
    response = client.get("/people/?q=a")

    assert (response.status_code, response["Location"]) == (302, "/auth/login?next=%2Fpeople%2F%3Fq%3Da")
