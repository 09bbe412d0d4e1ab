"""What the website's content looks like in lists and forms."""

from cms.resources.article import news
from cms.resources.booking import bookings
from cms.resources.event import events
from cms.resources.location import locations
from cms.resources.media_file import media
from cms.resources.member import members
from cms.resources.page import pages
from cms.resources.post import posts
from cms.resources.role import roles
from cms.resources.sams import sams_clubs, sams_teams
from cms.resources.sponsor import sponsors
from cms.resources.team import teams

__all__ = [
    "bookings",
    "events",
    "locations",
    "media",
    "members",
    "news",
    "pages",
    "posts",
    "roles",
    "sams_clubs",
    "sams_teams",
    "sponsors",
    "teams",
]
