"""The access patterns of the website's content."""

from cms.repository.article import news
from cms.repository.booking import bookings
from cms.repository.event import events
from cms.repository.location import locations
from cms.repository.media_file import media
from cms.repository.member import members
from cms.repository.page import pages
from cms.repository.post import posts
from cms.repository.role import roles
from cms.repository.sams import sams_clubs, sams_leagues, sams_teams, sync_runs
from cms.repository.sponsor import sponsors
from cms.repository.team import teams

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
    "sams_leagues",
    "sams_teams",
    "sponsors",
    "sync_runs",
    "teams",
]
