"""The stores as a Django app."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class StoresConfig(AppConfig):
    name = "stores"
    verbose_name = "Stores"

    def ready(self) -> None:
        # The dashboard and `manage.py stores` tell of every limit, whether or not its page was loaded yet.
        autodiscover_modules("limits")
