"""The addresses of the website's content."""

from cms import resources

app_name = "cms"
urlpatterns = [
    *resources.news.urls(),
    *resources.events.urls(),
    *resources.bookings.urls(),
    *resources.teams.urls(),
    *resources.members.urls(),
    *resources.roles.urls(),
    *resources.locations.urls(),
    *resources.sponsors.urls(),
    *resources.posts.urls(),
    *resources.pages.urls(),
]
