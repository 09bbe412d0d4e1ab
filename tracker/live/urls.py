"""URLs of the public live page."""

from django.urls import URLPattern, path

from core.common.lazy_views import LazyViews

live = LazyViews("tracker.live.views")

urlpatterns: list[URLPattern] = [
    path("live/<str:token>/", live.live, name="live"),
]
