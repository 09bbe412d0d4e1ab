"""The slug of a page: the default from its title, and the reserved ones."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from django.urls import URLResolver, get_resolver

from cms.base.rules import slug_for
from cms.pages.models import Page
from core.accounts.user import User


def is_reserved(slug: str) -> bool:
    """Whether a route begins with this slug, such as /news/ or /cms/, or the static files are there."""
    return slug in {settings.STATIC_URL.strip("/"), *_first_parts(get_resolver())}


def _first_parts(resolver: URLResolver) -> Iterator[str]:
    """The first path segments of all routes."""
    for each in resolver.url_patterns:
        route = str(each.pattern)
        if isinstance(each, URLResolver) and not route:
            yield from _first_parts(each)
        else:
            yield route.partition("/")[0]


def prepare(user: User, page: Page | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to store for valid values; the slug follows the title until it was published."""
    return {**values, "slug": values["slug"] or slug_for(values["title"] or "", page)}
