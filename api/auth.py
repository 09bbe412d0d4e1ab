"""Authentication of operations: `core.accounts.middleware` has decided before who asks and what they may.

What is left is the protection of sessions against other sites (CSRF), the limits, and the documentation.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from ninja.security.apikey import APIKeyCookie
from ninja.security.http import HttpAuthBase
from ninja.throttling import BaseThrottle

from api.limits import READS, VISITORS, WRITES
from core.accounts.client_ip import client_ip

READING = ("GET", "HEAD")


class Bearer(HttpAuthBase):
    """An access token in the header Authorization. No other site can send that, so CSRF is not checked."""

    openapi_scheme = "bearer"

    def __call__(self, request: HttpRequest) -> Any:
        return _within_limits(request) if "Authorization" in request.headers else None


class Session(APIKeyCookie):
    """The session of a browser, which sends X-CSRFToken with everything that writes."""

    param_name = settings.SESSION_COOKIE_NAME

    def authenticate(self, request: HttpRequest, key: str | None) -> Any:
        return _within_limits(request)


class ByAddress(BaseThrottle):
    """The limit of public operations. The Limiter raises the 429 itself, so Ninja has nothing to refuse."""

    def allow_request(self, request: HttpRequest) -> bool:
        VISITORS.ensure(client_ip(request))
        return True

    def wait(self) -> float | None:
        return None


def _within_limits(request: HttpRequest) -> Any:
    limiter = READS if request.method in READING else WRITES
    limiter.ensure(request.user.sub)  # type: ignore[union-attr]
    return request.user
