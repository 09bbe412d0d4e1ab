"""The addresses of the website's content."""

from cms import resources

app_name = "cms"
urlpatterns = [
    *resources.news.urls(),
    *resources.events.urls(),
    *resources.bookings.urls(),
    *resources.roles.urls(),
]
