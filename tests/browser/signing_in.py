"""A signed-in person of the cast in the browser: by the login pages, or without the detour through them."""

from copy import deepcopy
from typing import Any

from django.conf import settings
from playwright.sync_api import Page

from core.accounts import cast
from core.accounts.user import User
from core.common import env
from tests.cast import CAST, session_of


def sign_in(page: Page, role: str | User) -> Page:
    user = role if isinstance(role, User) else CAST[role]
    cookie = {
        "name": settings.SESSION_COOKIE_NAME,
        "value": str(session_of(user).session_key),
        "domain": "localhost",
        "path": "/",
        "secure": settings.SESSION_COOKIE_SECURE,
    }
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    return page


def use_user_pool(settings: Any, endpoint: str, pool_id: str, client_id: str) -> None:
    """Let the application send people to the login pages of a user pool in ministack."""
    settings.COGNITO_ENDPOINT = settings.COGNITO_DOMAIN = endpoint
    settings.COGNITO_USER_POOL_ID = pool_id
    settings.COGNITO_CLIENT_ID = client_id
    settings.COGNITO_ISSUER = f"https://cognito-idp.{settings.AWS_REGION}.amazonaws.com/{pool_id}"
    settings.COGNITO_DOCUMENTS = f"{endpoint}/{pool_id}"
    policy = deepcopy(settings.CONTENT_SECURITY_POLICY)
    policy["DIRECTIVES"]["form-action"] = ["'self'", env.origin(endpoint)]
    settings.CONTENT_SECURITY_POLICY = policy


def fill_in(page: Page, person: cast.Person, password: str = cast.PASSWORD) -> None:
    """The managed login's own form."""
    page.get_by_label("Username").fill(person.email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
