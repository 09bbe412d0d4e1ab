"""The static files as production has them: collected, with names after their content."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings

from core.crud.html import _icon

STORAGES = {"staticfiles": {"BACKEND": "config.static_storage.ModuleStorage"}}


@pytest.fixture
def collected(tmp_path: Path) -> Iterator[Path]:
    with override_settings(STATIC_ROOT=tmp_path, STORAGES=STORAGES):
        call_command("collectstatic", interactive=False, verbosity=0)
        _icon.cache_clear()
        yield tmp_path
    _icon.cache_clear()
