"""The forms of the website's content."""

from cms.forms.article import NewsForm
from cms.forms.booking import BookingForm
from cms.forms.event import EventForm
from cms.forms.role import RoleForm

__all__ = ["BookingForm", "EventForm", "NewsForm", "RoleForm"]
