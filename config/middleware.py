"""Middleware: request logs, locale, security headers, health checks, backlog, data layer, private pages."""

from collections.abc import Callable
from functools import cache
from uuid import uuid4

from csp.utils import build_policy
from django.conf import settings
from django.core.signals import setting_changed
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import ResolverMatch, reverse
from django.utils import timezone, translation
from django.utils.cache import has_vary_header, patch_vary_headers
from django.utils.translation import gettext as _
from structlog.contextvars import bind_contextvars, clear_contextvars

from config import views
from config.backlog import HEALTH_PATHS, REFUSED
from core.accounts.error_pages import data_error_page, error_page, is_for_readers
from core.accounts.languages import has_language_of_club
from core.club import queries as club
from core.club.models import domain_of
from core.common.languages import of_browser
from core.common.logs import events
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import DataError
from core.dynamo.prefetch import request_prefetch

GetResponse = Callable[[HttpRequest], HttpResponse]

HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    # SecurityMiddleware sets these three as well, except when it refuses a request for another host.
    "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
    "X-Content-Type-Options": "nosniff",
}
RETRY_SECONDS = 5
REFUSALS = {400, 401, 403, 404, 405, 413, 429}
DEBUG_PAGES = {404, 500}
API_ROUTE = "api/v1/"
HEALTH = dict(zip(HEALTH_PATHS, (views.healthz, views.readyz), strict=True))


class Middleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response


class RequestLogMiddleware(Middleware):
    """Adds the request id of the response to all log lines of a request, and logs every refusal."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = uuid4().hex
        # The thread still has the values of its previous request.
        clear_contextvars()
        bind_contextvars(request_id=request_id)
        response = self.get_response(request)
        if response.status_code in REFUSALS:
            # The route and not the path, which may name a record or a person.
            route = request.resolver_match.route if request.resolver_match else None
            events.warning("refused", status=response.status_code, method=request.method, route=route)
        response["X-Request-ID"] = request_id
        return response


class LocaleMiddleware(Middleware):
    """Activates a language and a time zone: without active ones each lookup takes twice as long.

    They hold for what is refused before `ClubMiddleware` and `LanguageMiddleware`.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        translation.activate(of_browser(request) or settings.LANGUAGE_CODE)
        timezone.activate(timezone.get_default_timezone())
        if not request.META.get(REFUSED):
            return self.get_response(request)
        # A request is refused at once, also while DynamoDB hangs.
        with club.without_reading():
            return self.get_response(request)


class SecurityHeadersMiddleware(Middleware):
    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        # Django's debug pages have inline styles.
        if not (settings.DEBUG and response.status_code in DEBUG_PAGES):
            response.headers.setdefault("Content-Security-Policy", _policy())
        return response


@cache
def _policy() -> str:
    """The Content-Security-Policy, cached because no view changes it; django-csp builds it each time."""
    return build_policy()


def _forget(**_change: object) -> None:
    """Clear the cache when a test changes the settings."""
    _policy.cache_clear()


setting_changed.connect(_forget)


class HealthMiddleware(Middleware):
    """Answers health checks before the host is checked: load balancers send an IP address as host."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = HEALTH.get(request.path_info, self.get_response)
        return answer(request)


class BacklogMiddleware(Middleware):
    """Answers 503 with Retry-After to requests that `Backlog` refused."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if REFUSED not in request.META:
            return self.get_response(request)
        message = _("The site is very busy. Try again in a moment.")
        headers = {"Retry-After": str(RETRY_SECONDS)}
        return error_page(503, _("Just a moment"), message, headers=headers)


class DataLayerMiddleware(Middleware):
    """Sets the DynamoDB deadline and prefetch of a request, and renders a DataError as an error page."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with request_deadline(), request_prefetch():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, DataError):
            return None
        return data_error_page(exception, for_readers=is_for_readers(request))


class ClubMiddleware(Middleware):
    """Activates the club's time zone, and answers 404 to all of the domains that it has switched off."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        timezone.activate(club.current().zone)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, _kwargs: object
    ) -> HttpResponse | None:
        match = request.resolver_match
        if match is None or club.current().is_on(_domain_of(match)):
            return None
        if match.view_name == "public:home":
            # Without a website, the address of the site leads to what there is.
            return HttpResponseRedirect(reverse("home"))
        if match.view_name == "public:robots":
            return None
        raise Http404


def _domain_of(match: ResolverMatch) -> str:
    """The domain of an address, or what else it belongs to."""
    namespace = match.namespaces[0] if match.namespaces else ""
    if namespace == "api":
        namespace = match.route.removeprefix(API_ROUTE).partition("/")[0]
    return domain_of(namespace)


class PrivatePagesMiddleware(Middleware):
    """Sets no-store on responses that depend on the user, so that Back shows none of them after sign-out."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["HX-Request"])
            if not has_language_of_club(request):
                patch_vary_headers(response, ["Accept-Language"])
        if has_vary_header(response, "Cookie") or "Authorization" in request.headers:
            response["Cache-Control"] = "no-store"
        return response
