"""The resources by entity, which register themselves when a `resource.py` is imported, and their scopes."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import Text

if TYPE_CHECKING:
    from core.crud.resource import Resource

_resources: dict[str, "Resource"] = {}
ADMIN = "admin"
# The titles of the scopes that Home shows the activity of.
SCOPE_TITLES: dict[str, Text] = {
    "cms": _("Website"),
    "scouting": _("Scouting"),
    "quests": _("Quests"),
    ADMIN: _("Administration"),
}


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
    """The scopes of the resources that the user may view; those without a title last."""
    scopes = dict.fromkeys(resource.repository.scope for resource in viewable(user))
    return sorted(scopes, key=lambda scope: scope not in SCOPE_TITLES)
