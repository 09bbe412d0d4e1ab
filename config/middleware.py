"""Headers that protect people: the same on every answer, and no copies kept of what only they may see."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import has_vary_header, patch_vary_headers

GetResponse = Callable[[HttpRequest], HttpResponse]

HEADERS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    # SecurityMiddleware sends these three as well, except where it refuses a request for another host.
    "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
    "X-Content-Type-Options": "nosniff",
}


class SecurityHeadersMiddleware:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response


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
