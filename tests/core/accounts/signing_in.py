"""What a browser does to sign in, and how to see that somebody is not."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from core.dynamo import maintenance
from core.stores.models import StoreItem
from core.stores.sessions import SessionStore
from tests.core.accounts.issuer import Issuer


def start(client: Client, next_path: str | None = None) -> str:
    """Click on "Sign in"; returns the address of the managed login."""
    response = client.get("/auth/login", {} if next_path is None else {"next": next_path})
    assert response.status_code == 302, response.content
    return str(response["Location"])


def sign_in_through(issuer: Issuer, client: Client, next_path: str | None = None) -> HttpResponse:
    """The whole way: login, managed login, callback."""
    callback = issuer.authorize(start(client, next_path))
    return client.get(callback)  # type: ignore[return-value]


def session(client: Client) -> SessionStore:
    return SessionStore(client.cookies[settings.SESSION_COOKIE_NAME].value)


def kept_user(client: Client) -> Any:
    return session(client).get("user")


def sessions_with_a_person() -> list[str]:
    """Whose sessions there are; a session of nobody has no owner."""
    rows = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
    return [row["GSI1PK"]["S"].removeprefix("SESSIONS#") for row in rows if "GSI1PK" in row]


def assert_nobody_is_signed_in(client: Client) -> None:
    assert sessions_with_a_person() == []
    if settings.SESSION_COOKIE_NAME in client.cookies:
        assert kept_user(client) is None
    response = client.get("/desk/")
    assert response.status_code == 302
    assert response["Location"].startswith("/auth/login")
