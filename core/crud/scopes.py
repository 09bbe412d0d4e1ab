"""The scopes of a person: where a search looks, and whose activity the first page shows."""

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.crud import registry
from core.crud.resource import Resource
from core.dynamo.errors import Text

ADMIN = "admin"
TITLES: dict[str, Text] = {
    "cms": _("Website"),
    "scouting": _("Scouting"),
    "quests": _("Quests"),
    ADMIN: _("Administration"),
}


def viewable(user: User) -> list[Resource]:
    """The resources of which the person may open all records, or some."""
    return [resource for resource in registry.resources() if resource.is_shown_to(user)]


def scopes_of(user: User) -> list[str]:
    """Derived from the resources, so an app joins by declaring its own."""
    return list(dict.fromkeys(resource.repository.scope for resource in viewable(user)))
