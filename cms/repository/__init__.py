"""The access patterns of the website's content."""

from cms.repository.article import news
from cms.repository.media_file import media
from cms.repository.role import roles

__all__ = ["media", "news", "roles"]
