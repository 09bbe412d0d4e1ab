"""Roles."""

from typing import Unpack

from cms.models import Role
from dynamo.guards import Unique
from dynamo.paging import Page
from dynamo.queries import PageOptions
from dynamo.repository import Repository
from dynamo.words import sort_form


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
