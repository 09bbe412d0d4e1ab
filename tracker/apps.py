"""The tracker as a Django app."""

from django.apps import AppConfig


class TrackerConfig(AppConfig):
    name = "tracker"
    verbose_name = "Tracker"

    def ready(self) -> None:
        # Whoever signs in has a profile and a team of their own.
        from tracker.people import services  # noqa: F401
