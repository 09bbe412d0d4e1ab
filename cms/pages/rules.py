"""The slugs that no page can have."""

from collections.abc import Iterator

from django.conf import settings
from django.urls import URLResolver, get_resolver


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
