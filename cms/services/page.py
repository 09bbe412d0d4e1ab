"""Pages that are neither news nor lists."""

from django.conf import settings
from django.urls import Resolver404, get_resolver, resolve

from cms import repository
from cms.models import Page
from dynamo.errors import NotFound

PAGE_ROUTE = "public:page"


def is_reserved(slug: str) -> bool:
    """Whether the site has something else at this address, such as /news/, or below it, such as /cms/."""
    beginning = f"{slug}/"
    taken = [settings.STATIC_URL.lstrip("/"), *(str(each.pattern) for each in get_resolver().url_patterns)]
    if any(route.startswith(beginning) for route in taken):
        return True
    try:
        return resolve(f"/{beginning}").view_name != PAGE_ROUTE
    except Resolver404:
        return False


def public_page(slug: str) -> Page:
    """What readers find at an address; at an earlier address the columns with the new one."""
    found = repository.pages.at_slug(slug) or repository.pages.formerly_at_slug(slug)
    if found.slug == slug and found.is_public():
        # An index may lag, and holds no text: what counts is the record.
        found = repository.pages.get(found.id)
    if not found.slug or not found.is_public():
        raise NotFound
    return found
