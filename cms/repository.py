"""The access patterns of the website's content."""

from typing import Unpack

from cms.models import Role
from dynamo.guards import Unique
from dynamo.paging import Page
from dynamo.queries import PageOptions
from dynamo.repository import Repository
from dynamo.words import fold


class RoleRepository(Repository[Role]):
    model = Role
    entity = "role"
    scope = "cms"
    label = "name"
    searched = ("name",)
    unique = (Unique("name", value=lambda role: fold(role.name)),)

    def by_name(self, **options: Unpack[PageOptions]) -> Page[Role]:
        return self.page("role", index="GSI-Name", **options)


roles = RoleRepository()
