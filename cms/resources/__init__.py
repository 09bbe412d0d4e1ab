"""What the website's content looks like in lists and forms."""

from cms.resources.article import news
from cms.resources.booking import bookings
from cms.resources.event import events
from cms.resources.role import roles

__all__ = ["bookings", "events", "news", "roles"]
