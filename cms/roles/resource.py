"""Resource of roles."""

from collections.abc import Mapping, Sequence
from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.roles import repository
from cms.roles.forms import RoleForm
from cms.roles.models import Role
from core.crud.listing import Column, Filter, Listing, Sort
from core.crud.resource import Resource
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions

YES_NO = (("yes", _("Yes")), ("no", _("No")))


class RoleResource(Resource):
    app = "cms"
    repository = repository.roles
    form = RoleForm
    slug = "roles"
    icon = "tag"
    singular = _("role")
    plural = _("Roles")
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

    def sorts(self, filters: Mapping[str, str]) -> Sequence[Sort]:
        return Sort("name", _("Name")), Sort("name", _("Name, from Z"), newest_first=True)

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Role]:
        return repository.roles.by_name(**options)


roles = RoleResource()
