"""URLs of the stores' dashboard. Keys may contain any character, so they are in the query string."""

from django.urls import path

from core.common.lazy_views import LazyViews

dashboard = LazyViews("desk.stores.views")

app_name = "stores"
urlpatterns = [
    path("", dashboard.overview, name="overview"),
    path("cache/", dashboard.cache, name="cache"),
    path("cache/value", dashboard.value, name="value"),
    path("jobs/", dashboard.dedupe, name="dedupe"),
    path("limits/", dashboard.limits, name="limits"),
    path("shared-limits/", dashboard.adaptive, name="adaptive"),
    *(
        path(address, dashboard.Change, {"action": action}, name=action)
        for address, action in [
            ("cache/delete", "delete_value"),
            ("cache/clear", "clear_cache"),
            ("jobs/release", "release_job"),
            ("limits/reset", "reset_limit"),
            ("shared-limits/<str:name>/recalculate", "recalculate"),
            ("shared-limits/<str:name>/reset", "reset_client"),
        ]
    ),
]
