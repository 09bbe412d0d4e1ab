"""Who belongs to a team, and as what."""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, small_number
from core.crud import toasts
from core.crud.http import page_or_partial
from core.dynamo.errors import Conflict, KeyReused, NotFound, Replayed, Text
from core.stores import idempotency
from tracker import repository
from tracker.confirm import Question, confirmed
from tracker.navigation import frame
from tracker.people.models import Profile
from tracker.policy import Access, access, allowed
from tracker.teams.forms.teams import ROLES, RoleForm
from tracker.teams.models import Membership
from tracker.teams.services import members as service
from tracker.teams.services.teams import NotForPersonalTeams

METHODS = ["GET", "HEAD", "POST"]


@dataclass(frozen=True)
class Member:
    """Somebody in the list."""

    membership: Membership
    profile: Profile | None
    is_self: bool
    # By the person who looks at the list.
    may_change: bool

    @property
    def name(self) -> str:
        return self.profile.name if self.profile else _("Somebody who is no longer here")

    @property
    def role(self) -> Text:
        return ROLES.get(self.membership.role, self.membership.role)

    @property
    def rank(self) -> tuple[int, str]:
        roles = list(ROLES)
        known = self.membership.role in roles
        return roles.index(self.membership.role) if known else len(roles), self.name


@requires("tracker.team.view")
@require_safe
def members(request: SignedInRequest, team: str) -> HttpResponse:
    """Four requests: the session, the team, its members and their names."""
    found = access(request.user, team)
    if found.team.is_personal:
        raise NotFound
    context = frame(found, "members") | {
        "members": _listed(found),
        "may_manage": found.may("manage_members"),
        "may_transfer": found.may("transfer_team"),
        "may_leave": found.membership is not None and found.may("leave_team"),
    }
    return render(request, "tracker/teams/members.html", context)


@requires("tracker.team.view")
@require_http_methods(METHODS)
def role(request: SignedInRequest, team: str, person: str) -> HttpResponse:
    found = allowed(request.user, team, "manage_members")
    member = _changeable(found, person)
    offered = service.roles_set_by(found)
    if request.method != "POST":
        form = RoleForm(initial={"role": member.membership.role}, roles=offered)
        return _role_page(request, found, member, form)
    form = RoleForm(request.POST, roles=offered)
    if not form.is_valid():
        form.focus_first_error()
        return _role_page(request, found, member, form, status=422)
    try:
        service.change_role(
            request.user,
            team,
            person,
            form.cleaned_data["role"],
            seen_version=small_number(request.POST.get("version", "")),
            once=idempotency.once(request),
        )
    except Replayed:
        pass
    except (Conflict, KeyReused) as error:
        form.add_refusal(error)
        now = _changeable(found, person)
        contested = error if isinstance(error, Conflict) else None
        return _role_page(request, found, now, form, status=error.status_code, contested=contested)
    toasts.add(request, _("The role was saved."))
    return go(request, _address(team))


@requires("tracker.team.view")
@require_http_methods(METHODS)
def remove(request: SignedInRequest, team: str, person: str) -> HttpResponse:
    def question() -> Question:
        member = _changeable(allowed(request.user, team, "manage_members"), person)
        return Question(
            title=_("Remove %(person)s from the team?") % {"person": member.name},
            text=_(
                "They no longer see the team. Their place on the roster and everything they did stay; the "
                "place is nobody’s until you invite somebody to it."  # noqa: RUF001
            ),
            button=_("Remove"),
            back=_address(team),
            version=member.membership.seen_version,
        )

    return confirmed(
        request,
        question,
        lambda version, once: service.remove(request.user, team, person, seen_version=version, once=once),
        done=_("The member was removed."),
        then=_address(team),
    )


@requires("tracker.team.view")
@require_http_methods(METHODS)
def leave(request: SignedInRequest, team: str) -> HttpResponse:
    def question() -> Question:
        found = allowed(request.user, team, "leave_team")
        return Question(
            title=_("Leave “%(team)s”?") % {"team": found.team.name},
            text=_(
                "You no longer see the team, and what you did for it is no longer part of your own figures. "
                "It stays in those of the team."
            ),
            button=_("Leave the team"),
            back=reverse("tracker:team", args=[team]),
        )

    return confirmed(
        request,
        question,
        lambda _version, once: service.leave(request.user, team, once=once),
        done=_("You have left the team."),
        then=reverse("tracker:home"),
    )


def _listed(found: Access) -> list[Member]:
    belonging = [each for each in repository.memberships.of_team(found.team.id) if each.is_active]
    named = repository.profiles.named([each.user_id for each in belonging])
    listed = (_member(found, each, named.get(each.user_id)) for each in belonging)
    return sorted(listed, key=lambda member: member.rank)


def _member(found: Access, membership: Membership, profile: Profile | None) -> Member:
    return Member(
        membership=membership,
        profile=profile,
        is_self=membership.user_id == found.user.sub,
        may_change=membership.role in service.roles_set_by(found),
    )


def _changeable(found: Access, person: str) -> Member:
    """A member as stored now, if this person may change them."""
    if found.team.is_personal:
        raise NotForPersonalTeams
    membership = repository.memberships.of(person, found.team.id, strong=True)
    if not membership.is_active:
        raise NotFound
    member = _member(found, membership, repository.profiles.named([person]).get(person))
    if not member.may_change:
        raise PermissionDenied
    return member


def _role_page(
    request: SignedInRequest,
    found: Access,
    member: Member,
    form: RoleForm,
    *,
    status: int = 200,
    contested: Conflict | None = None,
) -> HttpResponse:
    context = frame(found, "members") | {
        "member": member,
        "form": form,
        "contested": contested,
        "address": request.path,
    }
    return page_or_partial(request, "tracker/teams/members_role.html", "dialog", context, status=status)


def _address(team: str) -> str:
    return reverse("tracker:members", args=[team])
