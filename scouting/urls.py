"""The addresses of scouting."""

from django.urls import path

from scouting.views import events

app_name = "scouting"

urlpatterns = [
    path("events/", events.events, name="events"),
]
