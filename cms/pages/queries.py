"""The content of a page: the record with the pictures of its text."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cms.base.queries import public_at
from cms.media.queries import media_refs, text_picture_ids, text_pictures
from cms.pages.models import Page
from cms.pages.repository import pages
from core.content.richtext import Picture
from core.dynamo.registry import RecordRef, records_at


@dataclass(frozen=True)
class PageContent:
    """A page with the pictures of its text."""

    page: Page
    text_pictures: Mapping[str, Picture] = field(default_factory=dict)


def public_page(slug: str) -> PageContent:
    """The public page at a slug; at a former slug only the record, for the redirect."""
    page, records = public_at(pages, slug, _related)
    return PageContent(page, text_pictures(page, records))


def page_content(page: Page) -> PageContent:
    """The content of a page that may be unpublished, for a preview."""
    return PageContent(page, text_pictures(page, records_at(_related(page))))


def _related(page: Page) -> list[RecordRef]:
    return media_refs(text_picture_ids(page))
