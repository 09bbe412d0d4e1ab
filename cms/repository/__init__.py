"""The access patterns of the website's content."""

from cms.repository.article import news
from cms.repository.role import roles

__all__ = ["news", "roles"]
