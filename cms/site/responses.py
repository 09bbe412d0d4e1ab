"""Responses of public pages. They read no session and set no cookie, so any cache may keep them a minute."""

import hashlib
import math
import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_max_age

from cms.media.models import MediaFile
from core.dynamo.attributes import now
from core.dynamo.errors import Text

CACHE_SECONDS = 60
View = Callable[..., HttpResponse]


def render_page(
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
        "path": request.path,
        "site": request.build_absolute_uri("/"),
    }
    # Without the request: asking who is there would read the session, and make the page private.
    return cacheable(HttpResponse(render_to_string(template, context | head)), _seconds(until))


def cacheable(response: HttpResponse, seconds: int = CACHE_SECONDS) -> HttpResponse:
    response["Cache-Control"] = f"public, max-age={seconds}"
    return response


def _seconds(until: datetime | None) -> int:
    left = CACHE_SECONDS if until is None else int((until - now()).total_seconds())
    return min(max(0, left), CACHE_SECONDS)


def cached_in_memory(**choices: Collection[str]) -> Callable[[View], View]:
    """Answer from the memory of this process for a minute; the page reads only `choices`, by `chosen_of`.

    For pages of many requests. Memory costs no request at all, where a cache in DynamoDB costs one each time.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            memory, key = caches["pages"], _key(request, choices)
            known = memory.get(key)
            if known is None:
                response = view(request, *args, **kwargs)
                if response.status_code == 200:
                    render_page = (time.time(), response.content, dict(response.items()))
                    memory.set(key, render_page, get_max_age(response))
                return response
            made, content, headers = known
            # Whoever keeps it counts from when it was made: a minute in all, not one here and one there.
            age = str(max(0, math.ceil(time.time() - made)))
            return HttpResponse(content, headers=headers | {"Age": age})

        return answer

    return decorate


def chosen_filters(request: HttpRequest, choices: Mapping[str, Collection[str]]) -> dict[str, str]:
    """The filters in the query string; a value that is no choice counts as none."""
    values = {name: request.GET.get(name, "") for name in choices}
    return {name: value if value in choices[name] else "" for name, value in values.items()}


def _key(request: HttpRequest, choices: Mapping[str, Collection[str]]) -> str:
    address = f"{request.build_absolute_uri(request.path)}?{urlencode(chosen_filters(request, choices))}"
    return hashlib.sha256(address.encode()).hexdigest()
