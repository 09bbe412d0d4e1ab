"""The template values of an article."""

from typing import Any

from cms.news.queries import NewsPage
from core.content import richtext


def news_context(article: NewsPage) -> dict[str, Any]:
    """What the article's template shows, for readers and in the preview."""
    content = article.news.content
    return {
        "news": article.news,
        "authors": article.authors,
        "pictures": article.pictures,
        "text": richtext.render(content, article.text_pictures) if content else "",
    }
