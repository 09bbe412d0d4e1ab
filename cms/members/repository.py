"""Repository of members."""

from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.members.models import Member
from core.dynamo.guards import Unique
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.references import Reference
from core.dynamo.repository import Repository
from core.dynamo.search_index import sort_form


class MemberRepository(Repository[Member]):
    model = Member
    entity = "member"
    scope = "cms"
    label = "name"
    searched = ("name", "email")
    list_index = "GSI-Name"
    unique = (
        Unique(
            "name", value=lambda member: sort_form(member.name), message=_("Another member has this name.")
        ),
    )
    references = (Reference("role_ids", to="role"), Reference("avatar_id", to="media"))

    def by_age(self, **options: Unpack[PageOptions]) -> Page[Member]:
        return self.page("member", index="GSI-List", **options)

    def by_name(self, **options: Unpack[PageOptions]) -> Page[Member]:
        return self.page("member", index="GSI-Name", **options)

    def with_email(self, email: str, **options: Unpack[PageOptions]) -> Page[Member]:
        """The members with this address; several, if a family shares it."""
        return self.page(email.lower(), index="GSI-Email", **options)


members = MemberRepository()
