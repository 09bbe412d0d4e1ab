"""URLs of the stores' dashboard. Keys may contain any character, so they are in the query string."""

from django.urls import path

from core.common.lazy_views import LazyViews

dashboard = LazyViews("desk.stores.views")
changes = LazyViews("desk.stores.changes")

app_name = "stores"
urlpatterns = [
    path("", dashboard.overview, name="overview"),
    path("cache/", dashboard.cache, name="cache"),
    path("cache/value", dashboard.value, name="value"),
    path("jobs/", dashboard.dedupe, name="dedupe"),
    path("limits/", dashboard.limits, name="limits"),
    path("shared-limits/", dashboard.adaptive, name="adaptive"),
    path("cache/delete", changes.DeleteValue, name="delete_value"),
    path("cache/clear", changes.ClearCache, name="clear_cache"),
    path("jobs/release", changes.ReleaseJob, name="release_job"),
    path("limits/reset", changes.ResetLimit, name="reset_limit"),
    path("shared-limits/<str:name>/recalculate", changes.Recalculate, name="recalculate"),
    path("shared-limits/<str:name>/reset", changes.ResetClient, name="reset_client"),
]
