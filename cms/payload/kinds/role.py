"""Roles from Payload."""

from cms.payload.document import Document
from cms.payload.kinds.kind import Kind
from cms.payload.relations import Relations
from cms.roles.forms import RoleForm
from cms.roles.models import Role
from cms.roles.repository import roles


def role(document: Document, relations: Relations) -> Role:
    return Role(
        id=document.id,
        name=document.needed(RoleForm, "name", document.text("name")),
        vorstand=document.get("vorstand") is True,
        created_at=document.moment("createdAt"),
    )


KIND = Kind("roles", roles, role)
