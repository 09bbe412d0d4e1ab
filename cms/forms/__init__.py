"""The forms of the website's content."""

from cms.forms.article import NewsForm
from cms.forms.role import RoleForm

__all__ = ["NewsForm", "RoleForm"]
