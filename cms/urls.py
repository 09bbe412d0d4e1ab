"""The addresses of the website's content."""

from django.urls import path

from cms import resources
from cms.views import sams, sharing, uploads
from cms.views.calendar import calendar

app_name = "cms"
urlpatterns = [
    path("calendar/", calendar, name="calendar"),
    path("media/uploads/", uploads.begin, name="media-upload"),
    path("media/uploads/finish/", uploads.finish, name="media-uploaded"),
    *resources.media.urls(),
    *resources.news.urls(),
    path("news/<str:key>/share", sharing.share, name="news-share"),
    *resources.events.urls(),
    *resources.bookings.urls(),
    *resources.teams.urls(),
    *resources.members.urls(),
    *resources.roles.urls(),
    *resources.locations.urls(),
    *resources.sponsors.urls(),
    *resources.posts.urls(),
    *resources.pages.urls(),
    path("sams/", sams.overview, name="sams"),
    path("sams/run", sams.run, name="sams-run"),
    *resources.sams_teams.urls(),
    *resources.sams_clubs.urls(),
]
