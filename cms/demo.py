"""Example roles and news of a club that does not exist, so that a fresh site has something to look at."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from accounts.repository import people
from cms import repository
from cms.demo_texts import NEWS, ROLES
from cms.models import News, Role
from config.engines.cast import CAST
from crud.publication import PUBLISHED
from crud.richtext import excerpt, validate
from crud.slugs import slugify
from dynamo.actors import SYSTEM
from dynamo.attributes import now
from dynamo.errors import AlreadyExists


class Article(NamedTuple):
    """`days` is when it was or will be published, counted from the day of loading."""

    title: str
    status: str
    days: int
    author: str
    tags: list[str]
    text: str


def load() -> None:
    """A load that was interrupted is repeated: names and slugs are unique, so nothing comes twice."""
    for name, vorstand in ROLES:
        with suppress(AlreadyExists):
            repository.roles.create(Role(name=name, vorstand=vorstand), actor=SYSTEM)
    authors = _authors()
    moment = now()
    for entry in NEWS:
        with suppress(AlreadyExists):
            repository.news.create(_news(Article(*entry), authors, moment), actor=SYSTEM)


def _authors() -> dict[str, str]:
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


def document(text: str) -> dict[str, Any]:
    """A document from blocks between blank lines: `## ` begins a heading, `> ` a quote, `- ` a list."""
    blocks = [_block(block) for block in text.strip().split("\n\n")]
    valid: dict[str, Any] = validate({"type": "doc", "content": blocks})
    return valid


def _block(text: str) -> dict[str, Any]:
    match text[:2]:
        case "##":
            return {"type": "heading", "attrs": {"level": 2}, "content": list(_inline(text[3:]))}
        case "> ":
            return {"type": "blockquote", "content": [_paragraph(text[2:])]}
        case "- ":
            lines = [line.removeprefix("- ") for line in text.split("\n")]
            items = [{"type": "listItem", "content": [_paragraph(line)]} for line in lines]
            return {"type": "bulletList", "content": items}
    return _paragraph(text)


def _paragraph(text: str) -> dict[str, Any]:
    return {"type": "paragraph", "content": list(_inline(" ".join(text.split())))}


def _inline(text: str) -> Iterator[dict[str, Any]]:
    """Text in which `**` begins and ends what is bold."""
    for number, part in enumerate(text.split("**")):
        if part:
            bold = {"marks": [{"type": "bold"}]} if number % 2 else {}
            yield {"type": "text", "text": part} | bold
