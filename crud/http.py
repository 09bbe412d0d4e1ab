"""Answers that are right with and without JavaScript."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
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


def page_or_partial(
    request: HttpRequest, template: str, partial: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """The whole page, or the part of it that HTMX asked for."""
    name = f"{template}#{partial}" if is_htmx(request) else template
    return render(request, name, context, status=status)
