"""News from Payload."""

from typing import Any

from cms.news.forms import NewsForm
from cms.news.models import News
from cms.news.repository import news as news_repository
from cms.payload.document import Document
from cms.payload.kinds.kind import SluggedKind, keep_original, rich_text, status_of
from cms.payload.relations import Relations
from core.content.richtext import excerpt, media_ids, plain_text


def article(document: Document, relations: Relations) -> News:
    content = rich_text(document, "content", relations)
    shows_something = plain_text(content) or media_ids(content)
    news = News(
        title=document.needed_text(NewsForm, "title"),
        content=content,
        excerpt=_excerpt(document, content),
        status=status_of(document, missing=[] if shows_something else ["a text"]),
        publish_at=document.moment("publishedDate"),
        author_ids=relations.people(document, "authors"),
        image_ids=relations.many(document, "images", to="media"),
    )
    keep_original(document, "content", news, "content_lexical")
    return news


def _excerpt(document: Document, content: dict[str, Any] | None) -> str | None:
    """The excerpt of the document if somebody wrote it; otherwise one made from the text, as in Payload."""
    written = document.text("excerpt")
    beginning = _squeezed(written).removesuffix("...").removesuffix("…")
    if _squeezed(plain_text(content)).startswith(beginning):
        return excerpt(content) or None
    kept: str | None = document.wanted(NewsForm, "excerpt", written)
    return kept or excerpt(content) or None


def _squeezed(text: str) -> str:
    return "".join(text.split())


KIND = SluggedKind("news", news_repository, article)
