"""Around every request: log lines, headers that protect people, the time for DynamoDB, no private copies."""

from collections.abc import Callable
from functools import cache
from uuid import uuid4

from csp.utils import build_policy
from django.conf import settings
from django.core.signals import setting_changed
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import has_vary_header, patch_vary_headers
from django.utils.translation import gettext as _
from structlog.contextvars import bind_contextvars, clear_contextvars

from config import views
from config.backlog import HEALTH_PATHS, REFUSED
from core.accounts.error_pages import data_error_page, error_page, is_for_readers
from core.common.logs import events
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import DataError
from core.dynamo.prefetch import request_prefetch

GetResponse = Callable[[HttpRequest], HttpResponse]

HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    # SecurityMiddleware sends these three as well, except where it refuses a request for another host.
    "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
    "X-Content-Type-Options": "nosniff",
}
RETRY_SECONDS = 5
REFUSALS = {400, 401, 403, 404, 405, 413, 429}
DEBUG_PAGES = {404, 500}
HEALTH = dict(zip(HEALTH_PATHS, (views.healthz, views.readyz), strict=True))


class RequestLogMiddleware:
    """All log lines of a request carry the id that its answer carries, and every refusal is noted."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = uuid4().hex
        # What the thread's last request has bound is not ours.
        clear_contextvars()
        bind_contextvars(request_id=request_id)
        response = self.get_response(request)
        if response.status_code in REFUSALS:
            # The route, not the address: that may name a record or a person.
            route = request.resolver_match.route if request.resolver_match else None
            events.warning("refused", status=response.status_code, method=request.method, route=route)
        response["X-Request-ID"] = request_id
        return response


class LocaleMiddleware:
    """The language and time zone of the club. Looking for them where none is active costs twice as much."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        translation.activate(settings.LANGUAGE_CODE)
        timezone.activate(timezone.get_default_timezone())
        return self.get_response(request)


class SecurityHeadersMiddleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        # Django's own pages for a developer have styles within.
        if not (settings.DEBUG and response.status_code in DEBUG_PAGES):
            response.headers.setdefault("Content-Security-Policy", _policy())
        return response


@cache
def _policy() -> str:
    """The same for every answer; django-csp's middleware builds it each time, since views might change it."""
    return build_policy()


def _forget(**_change: object) -> None:
    """Tests allow browsers to talk to other servers."""
    _policy.cache_clear()


setting_changed.connect(_forget)


class HealthMiddleware:
    """Load balancers ask by address, not by name: they are answered before the host is checked."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = HEALTH.get(request.path_info, self.get_response)
        return answer(request)


class BacklogMiddleware:
    """Whoever finds all places of the backlog taken is told so at once, and when to come again."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if REFUSED not in request.META:
            return self.get_response(request)
        message = _("Too many people are asking at the same time. Please try again in a moment.")
        headers = {"Retry-After": str(RETRY_SECONDS)}
        return error_page(503, _("Just a moment"), message, headers=headers)


class DataLayerMiddleware:
    """Each request has its DynamoDB budget and its prefetch, and errors of the data layer are pages."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with request_deadline(), request_prefetch():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, DataError):
            return None
        return data_error_page(exception, for_readers=is_for_readers(request))


class PrivatePagesMiddleware:
    """What depends on who asks is kept nowhere: after sign-out the Back button shows nothing private."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["HX-Request"])
        if has_vary_header(response, "Cookie") or "Authorization" in request.headers:
            response["Cache-Control"] = "no-store"
        return response
