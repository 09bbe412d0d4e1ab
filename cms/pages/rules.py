"""Which addresses a page may not have."""

from collections.abc import Iterator

from django.conf import settings
from django.urls import URLResolver, get_resolver


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
