"""Every route against every role, generated from the URLconf: a new route cannot be forgotten."""

import logging
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, path
from pytest_django import Settings

from config.urls import urlpatterns as own_urls
from core.accounts.rights import PUBLIC, RIGHTS, rights_of
from core.common.http import API
from core.common.logs import events
from tests.cast import CAST, ROLES, STRANGER, sign_in
from tests.log_lines import written


def routes(resolver: Any = None, prefix: str = "/") -> Iterator[tuple[str, Any]]:
    """Every address of the site with its view; path parameters hold an id that no record has."""
    for pattern in (resolver or get_resolver()).url_patterns:
        numbered = re.sub(r"<int:[^>]+>", "1900", str(pattern.pattern))
        address = prefix + re.sub(r"<[^>]+>", "no-such-record", numbered)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, address)
        elif isinstance(pattern, URLPattern):
            yield address, pattern.callback


ROUTES = dict(routes())
METHODS = ("get", "post")
API_METHODS = ("get", "head", "post", "put", "patch", "delete")


def methods_of(address: str) -> tuple[str, ...]:
    """How an address is asked: an operation of the API has rights of its own for each method."""
    return API_METHODS if address.startswith(API) else METHODS


def is_sent_to_login(response: HttpResponse) -> bool:
    return response.status_code == 302 and response["Location"].startswith("/auth/login")


@pytest.fixture(autouse=True)
def _no_cognito(settings: Settings) -> None:
    """Nothing listens there: a route that asks Cognito gets no answer, and that is fine here."""
    settings.COGNITO_ENDPOINT = settings.COGNITO_DOMAIN = "http://127.0.0.1:9"
    settings.COGNITO_DOCUMENTS = "http://127.0.0.1:9/pool"


def test_every_route_declares_rights_that_the_table_knows() -> None:
    declared = {
        (address, method): set(rights_of(view, method.upper()))
        for address, view in ROUTES.items()
        for method in methods_of(address)
    }

    assert [address for address, rights in declared.items() if not rights] == []
    assert set.union(*declared.values()) - {PUBLIC} <= set(RIGHTS)
    assert [address for address, rights in declared.items() if PUBLIC in rights and len(rights) > 1] == []


@pytest.mark.usefixtures("db")
def test_strangers_are_let_in_by_public_routes_only() -> None:
    stranger = Client()

    assert {address: answer_to(stranger, "get", address) for address in ROUTES} == {
        address: expected(view, STRANGER, "get") for address, view in ROUTES.items()
    }


def test_every_method_of_an_operation_of_the_api_has_a_right() -> None:
    operations = {
        (address, method): rights
        for address, view in ROUTES.items()
        for method, rights in getattr(view, "rights_by_method", {}).items()
    }

    assert len(operations) > 40
    assert [place for place, rights in operations.items() if not rights] == []
    shown = {place for place in operations if place[0].startswith("/api/v1/website/")}
    assert {place for place, rights in operations.items() if PUBLIC in rights} == shown
    assert {method for _address, method in shown} == {"GET", "HEAD"}


TOKEN = "tok_0123456789-abcdefghijklmnopqrstuvwxyz"


def with_token(resolver: Any = None, prefix: str = "/") -> Iterator[str]:
    """Every address that lets in whoever knows the token within."""
    for pattern in (resolver or get_resolver()).url_patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from with_token(pattern, address)
        elif "token>" in address:
            yield re.sub(r"<[^>]+>", TOKEN, address)


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("address", list(with_token()))
def test_a_token_in_an_address_is_never_logged(address: str) -> None:
    with written() as output:
        Client().get(address)
        Client().post(address)
        logging.getLogger("gunicorn.access").info("GET %s 200 1,024 bytes 12 ms", address)
        logging.getLogger("django.request").error("Internal Server Error: %s", address)
        events.info("opened", path=address, referrer=f"https://club.example{address}?from=mail")

    assert output.getvalue().count("[removed]") >= 4
    assert TOKEN not in output.getvalue()


@pytest.mark.parametrize("address", list(with_token()))
def test_a_token_in_the_address_to_return_to_is_never_logged(address: str) -> None:
    encoded = quote(address, safe="")
    with written() as output:
        logging.getLogger("gunicorn.access").info("GET /auth/login?next=%s 302 0 bytes 3 ms", encoded)
        logging.getLogger("gunicorn.access").info("GET /auth/login?next=%s&a=1", encoded.lower())
        events.info("signed_in", referrer=f"https://club.example/?next={quote(encoded, safe='')}")
        events.info("opened", path=encoded)

    assert output.getvalue().count("[removed]") == 4
    assert TOKEN.lower() not in output.getvalue().lower()
    assert "302 0 bytes 3 ms" in output.getvalue()
    assert "&a=1" in output.getvalue()


@pytest.mark.slow
@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("address", ROUTES)
def test_a_route_lets_in_exactly_those_who_have_its_rights(address: str) -> None:
    people = {role: sign_in(Client(), role) for role in CAST}
    answers = {
        (role, method): answer_to(people[role], method, address)
        for role in CAST
        for method in methods_of(address)
    } | {(STRANGER, method): answer_to(Client(), method, address) for method in methods_of(address)[1:]}

    assert answers == {(role, method): expected(ROUTES[address], role, method) for role, method in answers}


def answer_to(person: Client, method: str, address: str) -> str:
    """What somebody is told: "sign in", "refused", "broken", or "let in"."""
    response = getattr(person, method)(address)
    response.close()
    if is_sent_to_login(response) or response.status_code == 401:
        return "sign in"
    return {403: "refused", 500: "broken"}.get(response.status_code, "let in")


def expected(view: Any, role: str, method: str) -> str:
    rights = rights_of(view, method.upper())
    if rights == (PUBLIC,):
        return "let in"
    if role == STRANGER:
        return "sign in"
    return "let in" if all(RIGHTS[right].possible_for(CAST[role]) for right in rights) else "refused"


def forgotten(request: HttpRequest) -> HttpResponse:
    return HttpResponse("private")


urlpatterns = [*own_urls, path("forgotten", forgotten)]


@pytest.mark.urls(__name__)
@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("role", ROLES)
def test_a_view_without_a_declared_right_lets_nobody_in(client: Client, role: str) -> None:
    response = sign_in(client, role).get("/forgotten")

    assert response.status_code == (302 if role == STRANGER else 403)
    assert b"private" not in response.content
