"""Views of invitations: the list of a team, a new one, revoke, and the page to accept or decline."""

from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, with_headers
from core.crud import toasts
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, Conflict, DataError, NotFound, Replayed, Text, TooManyRequests
from core.stores import idempotency
from tracker import repository
from tracker.navigation import frame
from tracker.policy import ROLES_SET_BY, Access
from tracker.roster import services as roster
from tracker.roster.models import Player
from tracker.teams.forms.invitations import ROLES, InvitationForm
from tracker.teams.limits import INVITING, MAILING
from tracker.teams.models import ACCEPTED, DECLINED, PENDING, REVOKED, Invitation
from tracker.teams.services import invitations

ENDED = {
    ACCEPTED: gettext_lazy("Accepted"),
    DECLINED: gettext_lazy("Declined"),
    REVOKED: gettext_lazy("Taken back"),
    PENDING: gettext_lazy("Expired"),
}
SHOWN_ENDED = 20


class Listed(NamedTuple):
    invitation: Invitation
    player: Player | None
    role: Text
    # The title of the outcome; empty while the invitation is open.
    ended: Text


@requires("tracker.team.view")
@require_safe
def listing(request: SignedInRequest, team: str) -> HttpResponse:
    found = roster.managed(request.user, team, "manage_members")
    return render(request, "tracker/teams/invitations.html", _context(found))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
@idempotency.idempotent
def new(request: SignedInRequest, team: str) -> HttpResponse:
    """Create an invitation. Its link is shown in the response only, because the token is not stored."""
    found = roster.managed(request.user, team, "manage_members")
    ghosts = [player for player in repository.teams.roster(team, strong=True).players if player.is_ghost]
    about: dict[str, Any] = {"ghosts": ghosts, "roles": ROLES_SET_BY[found.role or ""]}
    if request.method != "POST":
        form = InvitationForm(initial={"player": request.GET.get("player", "")}, **about)
        return _new_page(request, found, form)
    form = InvitationForm(request.POST, **about)
    if not form.is_valid():
        form.focus_first_error()
        return _new_page(request, found, form, status=422)
    entered = form.cleaned_data
    try:
        INVITING.ensure(request.user.sub)
        if entered["email"]:
            MAILING.ensure(entered["email"])
        player = next((each for each in ghosts if each.id == entered["player"]), None)
        invited = invitations.offer_place(found, player, email=entered["email"], role=entered["role"])
    except (Conflict, TooManyRequests) as error:
        form.add_refusal(error)
        return _new_page(request, found, form, status=error.status_code, headers=error.headers)
    address = request.build_absolute_uri(reverse("tracker:invitation", args=[invited.token]))
    problems = invitations.send(invited, address) if entered["email"] else []
    context = {**frame(found, "roster"), "invited": invited, "address": address, "problems": problems}
    return render(request, "tracker/teams/invitation_made.html", context)


@requires("tracker.team.view")
@require_POST
def revoke(request: SignedInRequest, team: str, invitation: str) -> HttpResponse:
    with suppress(Replayed):
        invitations.revoke(request.user, team, invitation, once=idempotency.once(request))
    toasts.add(request, _("The invitation was taken back. Its link no longer works."))
    return go(request, reverse("tracker:invitations", args=[team]))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: SignedInRequest, token: str) -> HttpResponse:
    """The page of an invitation by its link; sign-in redirects back here."""
    return _answer(request, invitations.with_token(token))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def waiting(request: SignedInRequest, team: str, invitation: str) -> HttpResponse:
    """The page of an invitation by its id, for the invited e-mail address; linked from Home."""
    return _answer(request, invitations.sent_to(request.user, team, invitation))


def _answer(request: SignedInRequest, found: Invitation) -> HttpResponse:
    if request.method != "POST":
        return _offer_page(request, found)
    once = idempotency.once(request)
    if request.POST.get("answer") == "decline":
        with suppress(Replayed):
            invitations.decline(request.user, found, once=once)
        toasts.add(request, _("You have declined the invitation."))
        return go(request, reverse("tracker:home"))
    if request.POST.get("answer") != "accept":
        raise NotFound
    try:
        invitations.accept(request.user, found, once=once)
    except Replayed:
        pass
    except AlreadyExists as error:
        return _offer_page(request, found, problem=error)
    toasts.add(request, _("Welcome to the team."))
    return go(request, reverse("tracker:team", args=[found.team_id]))


def _offer_page(
    request: SignedInRequest, found: Invitation, *, problem: DataError | None = None
) -> HttpResponse:
    offer = invitations.opened(request.user, found)
    context = {
        "offer": offer,
        "role": str(ROLES.get(offer.invitation.role, offer.invitation.role)),
        "already": invitations.already_there(request.user, offer),
        "problem": problem,
    }
    return render(
        request, "tracker/teams/invitation.html", context, status=problem.status_code if problem else 200
    )


def _context(found: Access) -> dict[str, Any]:
    players = repository.teams.roster(found.team.id)
    moment = now()
    every = [_listed(each, players.player(each.player_id or ""), moment) for each in _of_team(found)]
    return {
        **frame(found, "roster"),
        "open": [each for each in every if not each.ended],
        "ended": [each for each in every if each.ended][:SHOWN_ENDED],
    }


def _of_team(found: Access) -> list[Invitation]:
    return repository.invitations.of_team(found.team.id)


def _listed(invitation: Invitation, player: Player | None, moment: datetime) -> Listed:
    ended = "" if invitation.is_open(moment) else ENDED.get(invitation.status, invitation.status)
    return Listed(invitation, player, str(ROLES.get(invitation.role, "")).partition(":")[0], ended)


def _new_page(
    request: SignedInRequest,
    found: Access,
    form: InvitationForm,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> HttpResponse:
    context = {**frame(found, "roster"), "form": form}
    response = render(request, "tracker/teams/invitation_new.html", context, status=status)
    return with_headers(response, headers)
