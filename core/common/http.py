"""Responses for requests with and without HTMX, and parsing of request values."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django_htmx.http import HttpResponseClientRedirect

MOST_DIGITS = 18
API = "/api/"


def is_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def is_api(request: HttpRequest) -> bool:
    """Whether a program asks: it gets no pages, no redirects and no session for its token."""
    return request.path_info.startswith(API)


def go(request: HttpRequest, address: str) -> HttpResponse:
    """A redirect; for HTMX with HX-Redirect, because it would swap the target of a 302 into a fragment."""
    return HttpResponseClientRedirect(address) if is_htmx(request) else HttpResponseRedirect(address)


def small_number(text: str, otherwise: int = 0) -> int:
    """A number from a request, or `otherwise`. `int` raises at thousands of digits, so length is limited."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else otherwise


def with_headers(response: HttpResponse, headers: Mapping[str, str] | None) -> HttpResponse:
    """The response with additional headers, such as Retry-After."""
    for name, value in (headers or {}).items():
        response[name] = value
    return response
