"""`manage.py demo`: example records, once for each app that has a `demo.py` with a `load()`."""

from importlib import import_module
from typing import Any

from django.apps import apps
from django.utils.module_loading import module_has_submodule

from dynamo.management.base import OperatorCommand
from dynamo.support import SupportItem


class Command(OperatorCommand):
    help = "Load the demo records of every app that has not loaded them yet; `manage.py dev` calls it."

    def handle(self, *args: Any, **options: Any) -> None:
        for app in apps.get_app_configs():
            if app.module is None or not module_has_submodule(app.module, "demo"):
                continue
            if _is_loaded(app.label):
                continue
            import_module(f"{app.name}.demo").load()
            # Only now: a load that was interrupted is repeated.
            SupportItem(*_marker(app.label)).save()
            self.stdout.write(f"Loaded the demo records of {app.label}.")


def _marker(label: str) -> tuple[str, str]:
    return f"DEMO#{label}", "LOADED"


def _is_loaded(label: str) -> bool:
    try:
        SupportItem.get(*_marker(label), consistent_read=True)
    except SupportItem.DoesNotExist:
        return False
    return True
