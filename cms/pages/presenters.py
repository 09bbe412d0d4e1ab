"""The records that a page shows, and the values of its template."""

from collections.abc import Mapping
from typing import Any

from cms.media.queries import media_refs, text_html, text_picture_ids
from cms.pages.models import Page
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef


def related(page: Page) -> list[RecordRef]:
    return media_refs(text_picture_ids(page))


def page_context(page: Page, records: Mapping[RecordRef, Item]) -> dict[str, Any]:
    """The context of the page's template, for the public page and the preview."""
    return {"page": page, "text": text_html(page, records)}
