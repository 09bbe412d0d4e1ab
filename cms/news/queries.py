"""The page of an article: the record with everything its template shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cms.base.queries import public_at
from cms.media.models import MediaFile
from cms.media.queries import media_refs, select_pictures, text_picture_ids, text_pictures
from cms.news.models import News
from cms.news.repository import news as news_repository
from core.content.richtext import Picture
from core.crud.fields.picker import is_possible
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at, repository_for


@dataclass(frozen=True)
class NewsPage:
    """An article with the names of its authors and its pictures."""

    news: News
    authors: Sequence[str] = ()
    pictures: Sequence[MediaFile] = ()
    text_pictures: Mapping[str, Picture] = field(default_factory=dict)


def public_news(slug: str) -> NewsPage:
    """The public page at a slug; at a former slug only the record, for the redirect."""
    return _assemble(*public_at(news_repository, slug, _related))


def news_page(news: News) -> NewsPage:
    """The page of a record that may be unpublished, for a preview."""
    return _assemble(news, records_at(_related(news)))


def _assemble(news: News, records: Mapping[RecordRef, Item]) -> NewsPage:
    pictures = select_pictures(news.image_ids, records)
    return NewsPage(news, _names(news, records), pictures, text_pictures(news, records))


def _related(news: News) -> list[RecordRef]:
    return [*_authors(news), *media_refs([*(news.image_ids or ()), *text_picture_ids(news)])]


def _authors(news: News) -> list[RecordRef]:
    return [("person", sub) for sub in news.author_ids or () if is_possible("person", sub)]


def _names(news: News, records: Mapping[RecordRef, Item]) -> list[str]:
    people = repository_for("person")
    return [people.label_of(records[place]) for place in _authors(news) if place in records]
