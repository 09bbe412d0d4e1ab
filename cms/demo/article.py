"""Example news."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from cms import repository
from cms.demo.documents import document
from cms.demo.texts import NEWS
from cms.models import News
from core.accounts.cast import CAST
from core.accounts.repository import people
from core.content.richtext import excerpt
from core.content.slugs import slugify
from core.content.status import PUBLISHED
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists


class Article(NamedTuple):
    """`days` is when it was or will be published, counted from the day of loading."""

    title: str
    status: str
    days: int
    author: str
    tags: list[str]
    text: str


def load() -> None:
    authors = authors_by_name()
    moment = now()
    for entry in NEWS:
        with suppress(AlreadyExists):
            repository.news.create(_news(Article(*entry), authors, moment), actor=SYSTEM)


def authors_by_name() -> dict[str, str]:
    """The demo accounts by given name; where the directory does not know them, nobody is the author."""
    by_email = {person.email: person.sub for person in people.by_name(limit=100).items}
    return {person.given_name: by_email[person.email] for person in CAST if person.email in by_email}


def _news(article: Article, authors: dict[str, str], moment: datetime) -> News:
    chosen = moment.replace(minute=0, second=0, microsecond=0) + timedelta(days=article.days)
    content = document(article.text)
    return News(
        title=article.title,
        slug=slugify(article.title),
        content=content,
        excerpt=excerpt(content),
        status=article.status,
        publish_at=chosen if article.status == PUBLISHED or article.days < 0 else None,
        created_at=min(chosen, moment) - timedelta(days=2),
        author_ids=[authors[article.author]] if article.author in authors else [],
        tags=article.tags,
    )
