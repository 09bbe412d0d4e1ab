"""The addresses of the stores' dashboard. Keys may hold any character, so they are in the query."""

from django.urls import path

from stores import dashboard

app_name = "stores"
urlpatterns = [
    path("", dashboard.overview, name="overview"),
    path("cache/", dashboard.cache, name="cache"),
    path("cache/value", dashboard.value, name="value"),
    path("cache/delete", dashboard.delete_value, name="delete_value"),
    path("cache/clear", dashboard.clear_cache, name="clear_cache"),
    path("jobs/", dashboard.dedupe, name="dedupe"),
    path("jobs/release", dashboard.release_job, name="release_job"),
    path("limits/", dashboard.limits, name="limits"),
    path("limits/reset", dashboard.reset_limit, name="reset_limit"),
    path("shared-limits/", dashboard.adaptive, name="adaptive"),
    path("shared-limits/<str:name>/recalculate", dashboard.recalculate, name="recalculate"),
    path("shared-limits/<str:name>/reset", dashboard.reset_client, name="reset_client"),
]
