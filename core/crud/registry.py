"""The resources by entity. They register themselves when a `resource.py` is imported."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.crud.resource import Resource

_resources: dict[str, "Resource"] = {}


def register(resource: "Resource") -> None:
    _resources[resource.entity] = resource


def has_resource(entity: str) -> bool:
    return entity in _resources


def resource_for(entity: str) -> "Resource":
    return _resources[entity]


def resources() -> Iterable["Resource"]:
    """In the order of their registration."""
    return _resources.values()
