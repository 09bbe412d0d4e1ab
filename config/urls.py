"""The root URLconf; it includes the urls.py of each app."""

from django.conf import settings
from django.urls import include, path

from config import views
from core.common.lazy_include import LazyInclude
from desk import home, language, search, styleguide, theme

urlpatterns = [
    path("desk/", home.home, name="home"),
    path("desk/later", home.later, name="later"),
    path("desk/activity", home.activity, name="activity"),
    path("search", search.search, name="search"),
    path("theme", theme.choose_theme, name="theme"),
    path("language", language.choose_language, name="language"),
    path("webhooks/", include("core.webhooks.urls")),
    path("stores/", include("desk.stores.urls")),
    path("", include("desk.club.urls")),
    path("cms/", include("cms.urls")),
    path("quests/", include("quests.urls")),
    path("scouting/", include("scouting.urls")),
    path("tracker/", include("tracker.urls")),
    LazyInclude("api/v1/", "api.urls", namespace="api"),
    path("", include("core.people.urls")),
    path("", include("cms.site.urls")),
]
if settings.DEBUG:
    urlpatterns.append(path("styleguide", styleguide.styleguide, name="styleguide"))
handler400 = views.bad_request
handler403 = views.permission_denied
handler404 = views.page_not_found
handler500 = views.server_error
