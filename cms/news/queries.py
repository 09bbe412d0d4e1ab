"""News."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cms.base.queries import public_at
from cms.media.models import MediaFile
from cms.media.queries import in_text, keys_in_text, pictures_among, places_of
from cms.news.models import News
from cms.news.repository import news as news_repository
from core.content.richtext import Picture
from core.crud.fields.picker import is_possible
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at, repository_for


@dataclass(frozen=True)
class Article:
    """An article with what readers are told beside it."""

    news: News
    authors: Sequence[str] = ()
    pictures: Sequence[MediaFile] = ()
    in_text: Mapping[str, Picture] = field(default_factory=dict)


def public_article(slug: str) -> Article:
    """What readers find at an address; at an earlier address the new slug only."""
    return _told(*public_at(news_repository, slug, _beside))


def told(news: News) -> Article:
    """The same for a preview."""
    return _told(news, records_at(_beside(news)))


def _told(news: News, records: Mapping[RecordRef, Item]) -> Article:
    pictures = pictures_among(news.image_ids, records)
    return Article(news, _names(news, records), pictures, in_text(news, records))


def _beside(news: News) -> list[RecordRef]:
    return [*_authors(news), *places_of([*(news.image_ids or ()), *keys_in_text(news)])]


def _authors(news: News) -> list[RecordRef]:
    return [("person", sub) for sub in news.author_ids or () if is_possible("person", sub)]


def _names(news: News, records: Mapping[RecordRef, Item]) -> list[str]:
    people = repository_for("person")
    return [people.label_of(records[place]) for place in _authors(news) if place in records]
