"""A signed-in person of the cast in the browser, without the detour through the login pages."""

from django.conf import settings
from playwright.sync_api import Page

from accounts.user import User
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
