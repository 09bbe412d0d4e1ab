"""Toasts: Django's messages, optionally with an undo, also in responses to HTMX."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field

from django.contrib import messages
from django.contrib.messages.storage.base import BaseStorage, Message
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from core.common.http import is_htmx
from core.dynamo.errors import Text

# 4xx responses whose content HTMX swaps; of others the page shows only the message.
SWAPPED_REFUSALS = {401, 409, 422}
LEAVES_THE_PAGE = ("HX-Redirect", "HX-Location", "HX-Refresh")


@dataclass(frozen=True)
class Undo:
    """The POST of a toast's Undo button: its URL and fields."""

    address: str
    fields: Mapping[str, str] = field(default_factory=dict)


def add(request: HttpRequest, text: Text, *, undo: Undo | None = None, level: int = messages.SUCCESS) -> None:
    """Show a toast on this page, or after a redirect on the next one."""
    # In `extra_tags`, because the cookie stores only level, text and tags of a message.
    tags = json.dumps(asdict(undo)) if undo else ""
    messages.add_message(request, level, str(text), extra_tags=tags)


def undo_of(message: Message) -> Undo | None:
    return Undo(**json.loads(message.extra_tags)) if message.extra_tags else None


class ToastsMiddleware:
    """Appends pending messages to content that HTMX swaps in; with a redirect they stay for the next page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if is_htmx(request) and _is_swapped_in(response):
            waiting = messages.get_messages(request)
            # A whole page has already rendered them.
            if isinstance(waiting, BaseStorage) and not waiting.used and len(waiting):
                toasts = render_to_string("toasts.html#beside", {"messages": waiting}, request)
                response.content += toasts.encode()
        return response


def _is_swapped_in(response: HttpResponse) -> bool:
    status = response.status_code
    return (
        (status in SWAPPED_REFUSALS or (200 <= status < 300 and status != 204))
        and not response.streaming
        and response.get("Content-Type", "").startswith("text/html")
        and not any(name in response for name in LEAVES_THE_PAGE)
    )
