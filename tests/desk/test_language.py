"""The choice of a language in the account menu."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from core.dynamo import preferences
from tests.cast import CAST

AsRole = Callable[[str], Client]


def chosen_on(page: str) -> list[str]:
    return re.findall(r'name="language" value="(\w*)"(?: lang="\w+")? aria-pressed="true"', page)


def test_at_first_it_is_that_of_the_browser(as_role: AsRole) -> None:
    page = as_role("member").get("/desk/", headers={"Accept-Language": "de"}).content.decode()

    assert page.startswith('<!doctype html>\n<html lang="de"')
    assert chosen_on(page) == [""]
    assert re.findall(r'<button name="language"[^>]*>([^<]*)<', page)[1:] == ["English", "Deutsch"]


def test_a_choice_is_remembered_and_leads_back_to_the_page(as_role: AsRole) -> None:
    client = as_role("member")

    response = client.post(
        "/language", {"language": "de"}, headers={"Referer": "http://testserver/people/?q=a"}
    )

    assert (response.status_code, response["Location"]) == (302, "http://testserver/people/?q=a")
    page = client.get("/desk/", headers={"Accept-Language": "en"}).content.decode()
    assert '<html lang="de"' in page
    assert chosen_on(page) == ["de"]
    assert preferences.all_of(CAST["member"].sub) == {"language": "de"}


def test_automatic_takes_the_choice_back(as_role: AsRole) -> None:
    client = as_role("member")
    for chosen in ("de", ""):
        client.post("/language", {"language": chosen})

    page = client.get("/desk/", headers={"Accept-Language": "en"}).content.decode()
    assert '<html lang="en"' in page
    assert chosen_on(page) == [""]
    assert preferences.all_of(CAST["member"].sub) == {}


@pytest.mark.parametrize("language", ["fr", "DE", '"><script>', "x" * 9000])
def test_a_language_that_we_do_not_have_is_refused(as_role: AsRole, language: str) -> None:
    assert as_role("member").post("/language", {"language": language}).status_code == 400


@pytest.mark.parametrize("page", ["https://evil.example/", "javascript:alert(1)", ""])
def test_another_site_is_not_led_back_to(as_role: AsRole, page: str) -> None:
    response = as_role("member").post("/language", {"language": "de"}, headers={"Referer": page})

    assert response["Location"] == "/desk/"


def test_guests_choose_too_and_strangers_cannot(as_role: AsRole, client: Client) -> None:
    assert client.post("/language", {"language": "de"}).status_code == 401
    assert as_role("guest").post("/language", {"language": "de"}).status_code == 302
