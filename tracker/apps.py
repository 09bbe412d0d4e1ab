"""The tracker as a Django app."""

from django.apps import AppConfig


class TrackerConfig(AppConfig):
    name = "tracker"
    verbose_name = "Tracker"

    def ready(self) -> None:
        # The import registers the sign-in hook that creates the profile and the personal team.
        from tracker.people import services  # noqa: F401
