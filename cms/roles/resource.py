"""Resource of roles."""

from django.utils.translation import gettext_lazy as _

from cms.base.resource import NamedResource
from cms.roles import repository
from cms.roles.forms import RoleForm
from core.crud.listing import Column, Filter

YES_NO = (("yes", _("Yes")), ("no", _("No")))


class RoleResource(NamedResource):
    repository = repository.roles
    form = RoleForm
    slug = "roles"
    icon = "tag"
    singular = _("role")
    plural = _("Roles")
    new_title = _("New role")
    lead = _("What members do for the club.")
    empty = _("No roles yet. Create the first one, such as “Trainer” or “Treasurer”.")
    columns = (
        Column("name", _("Name")),
        Column("vorstand", _("Board"), kind="flag"),
        Column("updated_at", _("Changed"), kind="time"),
    )
    filters = (
        Filter("vorstand", _("Board"), YES_NO, keep=lambda role, value: role.vorstand == (value == "yes")),
    )


roles = RoleResource()
