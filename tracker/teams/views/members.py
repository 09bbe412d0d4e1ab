"""Views of a team's members: the list, change of role, remove, leave."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.confirm_page import ConfirmPage, Question
from core.crud.form_page import FormPage
from core.dynamo.errors import DataError, NotFound, Text
from tracker import repository
from tracker.navigation import TeamPage, team_context
from tracker.people.models import Profile
from tracker.policy import Access, access, allowed
from tracker.teams.forms import ROLES, RoleForm
from tracker.teams.models import Membership
from tracker.teams.services import members as member_services


@dataclass(frozen=True)
class Member:
    """A row of the list of members."""

    membership: Membership
    profile: Profile | None
    is_self: bool
    # Whether the user may change this member.
    may_change: bool

    @property
    def name(self) -> str:
        return self.profile.name if self.profile else _("Someone who is no longer here")

    @property
    def role(self) -> Text:
        return ROLES.get(self.membership.role, self.membership.role)

    @property
    def rank(self) -> tuple[int, str]:
        role = self.membership.role
        return [*ROLES, role].index(role), self.name


@requires("tracker.team.view")
@require_safe
def members(request: SignedInRequest, team: str) -> HttpResponse:
    """Four requests: the session, the team, its members and their names."""
    found = access(request.user, team)
    if found.team.is_personal:
        raise NotFound
    memberships = [each for each in repository.memberships.of_team(team) if each.is_active]
    profiles = repository.profiles.with_ids(each.user_id for each in memberships)
    listed = (_member(found, each, profiles.get(each.user_id)) for each in memberships)
    context = team_context(found, "members") | {
        "members": sorted(listed, key=lambda member: member.rank),
        "may_manage": found.may("manage_members"),
        "may_transfer": found.may("transfer_team"),
        "may_leave": found.membership is not None and found.may("leave_team"),
    }
    return render(request, "tracker/teams/members.html", context)


@requires("tracker.team.view")
class EditRole(TeamPage, FormPage[RoleForm]):
    leads_to = "tracker:members"
    form_class = RoleForm
    template = "tracker/teams/members_role.html"
    partial = "dialog"
    success_message = gettext_lazy("Role saved.")

    def load(self) -> None:
        self.access = allowed(self.request.user, self.kwargs["team"], "manage_members")

    def get_object(self) -> Member:
        return _changeable(self.access, self.kwargs["person"])

    def initial(self) -> Mapping[str, Any]:
        return {"role": self.object.membership.role}

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"roles": member_services.roles_set_by(self.access)}

    def save(self) -> None:
        member_services.change_role(
            self.request.user,
            self.kwargs["team"],
            self.kwargs["person"],
            self.form.cleaned_data["role"],
            seen_version=self.seen_version,
            once=self.once,
        )

    def compare(self) -> DataError | None:
        """No comparison for one field: the form shows the stored role and the reason."""
        if self.problem is not None:
            self.form.add_refusal(self.problem)
        return self.problem

    def context(self) -> Mapping[str, Any]:
        return team_context(self.access, "members") | {"member": self.object, "address": self.request.path}


@requires("tracker.team.view")
class RemoveMember(TeamPage, ConfirmPage):
    leads_to = "tracker:members"
    success_message = gettext_lazy("Member removed.")

    def question(self) -> Question:
        found = allowed(self.request.user, self.kwargs["team"], "manage_members")
        member = _changeable(found, self.kwargs["person"])
        return Question(
            title=_("Remove %(person)s from the team?") % {"person": member.name},
            text=_(
                "They can no longer see the team. Their place on the roster and everything they did "
                "stay. You can invite someone else to the place."
            ),
            button=_("Remove"),
            back=self.success_url(),
            seen_version=member.membership.seen_version,
        )

    def save(self) -> None:
        team, person = self.kwargs["team"], self.kwargs["person"]
        member_services.remove(
            self.request.user, team, person, seen_version=self.seen_version, once=self.once
        )


@requires("tracker.team.view")
class LeaveTeam(ConfirmPage):
    success_message = gettext_lazy("You have left the team.")

    def question(self) -> Question:
        team = allowed(self.request.user, self.kwargs["team"], "leave_team").team
        return Question(
            title=_("Leave “%(team)s”?") % {"team": team.name},
            text=_(
                "You can no longer see the team, and your games there no longer count in your own "
                "stats. They still count in the team's stats."
            ),
            button=_("Leave the team"),
            back=reverse("tracker:team", args=[team.id]),
        )

    def save(self) -> None:
        member_services.leave(self.request.user, self.kwargs["team"], once=self.once)

    def success_url(self) -> str:
        return reverse("tracker:home")


def _member(found: Access, membership: Membership, profile: Profile | None) -> Member:
    return Member(
        membership=membership,
        profile=profile,
        is_self=membership.user_id == found.user.sub,
        may_change=membership.role in member_services.roles_set_by(found),
    )


def _changeable(found: Access, person: str) -> Member:
    membership = member_services.governed(found, person)
    return _member(found, membership, repository.profiles.with_ids([person]).get(person))
