"""What the rooms of `cms` declare: the instances in `repository.py` and `resource.py`, by their names."""

from importlib import import_module
from pathlib import Path
from typing import Any

import cms
from core.crud.resource import Resource
from core.dynamo.repository import Repository


def repositories() -> dict[str, Repository[Any]]:
    return _instances("repository", Repository)


def resources() -> dict[str, Resource]:
    return _instances("resource", Resource)


def _instances(module: str, kind: type) -> dict[str, Any]:
    rooms = sorted(path.parent.name for path in Path(cms.__file__).parent.glob(f"*/{module}.py"))
    return {
        name: value
        for room in rooms
        for name, value in vars(import_module(f"cms.{room}.{module}")).items()
        if isinstance(value, kind)
    }
