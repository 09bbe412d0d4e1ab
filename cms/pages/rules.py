"""The slug of a page: how it follows the title, and which ones are reserved."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from django.urls import URLResolver, get_resolver

from cms.base.rules import slug_for
from cms.pages.models import Page
from core.accounts.user import User


def is_reserved(slug: str) -> bool:
    """Whether the site has something else at this address, such as /news/, or below it, such as /cms/."""
    return slug in {settings.STATIC_URL.strip("/"), *_first_parts(get_resolver())}


def _first_parts(resolver: URLResolver) -> Iterator[str]:
    """How the addresses of all routes begin."""
    for each in resolver.url_patterns:
        route = str(each.pattern)
        if isinstance(each, URLResolver) and not route:
            yield from _first_parts(each)
        else:
            yield route.partition("/")[0]


def prepare(user: User, page: Page | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to store for valid values; the slug follows the title until it was published."""
    return {**values, "slug": values["slug"] or slug_for(values["title"] or "", page)}
