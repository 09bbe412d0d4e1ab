"""`manage.py demo`: load the example records of each app with a `demo.py`, once."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from django.apps import AppConfig, apps
from django.utils.module_loading import module_has_submodule
from tqdm import tqdm

from core.dynamo import queries
from core.dynamo.management.base import OperatorCommand
from core.dynamo.support_table import SupportItem


class Command(OperatorCommand):
    help = "Load the demo records of every app that has not loaded them yet; `manage.py dev` calls it."

    def handle(self, *args: Any, **options: Any) -> None:
        waiting = [app for app in apps.get_app_configs() if _has_demo(app) and not _is_loaded(app.label)]
        is_terminal = self.stdout.isatty()
        with tqdm(total=len(waiting), file=sys.stdout, disable=not (is_terminal and waiting)) as bar:
            for app in waiting:
                if is_terminal:
                    bar.set_description(f"Loading the demo records of {app.label}")
                else:
                    self.stdout.write(f"Loading the demo records of {app.label}.")
                    self.stdout.flush()
                with _counting_records(bar):
                    import_module(f"{app.name}.demo").load()
                # Marked after the load, so that an interrupted one is repeated.
                SupportItem(*_marker(app.label)).save()
                bar.update()


class _Counter(logging.Handler):
    """Shows the number of written records in the progress bar, by counting log events."""

    def __init__(self, bar: "tqdm[Any]") -> None:
        super().__init__()
        self._bar = bar
        self._count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self._count += 1
        self._bar.set_postfix_str(f"{self._count} records")


@contextmanager
def _counting_records(bar: "tqdm[Any]") -> Iterator[None]:
    events, counter = logging.getLogger("fieldhouse.events"), _Counter(bar)
    events.addHandler(counter)
    try:
        yield
    finally:
        events.removeHandler(counter)


def _has_demo(app: AppConfig) -> bool:
    return app.module is not None and module_has_submodule(app.module, "demo")


def _marker(label: str) -> tuple[str, str]:
    return f"DEMO#{label}", "LOADED"


def _is_loaded(label: str) -> bool:
    return queries.get(SupportItem, SupportItem(*_marker(label)).raw_key(), strong=True) is not None
