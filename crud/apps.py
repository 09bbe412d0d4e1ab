"""The CRUD engine as a Django app: it finds what the other apps declare for lists, forms and Home."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class CrudConfig(AppConfig):
    name = "crud"
    verbose_name = "Lists and forms"

    def ready(self) -> None:
        autodiscover_modules("resources", "waiting")
