"""Scouting as a Django app."""

from django.apps import AppConfig


class ScoutingConfig(AppConfig):
    name = "scouting"
    verbose_name = "Scouting"

    def ready(self) -> None:
        # `manage.py media check` knows the photos of robots, the dashboard of the stores The Blue
        # Alliance.
        from scouting.forms import photos  # noqa: F401
        from scouting.tba import client  # noqa: F401
