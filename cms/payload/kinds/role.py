"""Roles."""

from cms import repository
from cms.forms import RoleForm
from cms.models import Role
from cms.payload.document import Document
from cms.payload.kinds.kind import Kind
from cms.payload.relations import Relations


def role(document: Document, relations: Relations) -> Role:
    return Role(
        id=document.id,
        name=document.needed(RoleForm, "name", document.text("name")),
        vorstand=document.get("vorstand") is True,
        created_at=document.moment("createdAt"),
    )


KIND = Kind("roles", repository.roles, role)
