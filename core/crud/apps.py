"""The CRUD engine as a Django app: it imports the modules in which the other apps register themselves."""

from django.apps import AppConfig

from core.common.discovery import import_everywhere


class CrudConfig(AppConfig):
    name = "core.crud"
    verbose_name = "Lists and forms"

    def ready(self) -> None:
        for name in ("resource", "desk"):
            import_everywhere(name)
