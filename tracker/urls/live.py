"""What everybody with a link can see."""

from django.urls import URLPattern, path

from tracker.views import live

urlpatterns: list[URLPattern] = [
    path("live/<str:token>/", live.live, name="live"),
]
