"""The template values of an article."""

from typing import Any

from cms.news.queries import NewsPage
from core.content import richtext


def news_context(article: NewsPage) -> dict[str, Any]:
    """The context of the article's template, for the public page and the preview."""
    content = article.news.content
    return {
        "news": article.news,
        "authors": article.authors,
        "pictures": article.pictures,
        "text": richtext.render(content, article.text_pictures) if content else "",
    }
