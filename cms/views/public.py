"""What all public pages share. They read no session and set no cookie, so anybody may keep them a minute."""

from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string

KEPT_SECONDS = 60


def page(template: str, context: dict[str, Any]) -> HttpResponse:
    # Without the request: asking who is there would read the session, and make the page private.
    return kept(HttpResponse(render_to_string(template, context)))


def kept(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = f"public, max-age={KEPT_SECONDS}"
    return response
