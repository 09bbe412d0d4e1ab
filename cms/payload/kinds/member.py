"""Members from Payload."""

from cms.members.forms import MemberForm
from cms.members.models import Member
from cms.members.repository import members
from cms.payload.document import Document
from cms.payload.kinds.kind import Kind
from cms.payload.relations import Relations


def member(document: Document, relations: Relations) -> Member:
    return Member(
        id=document.id,
        name=document.needed(MemberForm, "name", document.text("name")),
        email=document.wanted(MemberForm, "email", document.text("email")),
        phone=document.wanted(MemberForm, "phone", document.text("phone")),
        role_ids=relations.many(document, "roles", to="roles"),
        avatar_id=relations.one(document, "avatar", to="media"),
        created_at=document.moment("createdAt"),
    )


KIND = Kind("members", members, member)
