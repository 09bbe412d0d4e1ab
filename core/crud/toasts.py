"""Toasts: Django's messages, with an undo where there is one, also beside what HTMX replaces."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field

from django.contrib import messages
from django.contrib.messages.storage.base import BaseStorage, Message
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from core.common.http import is_htmx
from core.dynamo.errors import Text

# Answers of which htmx swaps the content as it is; of every other refusal it shows only the sentence.
SWAPPED_REFUSALS = {401, 409, 422}
LEAVES_THE_PAGE = ("HX-Redirect", "HX-Location", "HX-Refresh")


@dataclass(frozen=True)
class Undo:
    """What the Undo button of a toast sends: a POST to this address with these fields."""

    address: str
    fields: Mapping[str, str] = field(default_factory=dict)


def add(request: HttpRequest, text: Text, *, undo: Undo | None = None, level: int = messages.SUCCESS) -> None:
    """Say it on this page, or on the next one when this request ends in a redirect."""
    # The cookie keeps of a message its level, its text and these tags.
    tags = json.dumps(asdict(undo)) if undo else ""
    messages.add_message(request, level, str(text), extra_tags=tags)


def undo_of(message: Message) -> Undo | None:
    return Undo(**json.loads(message.extra_tags)) if message.extra_tags else None


class ToastsMiddleware:
    """Appends what there is to tell to what HTMX swaps in; a redirect takes it along instead."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if is_htmx(request) and _is_swapped_in(response):
            waiting = messages.get_messages(request)
            # A whole page has shown them already.
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
