"""Signing out: by POST only, for good, and at Cognito too."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from core.stores.sessions import SessionStore
from tests.cast import sign_in
from tests.core.accounts.issuer import Issuer
from tests.core.accounts.signing_in import assert_nobody_is_signed_in, session, sign_in_through

COOKIE = settings.SESSION_COOKIE_NAME
pytestmark = pytest.mark.usefixtures("db")


def test_signing_out_ends_the_session_on_the_server(client: Client, issuer: Issuer) -> None:
    sign_in_through(issuer, client)
    stolen = client.cookies[COOKIE].value
    response = client.post("/auth/logout")

    assert response.status_code == 302
    assert response.cookies[COOKIE].value == ""
    assert SessionStore(stolen).load() == {}
    client.cookies[COOKIE] = stolen
    assert_nobody_is_signed_in(client)


def test_it_leads_through_cognitos_logout_and_back_to_us(client: Client, issuer: Issuer) -> None:
    sign_in_through(issuer, client)
    address = urlsplit(client.post("/auth/logout")["Location"])

    assert f"{address.scheme}://{address.netloc}{address.path}" == f"{issuer.endpoint}/logout"
    assert parse_qs(address.query) == {
        "client_id": [settings.COGNITO_CLIENT_ID],
        "logout_uri": ["http://testserver/auth/signed-out"],
    }


def test_the_refresh_token_is_revoked(client: Client, issuer: Issuer) -> None:
    sign_in_through(issuer, client)
    refresh_token = session(client)["refresh_token"]
    client.post("/auth/logout")

    assert issuer.revoked == [refresh_token]


def test_an_engine_that_cannot_revoke_is_forgiven(client: Client, issuer: Issuer, settings: Settings) -> None:
    sign_in_through(issuer, client)
    settings.COGNITO_DOMAIN = f"{issuer.endpoint}/elsewhere"  # answers 404
    response = client.post("/auth/logout")

    assert response.status_code == 302
    assert issuer.count("/elsewhere/oauth2/revoke") == 1
    assert_nobody_is_signed_in(client)


def test_cognito_being_down_keeps_nobody_signed_in(client: Client, issuer: Issuer) -> None:
    sign_in_through(issuer, client)
    with issuer.down():
        assert client.post("/auth/logout").status_code == 302
        assert_nobody_is_signed_in(client)


def test_cognito_hanging_keeps_nobody_signed_in(client: Client, issuer: Issuer) -> None:
    sign_in_through(issuer, client)
    with issuer.hung():
        assert client.post("/auth/logout").status_code == 302
    assert_nobody_is_signed_in(client)


@pytest.mark.parametrize("method", ["get", "head", "put", "delete"])
def test_anything_but_a_post_is_refused_and_ends_nothing(client: Client, method: str) -> None:
    sign_in(client, "member")
    response = getattr(client, method)("/auth/logout")

    assert response.status_code == 405
    assert response["Allow"] == "POST"
    assert client.get("/desk/").status_code == 200


def test_another_site_cannot_sign_anybody_out() -> None:
    client = sign_in(Client(enforce_csrf_checks=True), "member")
    response = client.post("/auth/logout", headers={"Origin": "https://evil.example"})

    assert response.status_code == 403
    assert client.get("/desk/").status_code == 200


def test_whoever_is_signed_out_already_is_just_told_so(client: Client, issuer: Issuer) -> None:
    response = client.post("/auth/logout")

    assert response.status_code == 302
    assert response["Location"].startswith(f"{issuer.endpoint}/logout?")
    assert issuer.revoked == []


def test_a_sign_out_leaves_other_browsers_of_the_person_alone(client: Client, issuer: Issuer) -> None:
    phone = Client()
    sign_in_through(issuer, client)
    sign_in_through(issuer, phone)
    client.post("/auth/logout")

    assert phone.get("/desk/").status_code == 200


def test_the_page_afterwards_says_so_and_offers_to_sign_in(client: Client) -> None:
    page = client.get("/auth/signed-out").content.decode()

    assert "You are signed out" in page
    assert 'href="/auth/login"' in page


def test_private_pages_are_kept_by_no_browser(client: Client) -> None:
    sign_in(client, "member")

    assert client.get("/desk/")["Cache-Control"] == "no-store"
