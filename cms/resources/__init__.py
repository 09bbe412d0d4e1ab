"""What the website's content looks like in lists and forms."""

from cms.resources.article import news
from cms.resources.role import roles

__all__ = ["news", "roles"]
