"""News."""

from collections.abc import Mapping

from cms import repository
from cms.models import News
from crud.fields.picker import is_possible
from dynamo.attributes import now
from dynamo.errors import NotFound
from dynamo.items import Item
from dynamo.registry import Place, records_at, repository_for


def was_read(news: News) -> bool:
    """Whether its date has come while, or before, it was published."""
    return bool(news.first_published_at and news.published_date <= now())


def public_article(slug: str) -> tuple[News, list[str]]:
    """What readers find at an address, with its authors' names; at an earlier address the new slug only."""
    found = repository.news.at_slug(slug) or repository.news.formerly_at_slug(slug)
    if not found.slug or not found.is_public():
        raise NotFound
    if found.slug != slug:
        return found, []
    place = ("news", repository.news.key_of(found))
    records = records_at([place, *_authors(found)])
    article = records.get(place)
    # An index may lag: what counts is the record.
    if not isinstance(article, News) or not article.is_public():
        raise NotFound
    return article, _names(found, records)


def author_names(news: News) -> list[str]:
    return _names(news, records_at(_authors(news)))


def _authors(news: News) -> list[Place]:
    return [("person", sub) for sub in news.author_ids or () if is_possible("person", sub)]


def _names(news: News, records: Mapping[Place, Item]) -> list[str]:
    people = repository_for("person")
    return [people.label_of(records[place]) for place in _authors(news) if place in records]
