"""Views of invitations: the list of a team, a new one, revoke, and the page to accept or decline."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.form_page import ActionPage, FormPage
from core.crud.forms import RefusableForm
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, NotFound
from core.stores.idempotency import idempotent
from tracker import repository
from tracker.navigation import TeamPage, team_context
from tracker.policy import ROLES_SET_BY
from tracker.roster import services as roster
from tracker.teams.forms import INVITED_AS, InvitationForm
from tracker.teams.limits import INVITING, MAILING
from tracker.teams.models import ACCEPTED, DECLINED, PENDING, REVOKED
from tracker.teams.services import invitations

ENDED = {
    ACCEPTED: gettext_lazy("Accepted"),
    DECLINED: gettext_lazy("Declined"),
    REVOKED: gettext_lazy("Withdrawn"),
    PENDING: gettext_lazy("Expired"),
}
MOST_ENDED = 20


@requires("tracker.team.view")
@require_safe
def listing(request: SignedInRequest, team: str) -> HttpResponse:
    access = roster.managed(request.user, team, "manage_members")
    players = repository.teams.roster(team)
    moment = now()
    listed = [
        {
            "invitation": invitation,
            "player": players.player(invitation.player_id or ""),
            "role": str(INVITED_AS.get(invitation.role, "")).partition(":")[0],
            # Empty while it is open.
            "ended": "" if invitation.is_open(moment) else ENDED.get(invitation.status, invitation.status),
        }
        for invitation in repository.invitations.of_team(team)
    ]
    context = team_context(access, "roster") | {
        "open": [each for each in listed if not each["ended"]],
        "ended": [each for each in listed if each["ended"]][:MOST_ENDED],
    }
    return render(request, "tracker/teams/invitations.html", context)


@requires("tracker.team.view")
@method_decorator(idempotent, name="dispatch")
class NewInvitation(FormPage[InvitationForm]):
    """Create an invitation. Its link is shown in the response only, because the token is not stored."""

    form_class = InvitationForm
    template = "tracker/teams/invitation_new.html"

    def load(self) -> None:
        team = self.kwargs["team"]
        self.access = roster.managed(self.request.user, team, "manage_members")
        players = repository.teams.roster(team, strong=True).players
        self.ghosts = {player.id: player for player in players if player.is_ghost}

    def initial(self) -> Mapping[str, Any]:
        return {"player": self.request.GET.get("player", "")}

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"ghosts": list(self.ghosts.values()), "roles": ROLES_SET_BY[self.access.role or ""]}

    def save(self) -> None:
        player, role, email = (self.form.cleaned_data[name] for name in ("player", "role", "email"))
        INVITING.ensure(self.request.user.sub)
        if email:
            MAILING.ensure(email)
        self.invited = invitations.offer_place(self.access, self.ghosts.get(player), email=email, role=role)

    def context(self) -> Mapping[str, Any]:
        return team_context(self.access, "roster")

    def done(self) -> HttpResponse:
        link = reverse("tracker:invitation", args=[self.invited.token])
        address = self.request.build_absolute_uri(link)
        problems = invitations.send(self.invited, address) if self.invited.invitation.email else []
        about = {"invited": self.invited, "address": address, "problems": problems}
        return render(self.request, "tracker/teams/invitation_made.html", {**self.context(), **about})


@requires("tracker.team.view")
class Revoke(TeamPage, ActionPage):
    leads_to = "tracker:invitations"
    success_message = gettext_lazy("Invitation withdrawn. Its link no longer works.")

    def save(self) -> None:
        team, invitation = self.kwargs["team"], self.kwargs["invitation"]
        invitations.revoke(self.request.user, team, invitation, once=self.once)


@requires("tracker.team.view")
class Respond(FormPage[RefusableForm]):
    """Accept or decline an invitation, by its link or, for the invited e-mail address, by its id."""

    form_class = RefusableForm
    template = "tracker/teams/invitation.html"

    def load(self) -> None:
        if "token" in self.kwargs:
            self.invitation = invitations.with_token(self.kwargs["token"])
        else:
            user, team, invitation = self.request.user, self.kwargs["team"], self.kwargs["invitation"]
            self.invitation = invitations.sent_to(user, team, invitation)

    @property
    def is_declined(self) -> bool:
        return self.request.POST.get("answer") == "decline"

    def save(self) -> None:
        if self.is_declined:
            invitations.decline(self.request.user, self.invitation, once=self.once)
        elif self.request.POST.get("answer") == "accept":
            invitations.accept(self.request.user, self.invitation, once=self.once)
        else:
            raise NotFound

    def context(self) -> Mapping[str, Any]:
        offer = invitations.allowed(self.request.user, self.invitation)
        return {
            "offer": offer,
            "role": str(INVITED_AS.get(offer.invitation.role, offer.invitation.role)),
            "already": invitations.already_there(self.request.user, offer),
            "is_taken": isinstance(self.problem, AlreadyExists),
        }

    def message(self) -> str:
        return _("Invitation declined.") if self.is_declined else _("Welcome to the team.")

    def success_url(self) -> str:
        if self.is_declined:
            return reverse("tracker:home")
        return reverse("tracker:team", args=[self.invitation.team_id])
