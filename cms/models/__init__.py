"""The items of the website's content: one table each, keyed by id."""

from cms.models.article import News
from cms.models.booking import Booking
from cms.models.event import Event
from cms.models.location import Location
from cms.models.media_file import MediaFile
from cms.models.member import Member
from cms.models.page import Page
from cms.models.post import Post
from cms.models.role import Role
from cms.models.sams import SamsClub, SamsLeague, SamsTeam, SyncRun
from cms.models.sponsor import Sponsor
from cms.models.team import Team

__all__ = [
    "Booking",
    "Event",
    "Location",
    "MediaFile",
    "Member",
    "News",
    "Page",
    "Post",
    "Role",
    "SamsClub",
    "SamsLeague",
    "SamsTeam",
    "Sponsor",
    "SyncRun",
    "Team",
]
