"""The resources by entity, which register themselves when a `resource.py` is imported, and their scopes."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.accounts.user import User

if TYPE_CHECKING:
    from core.crud.resource import Resource

_resources: dict[str, "Resource"] = {}
ADMIN = "admin"
# The scopes of which Home shows the activity.
ACTIVITY_SCOPES = ("cms", "scouting", "quests", ADMIN)


def register(resource: "Resource") -> None:
    _resources[resource.entity] = resource


def has_resource(entity: str) -> bool:
    return entity in _resources


def resource_for(entity: str) -> "Resource":
    return _resources[entity]


def resources() -> Iterable["Resource"]:
    """In the order of their registration."""
    return _resources.values()


def viewable(user: User) -> list["Resource"]:
    """The resources of which the user may view all or some records."""
    return [resource for resource in resources() if resource.is_shown_to(user)]


def scopes_of(user: User) -> list[str]:
    """The scopes of the resources that the user may view; those without activity on Home last."""
    scopes = dict.fromkeys(resource.repository.scope for resource in viewable(user))
    return sorted(scopes, key=lambda scope: scope not in ACTIVITY_SCOPES)
