"""Pages that are neither news nor lists."""

from collections.abc import Iterator

from django.conf import settings
from django.urls import URLResolver, get_resolver

from cms import repository
from cms.models import Page
from dynamo.errors import NotFound


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


def public_page(slug: str) -> Page:
    """What readers find at an address; at an earlier address the columns with the new one."""
    found = repository.pages.at_slug(slug) or repository.pages.formerly_at_slug(slug)
    if found.slug == slug and found.is_public():
        # An index may lag, and holds no text: what counts is the record.
        found = repository.pages.get(found.id)
    if not found.slug or not found.is_public():
        raise NotFound
    return found
