"""The template values of a page."""

from typing import Any

from cms.pages.queries import PageContent
from core.content import richtext


def page_context(content: PageContent) -> dict[str, Any]:
    """The context of the page's template, for the public page and the preview."""
    page = content.page
    text = richtext.render(page.content, content.text_pictures) if page.content else ""
    return {"page": page, "text": text}
