"""Responses of public pages. Without session and cookies, so that shared caches may keep them a minute."""

import hashlib
import math
import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_max_age

from core.club import queries as club
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
    until: datetime | None = None,
) -> HttpResponse:
    """Render a public page with its meta data; `until` limits how long it may be cached."""
    head = {
        "title": title,
        "description": " ".join(str(description).split()),
        # The first picture, for links that people share.
        "shared_picture": next(iter(context.get("pictures", ())), None),
        "address": request.build_absolute_uri(request.path),
        "path": request.path,
        "site": request.build_absolute_uri("/"),
    }
    # Without the request: context processors would read the session and make the page private.
    return cacheable(HttpResponse(render_to_string(template, context | head)), cache_seconds(until))


def cacheable(response: HttpResponse, seconds: int = CACHE_SECONDS) -> HttpResponse:
    response["Cache-Control"] = f"public, max-age={seconds}"
    return response


def moved(route: str, *args: str) -> HttpResponse:
    """The redirect to where a record is now."""
    return cacheable(HttpResponsePermanentRedirect(reverse(route, args=args)))


def cache_seconds(until: datetime | None) -> int:
    """How long an answer may be cached that holds until then."""
    left = CACHE_SECONDS if until is None else int((until - now()).total_seconds())
    return min(max(0, left), CACHE_SECONDS)


def cached_in_memory(**choices: Collection[str]) -> Callable[[View], View]:
    """Cache a view's response in the memory of this process for a minute.

    The key has the path and the parameters in `choices`; the view must read no others and read these by
    `chosen_filters`. For pages that need many requests to DynamoDB; a cache there would cost one more.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            memory, key = caches["pages"], _key(request, choices)
            cached = memory.get(key)
            if cached is None:
                response = view(request, *args, **kwargs)
                if response.status_code == 200:
                    entry = (time.time(), response.content, dict(response.items()))
                    memory.set(key, entry, get_max_age(response))
                return response
            made, content, headers = cached
            # With Age, other caches count from when it was made, so it is kept a minute in all.
            age = str(max(0, math.ceil(time.time() - made)))
            return HttpResponse(content, headers=headers | {"Age": age})

        return answer

    return decorate


def chosen_filters(request: HttpRequest, choices: Mapping[str, Collection[str]]) -> dict[str, str]:
    """The filters in the query string; an invalid value counts as not given."""
    values = {name: request.GET.get(name, "") for name in choices}
    return {name: value if value in choices[name] else "" for name, value in values.items()}


def _key(request: HttpRequest, choices: Mapping[str, Collection[str]]) -> str:
    address = f"{request.build_absolute_uri(request.path)}?{urlencode(chosen_filters(request, choices))}"
    # The website has the language of the club, which an administrator may change.
    return hashlib.sha256(f"{club.current().language} {address}".encode()).hexdigest()
