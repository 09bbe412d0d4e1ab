"""The forms of the website's content."""

from cms.forms.article import NewsForm
from cms.forms.booking import BookingForm
from cms.forms.event import EventForm
from cms.forms.location import LocationForm
from cms.forms.media_file import MediaForm
from cms.forms.member import MemberForm
from cms.forms.page import PageForm
from cms.forms.post import PostForm
from cms.forms.role import RoleForm
from cms.forms.sponsor import SponsorForm
from cms.forms.team import TeamForm

__all__ = [
    "BookingForm",
    "EventForm",
    "LocationForm",
    "MediaForm",
    "MemberForm",
    "NewsForm",
    "PageForm",
    "PostForm",
    "RoleForm",
    "SponsorForm",
    "TeamForm",
]
