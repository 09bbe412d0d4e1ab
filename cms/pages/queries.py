"""Pages that are neither news nor lists."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cms.base.queries import public_at
from cms.media.queries import in_text, keys_in_text, places_of
from cms.pages.models import Page
from cms.pages.repository import pages
from core.content.richtext import Picture
from core.dynamo.registry import RecordRef, records_at


@dataclass(frozen=True)
class PageShown:
    """A page with the pictures of its text."""

    page: Page
    in_text: Mapping[str, Picture] = field(default_factory=dict)


def public_page(slug: str) -> PageShown:
    """What readers find at an address; at an earlier address the new slug only."""
    page, records = public_at(pages, slug, _beside)
    return PageShown(page, in_text(page, records))


def page_shown(page: Page) -> PageShown:
    """The same for a preview."""
    return PageShown(page, in_text(page, records_at(_beside(page))))


def _beside(page: Page) -> list[RecordRef]:
    return places_of(keys_in_text(page))
