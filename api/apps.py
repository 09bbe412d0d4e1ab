"""The AppConfig of the API."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"
    verbose_name = "API"

    def ready(self) -> None:
        # Imported to register its limits for the stores dashboard.
        from api import limits  # noqa: F401
