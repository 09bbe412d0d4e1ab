"""URLs of the CMS: the screens to edit the website."""

from django.urls import path

from cms.bus.resource import bookings
from cms.events.resource import events
from cms.locations.resource import locations
from cms.media.resource import media
from cms.members.resource import members
from cms.news.resource import news
from cms.pages.resource import pages
from cms.posts.resource import posts
from cms.roles.resource import roles
from cms.sams.resource import sams_clubs, sams_teams
from cms.sponsors.resource import sponsors
from cms.teams.resource import teams
from core.common.lazy_views import LazyViews

calendar = LazyViews("cms.calendar.views")
media_views = LazyViews("cms.media.views")
news_views = LazyViews("cms.news.views")
sams = LazyViews("cms.sams.views")

app_name = "cms"
urlpatterns = [
    path("calendar/", calendar.calendar, name="calendar"),
    path("media/uploads/", media_views.begin, name="media-upload"),
    path("media/uploads/finish/", media_views.finish, name="media-uploaded"),
    media.urls(),
    news.urls(),
    path("news/<str:key>/share", news_views.Share, name="news-share"),
    events.urls(),
    bookings.urls(),
    teams.urls(),
    members.urls(),
    roles.urls(),
    locations.urls(),
    sponsors.urls(),
    posts.urls(),
    pages.urls(),
    path("sams/", sams.overview, name="sams"),
    path("sams/run", sams.Run, name="sams-run"),
    sams_teams.urls(),
    sams_clubs.urls(),
]
