"""What all public pages share. They read no session and set no cookie, so anybody may keep them a minute."""

import hashlib
import time
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_max_age

from cms.models import MediaFile
from dynamo.attributes import now
from dynamo.errors import Text

KEPT_SECONDS = 60
View = Callable[..., HttpResponse]


def page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    *,
    title: Text = "",
    description: Text = "",
    picture: MediaFile | None = None,
    until: datetime | None = None,
) -> HttpResponse:
    """A page with what its head tells search engines and those who share it; true `until` a moment."""
    head = {
        "title": title,
        "description": " ".join(str(description).split()),
        "shared_picture": picture,
        "address": request.build_absolute_uri(request.path),
        "site": request.build_absolute_uri("/"),
    }
    # Without the request: asking who is there would read the session, and make the page private.
    return kept(HttpResponse(render_to_string(template, context | head)), _seconds(until))


def kept(response: HttpResponse, seconds: int = KEPT_SECONDS) -> HttpResponse:
    response["Cache-Control"] = f"public, max-age={seconds}"
    return response


def _seconds(until: datetime | None) -> int:
    left = KEPT_SECONDS if until is None else int((until - now()).total_seconds())
    return min(max(0, left), KEPT_SECONDS)


def remembered(*parameters: str) -> Callable[[View], View]:
    """Answer from the memory of this process for a minute; `parameters` are all that the page reads.

    For pages of many requests. Memory costs no request at all, where a cache in DynamoDB costs one each time.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            memory, key = caches["pages"], _key(request, parameters)
            known = memory.get(key)
            if known is None:
                response = view(request, *args, **kwargs)
                if response.status_code == 200:
                    seconds = get_max_age(response)
                    memory.set(key, (time.time(), seconds, response.content), seconds)
                return response
            made, seconds, content = known
            response = kept(HttpResponse(content), seconds)
            # Whoever keeps it counts from when it was made: a minute in all, not one here and one there.
            response["Age"] = str(max(0, int(time.time() - made)))
            return response

        return answer

    return decorate


def _key(request: HttpRequest, parameters: tuple[str, ...]) -> str:
    read = [(name, request.GET[name]) for name in parameters if name in request.GET]
    address = f"{request.build_absolute_uri(request.path)}?{urlencode(read)}"
    return hashlib.sha256(address.encode()).hexdigest()
