"""Resource of members."""

from collections.abc import Callable
from typing import Any, Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.resource import NamedResource
from cms.calendar.queries import published_teams
from cms.members import repository
from cms.members.forms import MemberForm
from cms.members.models import Member
from cms.members.queries import all_roles, coached_by
from cms.members.rules import CONTACT_FIELDS, GROUPS, group_of
from cms.site.queries import public_profile
from core.accounts.user import User
from core.crud.forms import RecordForm
from core.crud.listing import Column, Filter, Listing
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, both


class MemberResource(NamedResource):
    repository = repository.members
    form = MemberForm
    slug = "members"
    icon = "people"
    singular = _("member")
    plural = _("Members")
    new_title = _("New member")
    lead = _("The people shown on the website: the board, coaches and others.")
    empty = _("No members yet. Add the first one, for example the chair or a coach.")
    columns = (
        Column("name", _("Name")),
        Column("role_ids", _("Roles"), to="role"),
        Column("email", _("E-mail"), kind="email"),
        Column("phone", _("Phone")),
        Column("updated_at", _("Changed"), kind="time"),
    )
    filters = (Filter("group", _("Group"), GROUPS),)
    titles = {"avatar_id": _("Portrait")}

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Member]:
        group = listing.filters.get("group")
        if group:
            is_in = self.keeps("group")
            options["keep"] = both(lambda member: is_in(member, group), options.get("keep"))
        return repository.members.by_name(**options)

    def keeps(self, filter_name: str) -> Callable[[Any, str], bool]:
        roles, coaches = all_roles(), coached_by(published_teams())
        return lambda member, group: group_of(member, roles, coaches) == group

    def restrict(self, form: RecordForm, user: User) -> None:
        # Users who may only change their own entry must not add themselves to the board.
        form.fields["role_ids"].disabled = not self.may(user, "update")

    def concealed(self, user: User, record: Any = None) -> frozenset[str]:
        return frozenset() if self.may(user, "contact", record) else CONTACT_FIELDS

    def detail_of(self, user: User, record: Member) -> str:
        return "" if self.concealed(user, record) else str(record.email or "")

    def about(self, user: User, record: Member) -> tuple[str, dict[str, Any]]:
        return "cms/members/about.html", {"profile": public_profile(record)}


members = MemberResource()
