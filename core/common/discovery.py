"""Imports the modules of one name, such as `models` or `repository`, from every app and its rooms."""

from importlib import import_module
from pathlib import Path

from django.apps import apps


def import_everywhere(name: str) -> None:
    """Like Django's `autodiscover_modules`, but also for the packages inside an app."""
    for app in apps.get_app_configs():
        if app.name.startswith("django"):
            continue
        root = Path(app.path)
        for found in sorted(
            [*root.glob(f"{name}.py"), *root.glob(f"{name}/__init__.py"), *root.glob(f"*/{name}.py")]
        ):
            parts = found.relative_to(root).with_suffix("").parts
            import_module(".".join([app.name, *(part for part in parts if part != "__init__")]))
