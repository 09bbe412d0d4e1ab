"""The page of an article: the records that it shows, and the values of its template."""

from collections.abc import Mapping
from typing import Any

from cms.media.queries import media_refs, select_pictures, text_html, text_picture_ids
from cms.news.models import News
from core.crud.fields.picker import is_possible
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, repository_for


def related(news: News) -> list[RecordRef]:
    """References to its authors and pictures."""
    return [*_authors(news), *media_refs([*(news.image_ids or ()), *text_picture_ids(news)])]


def news_context(news: News, records: Mapping[RecordRef, Item]) -> dict[str, Any]:
    """The context of the article's template, for the public page and the preview."""
    people = repository_for("person")
    return {
        "news": news,
        "authors": [people.label_of(records[ref]) for ref in _authors(news) if ref in records],
        "pictures": select_pictures(news.image_ids, records),
        "text": text_html(news, records),
    }


def _authors(news: News) -> list[RecordRef]:
    return [("person", sub) for sub in news.author_ids or () if is_possible("person", sub)]
