"""Pages that are neither news nor lists."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.urls import URLResolver, get_resolver

from cms import repository
from cms.models import Page
from cms.services.addressed import public_at
from cms.services.pictures import in_text, keys_in_text, places_of
from core.content.richtext import Picture
from core.dynamo.registry import RecordRef, records_at


@dataclass(frozen=True)
class PageShown:
    """A page with the pictures of its text."""

    page: Page
    in_text: Mapping[str, Picture] = field(default_factory=dict)


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


def public_page(slug: str) -> PageShown:
    """What readers find at an address; at an earlier address the new slug only."""
    page, records = public_at(repository.pages, slug, _beside)
    return PageShown(page, in_text(page, records))


def page_shown(page: Page) -> PageShown:
    """The same for a preview."""
    return PageShown(page, in_text(page, records_at(_beside(page))))


def _beside(page: Page) -> list[RecordRef]:
    return places_of(keys_in_text(page))
