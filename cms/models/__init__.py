"""The items of the website's content: one table each, keyed by id."""

from cms.models.article import News
from cms.models.media_file import MediaFile
from cms.models.role import Role

__all__ = ["MediaFile", "News", "Role"]
