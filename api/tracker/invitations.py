"""Invitations: those of a team, and those that one has received."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from ninja import Query

from api import answers
from api.forms import valid
from api.lists import ListQuery, PageOf, PageQuery, listing
from api.operations import OF_A_RECORD, PREFIX, Operations
from api.tracker import documents
from api.tracker import team_schemas as schemas
from api.tracker.bodies import wrong
from api.tracker.lists import slices
from core.accounts.rights import SignedInRequest
from core.accounts.user import User
from core.dynamo.errors import Conflict, Replayed
from core.stores import idempotency
from core.stores.idempotency import idempotent
from tracker import repository
from tracker.policy import ROLES_SET_BY
from tracker.roster import services as roster
from tracker.teams.forms import InvitationForm
from tracker.teams.limits import INVITING, MAILING
from tracker.teams.models import Invitation
from tracker.teams.repository import Offer
from tracker.teams.services import invitations

part = Operations("Softball invitations")
# The fields of the form by their names in the body.
NAMES = {"role": "role", "playerId": "player", "email": "email"}
NEITHER = _("Send the token, or teamId and inviteId.")


@part.get(
    "/teams/{team}/invitations",
    right="tracker.team.view",
    answer=list[schemas.TeamInvitation] | PageOf[schemas.TeamInvitation],
)
def list_tracker_invitations(request: SignedInRequest, team: str, query: Query[ListQuery]) -> HttpResponse:
    """The invitations of a team, the newest first, for those who manage its members."""
    roster.managed(request.user, team, "manage_members")
    found = repository.invitations.of_team(team)
    return listing(
        request,
        query,
        slices(found, lambda each: str(each.id)),
        lambda each: documents.invitation(each, query.only),
    )


@part.post("/teams/{team}/invitations", right="tracker.team.view", answer=schemas.MadeInvitation)
@idempotent
def invite_to_tracker_team(request: SignedInRequest, team: str, body: schemas.InvitationBody) -> HttpResponse:
    """Invite somebody to be a player of the roster, or only to a role. It ends an earlier one to the same.

    The token is in this answer only. A retry with its Idempotency-Key is answered by the same, with its 201.
    """
    access = roster.managed(request.user, team, "manage_members")
    players = repository.teams.roster(team, strong=True).players
    ghosts = {player.id: player for player in players if player.is_ghost}
    form = InvitationForm(
        {NAMES[name]: value for name, value in body.model_dump(exclude_none=True).items()},
        ghosts=list(ghosts.values()),
        roles=ROLES_SET_BY[access.role or ""],
    )
    typed = valid(form, NAMES).cleaned_data
    INVITING.ensure(request.user.sub)
    if typed["email"]:
        MAILING.ensure(typed["email"])
    player = ghosts.get(typed["player"])
    invited = invitations.offer_place(access, player, email=typed["email"], role=typed["role"])
    address = request.build_absolute_uri(reverse("tracker:invitation", args=[invited.token]))
    made = invited.invitation
    document = documents.invitation(made) | {
        "token": invited.token,
        "address": address,
        "problems": invitations.send(invited, address) if made.email else [],
    }
    location = f"{PREFIX}/tracker/teams/{made.team_id}/invitations/{made.id}"
    return answers.answer(document, status=201, version=made.seen_version, location=location)


@part.get(
    "/teams/{team}/invitations/{invitation}",
    right="tracker.team.view",
    answer=schemas.TeamInvitation,
    etag=True,
)
def get_tracker_invitation(request: SignedInRequest, team: str, invitation: str) -> HttpResponse:
    """An invitation of a team, for those who manage its members."""
    # It expires without a new version.
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    roster.managed(request.user, team, "manage_members")
    return _answer(repository.invitations.of(team, invitation, strong=True))


@part.act(
    "POST",
    "/teams/{team}/invitations/{invitation}/revoke",
    right="tracker.team.view",
    answer=schemas.TeamInvitation,
    is_once=True,
)
def revoke_tracker_invitation(request: SignedInRequest, team: str, invitation: str) -> HttpResponse:
    """Take an invitation back: its token is no longer valid. 409 if it was answered already."""
    try:
        once = idempotency.once(request)
        found = invitations.revoke(request.user, team, invitation, once=once)
    except Replayed:
        found = repository.invitations.of(team, invitation, strong=True)
    except invitations.Over as error:
        raise Conflict(error.message) from error
    return _answer(found)


# --- Received -----------------------------------------------------------------------------------------------


@part.get(
    "/invitations",
    right="tracker.team.view",
    answer=list[schemas.ReceivedInvitation] | PageOf[schemas.ReceivedInvitation],
)
def list_received_invitations(request: SignedInRequest, query: Query[PageQuery]) -> HttpResponse:
    """The open invitations to your e-mail address."""
    found = sorted(invitations.waiting_for(request.user), key=lambda each: str(each.invitation.id))
    return listing(
        request,
        query,
        slices(found, lambda each: str(each.invitation.id)),
        lambda each: documents.invitation(each.invitation) | {"teamName": each.team.name, "playerName": None},
    )


@part.act(
    "POST",
    "/invitations/open",
    right="tracker.team.view",
    answer=schemas.ReceivedInvitation,
    errors=OF_A_RECORD,
)
def open_invitation(request: SignedInRequest, body: schemas.AnsweredInvitation) -> HttpResponse:
    """Read an invitation before you answer it. 409 if it is over, 403 if it is for another e-mail address.

    A POST, so that its token is in no address.
    """
    found = _invitation(request.user, body)
    try:
        return _offer(invitations.allowed(request.user, found))
    except invitations.Over as error:
        raise Conflict(error.message) from error


@part.act(
    "POST",
    "/invitations/accept",
    right="tracker.team.view",
    answer=schemas.ReceivedInvitation,
    is_once=True,
    errors=OF_A_RECORD,
)
def accept_invitation(request: SignedInRequest, body: schemas.AnsweredInvitation) -> HttpResponse:
    """Join the team. 409 if the invitation is over, or if you are another player of the roster already."""
    return _respond(request, body, invitations.accept)


@part.act(
    "POST",
    "/invitations/decline",
    right="tracker.team.view",
    answer=schemas.ReceivedInvitation,
    is_once=True,
    errors=OF_A_RECORD,
)
def decline_invitation(request: SignedInRequest, body: schemas.AnsweredInvitation) -> HttpResponse:
    """Decline an invitation."""
    return _respond(request, body, invitations.decline)


def _respond(request: SignedInRequest, body: schemas.AnsweredInvitation, verb: Any) -> HttpResponse:
    user, found = request.user, _invitation(request.user, body)
    try:
        verb(user, found, once=idempotency.once(request))
    except Replayed:
        pass
    except invitations.Over as error:
        raise Conflict(error.message) from error
    return _offer(repository.invitations.offer(found, user.sub, strong=True))


def _invitation(user: User, body: schemas.AnsweredInvitation) -> Invitation:
    if body.token:
        return invitations.with_token(body.token)
    if body.teamId and body.inviteId:
        return invitations.sent_to(user, body.teamId, body.inviteId)
    raise wrong("token", NEITHER)


def _offer(offer: Offer) -> HttpResponse:
    document = documents.invitation(offer.invitation)
    player = offer.player.name if offer.player else None
    return answers.answer(document | {"teamName": offer.team.name, "playerName": player})


def _answer(found: Invitation) -> HttpResponse:
    return answers.answer(documents.invitation(found), version=found.seen_version)
