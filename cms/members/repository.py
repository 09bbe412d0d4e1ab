"""Repository of members."""

from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.repository import NamedRepository, unique_name
from cms.members.models import Member
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.references import Reference


class MemberRepository(NamedRepository[Member]):
    model = Member
    entity = "member"
    adopts = True
    searched = ("name", "email")
    unique = (unique_name(_("Another member already has this name.")),)
    references = (Reference("role_ids", to="role"), Reference("avatar_id", to="media"))

    def with_email(self, email: str, **options: Unpack[PageOptions]) -> Page[Member]:
        """The keys of the members with this address; several, if a family shares it."""
        return self.page(email.lower(), index="GSI-Email", **options)


members = MemberRepository()
