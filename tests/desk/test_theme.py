"""Light, dark or as the device says."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

AsRole = Callable[[str], Client]


def test_a_page_follows_the_device_until_somebody_chooses(as_role: AsRole) -> None:
    assert 'data-theme="system"' in as_role("member").get("/desk/").content.decode()


@pytest.mark.parametrize("chosen", ["light", "dark", "system"])
def test_a_choice_is_remembered_and_leads_back_to_the_page(as_role: AsRole, chosen: str) -> None:
    client = as_role("member")

    response = client.post("/theme", {"theme": chosen}, headers={"Referer": "http://testserver/people/?q=a"})

    assert (response.status_code, response["Location"]) == (302, "http://testserver/people/?q=a")
    page = client.get("/desk/").content.decode()
    assert f'data-theme="{chosen}"' in page
    assert f'value="{chosen}" aria-pressed="true"' in page
    assert re.findall(r'name="theme" value="(\w+)" aria-pressed="true"', page) == [chosen]


def test_the_cookie_lasts_a_year_and_no_script_reads_it(as_role: AsRole) -> None:
    cookie = as_role("member").post("/theme", {"theme": "dark"}).cookies["__Host-theme"]

    assert (cookie["max-age"], cookie["httponly"], cookie["secure"], cookie["samesite"], cookie["path"]) == (
        31_536_000,
        True,
        True,
        "Lax",
        "/",
    )


def test_htmx_needs_no_page(as_role: AsRole) -> None:
    response = as_role("member").post("/theme", {"theme": "dark"}, headers={"HX-Request": "true"})

    assert response.status_code == 204
    assert response.cookies["__Host-theme"].value == "dark"


@pytest.mark.parametrize("page", ["https://evil.example/", "javascript:alert(1)", ""])
def test_another_site_is_not_led_back_to(as_role: AsRole, page: str) -> None:
    response = as_role("member").post("/theme", {"theme": "dark"}, headers={"Referer": page})

    assert response["Location"] == "/desk/"


def test_an_unknown_theme_is_refused_and_never_shown(as_role: AsRole) -> None:
    client = as_role("member")
    assert client.post("/theme", {"theme": '"><script>'}).status_code == 400

    client.cookies["__Host-theme"] = '"><script>'
    assert 'data-theme="system"' in client.get("/desk/").content.decode()
