"""Repository of roles."""

from cms.base.repository import NamedRepository, unique_name
from cms.roles.models import Role


class RoleRepository(NamedRepository[Role]):
    model = Role
    entity = "role"
    adopts = True
    unique = (unique_name(),)


roles = RoleRepository()
