"""The AppConfig of scouting."""

from django.apps import AppConfig


class ScoutingConfig(AppConfig):
    name = "scouting"
    verbose_name = "Scouting"

    def ready(self) -> None:
        # Imported to register: photos as an owner of files for `manage.py media check`,
        # and The Blue Alliance as an outbound service on the stores dashboard.
        from scouting.forms import photos  # noqa: F401
        from scouting.tba import client  # noqa: F401
