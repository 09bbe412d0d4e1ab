"""The stores as a Django app."""

from django.apps import AppConfig

from core.common.discovery import import_everywhere


class StoresConfig(AppConfig):
    name = "core.stores"
    verbose_name = "Cache and limits"

    def ready(self) -> None:
        # The dashboard and `manage.py stores` tell of every limit, whether or not its page was loaded yet.
        import_everywhere("limits")
