"""Requests and answers that are right with and without HTMX."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django_htmx.http import HttpResponseClientRedirect

MOST_DIGITS = 18


def is_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def go(request: HttpRequest, address: str) -> HttpResponse:
    """Lead to another page: a redirect would be followed inside the fragment."""
    return HttpResponseClientRedirect(address) if is_htmx(request) else HttpResponseRedirect(address)


def small_number(text: str, otherwise: int = 0) -> int:
    """A number out of a request. Python refuses to read thousands of digits, which anybody can send."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else otherwise


def with_headers(response: HttpResponse, headers: Mapping[str, str] | None) -> HttpResponse:
    """Such as those of a refusal, which say when to try again."""
    for name, value in (headers or {}).items():
        response[name] = value
    return response
