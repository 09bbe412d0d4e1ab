"""Repository of roles."""

from typing import Unpack

from cms.roles.models import Role
from core.dynamo.guards import Unique
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.repository import Repository
from core.dynamo.search_index import sort_form


class RoleRepository(Repository[Role]):
    model = Role
    entity = "role"
    scope = "cms"
    label = "name"
    searched = ("name",)
    list_index = "GSI-Name"
    unique = (Unique("name", value=lambda role: sort_form(role.name)),)

    def by_name(self, **options: Unpack[PageOptions]) -> Page[Role]:
        return self.page("role", index="GSI-Name", **options)


roles = RoleRepository()
