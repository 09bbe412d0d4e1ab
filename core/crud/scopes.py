"""The scopes of a user, for the search and the activity on Home."""

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
    """The resources of which the user may view all or some records."""
    return [resource for resource in registry.resources() if resource.is_shown_to(user)]


def scopes_of(user: User) -> list[str]:
    """The scopes of the resources that the user may view; those without a title last."""
    scopes = dict.fromkeys(resource.repository.scope for resource in viewable(user))
    return sorted(scopes, key=lambda scope: scope not in TITLES)
