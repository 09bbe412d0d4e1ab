"""The CRUD engine as a Django app: it finds the resources that the other apps declare."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class CrudConfig(AppConfig):
    name = "crud"
    verbose_name = "Lists and forms"

    def ready(self) -> None:
        autodiscover_modules("resources")
