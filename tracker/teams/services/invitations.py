"""Services for invitations: create, send, revoke, accept and decline."""

import secrets
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables

from core.accounts.user import User
from core.club import mail
from core.common.logs import events
from core.dynamo import transactions
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, DataError, NotFound, Text
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.transactions import Transaction
from core.people import services as accounts
from tracker import keys, repository
from tracker.items import ACTIVE
from tracker.policy import ROLES_SET_BY, Access
from tracker.roster import services as roster
from tracker.roster.models import Player
from tracker.roster.services import until_decided
from tracker.teams.models import (
    ACCEPTED,
    DECLINED,
    DELETED,
    INVITATION_LASTS,
    MANAGER,
    OWNER,
    PENDING,
    PLAYER,
    REVOKED,
    SCOREKEEPER,
    Invitation,
    Membership,
    Team,
)
from tracker.teams.repository import Offer

# Roles in ascending order of their rights.
RANKS = (PLAYER, SCOREKEEPER, MANAGER, OWNER)
BYTES_OF_A_TOKEN = 20
NO_SUCH_LINK = _("This invitation does not exist. Check that the link is complete, or ask for a new one.")
NOT_MAILED = _("The e-mail could not be sent. Give the person the link below instead.")
NO_ACCOUNT = _(
    "The account could not be created because the sign-in service is not responding. Invite the "
    "person again later."
)
OVER: dict[str, Text] = {
    ACCEPTED: _("This invitation has already been used."),
    DECLINED: _("This invitation was declined. Ask the team for a new one."),
    REVOKED: _("This invitation was withdrawn. Ask the team for a new one."),
    # An invitation that is not open but still pending has expired.
    PENDING: _("This invitation has expired after seven days. Ask the team for a new one."),
}


class Over(DataError):
    """An invitation that can no longer be answered."""

    status_code = 410
    message = _("This invitation can no longer be used.")


class ForSomebodyElse(DataError):
    status_code = 403
    message = _(
        "This invitation was sent to another e-mail address. Sign in with that one, or ask for a new one."
    )


@dataclass(frozen=True)
class Invited:
    """A new invitation, with the token, of which only the hash is stored."""

    access: Access
    invitation: Invitation
    token: str
    player: Player | None

    @property
    def opens_account(self) -> bool:
        """Whether the mail creates a guest account; only for owners, and administrators acting as owner."""
        return self.access.role == OWNER


@dataclass(frozen=True)
class ReceivedInvitation:
    """An open invitation to the e-mail address of the user, with its team."""

    invitation: Invitation
    team: Team


# --- Managers ----------------------------------------------------------------------------------------------


def invite(user: User, team_id: str, *, player_id: str, email: str, role: str) -> Invited:
    """Create an invitation to be a ghost's person (`player_id`), or only to a role."""
    access = roster.managed(user, team_id, "manage_members")
    player = repository.players.of(team_id, player_id, strong=True) if player_id else None
    return offer_place(access, player, email=email, role=role)


def offer_place(access: Access, player: Player | None, *, email: str, role: str) -> Invited:
    """As `invite`, for records that were read already. Revokes pending invitations to the same place."""
    if role not in ROLES_SET_BY.get(access.role or "", ()):
        raise PermissionDenied
    if player is not None and not player.is_ghost:
        raise Conflict(_("This player is already linked to a person."), field="player")
    team_id, actor = access.team.id, access.user.actor
    token = secrets.token_hex(BYTES_OF_A_TOKEN)
    invitation = Invitation.about(
        team_id,
        player_id=player.id if player else None,
        email=email or None,
        role=role,
        invited_by=access.user.sub,
        by_admin=not (access.membership and access.membership.is_active),
        token_hash=keys.hashed(token),
        expires_at=now() + INVITATION_LASTS,
    )
    transaction = Transaction()
    for earlier in repository.invitations.of_team(team_id):
        if earlier.status == PENDING and _same_place(earlier, invitation):
            repository.invitations.update(
                earlier, {"status": REVOKED}, actor=actor, verb="revoke", transaction=transaction
            )
    created = repository.invitations.create(invitation, actor=actor, verb="invite", transaction=transaction)
    transaction.commit()
    return Invited(access, created, token, player)


@sensitive_variables("password", "text", "body")
def send(invited: Invited, address: str) -> list[Text]:
    """Send the invitation by mail; an owner's also creates a guest account if the address has none.

    Returns messages about what failed; the invitation is valid anyway.
    """
    email = str(invited.invitation.email)
    actor, player = invited.access.user, invited.player
    given_name = player.first_name if player else email.partition("@")[0]
    family_name = (player.last_name or "") if player else ""
    problems: list[Text] = []
    password = None
    if invited.opens_account:
        try:
            password = accounts.open_guest_account(
                actor, email=email, given_name=given_name, family_name=family_name
            )
        except DataError:
            problems.append(NO_ACCOUNT)
    context = {
        "actor": actor,
        "team": invited.access.team,
        "invitation": invited.invitation,
        "player": player,
        "address": address,
        "email": email,
        "password": password,
        "opens_account": invited.opens_account,
    }
    try:
        # Who is invited may have no account, so that nobody knows their language.
        mail.send("tracker/teams/mail/invitation.txt", context, to=email)
    except (OSError, ValueError) as error:
        events.error("mail_failed", reason=type(error).__name__)
        problems.append(NOT_MAILED)
    return problems


@until_decided
def revoke(user: User, team_id: str, invitation_id: str, *, once: IdempotencyKey | None = None) -> Invitation:
    roster.managed(user, team_id, "manage_members")
    found = repository.invitations.of(team_id, invitation_id, strong=True)
    if found.status != PENDING:
        raise Over(OVER[found.status])
    return repository.invitations.update(
        found, {"status": REVOKED}, actor=user.actor, verb="revoke", once=once
    )


# --- Invited people ----------------------------------------------------------------------------------------


def with_token(token: str) -> Invitation:
    try:
        return repository.invitations.with_token(token)
    except NotFound:
        raise NotFound(NO_SUCH_LINK) from None


def sent_to(user: User, team_id: str, invitation_id: str) -> Invitation:
    """An invitation by id, for the person whose e-mail address it was sent to; otherwise NotFound."""
    found = repository.invitations.of(team_id, invitation_id)
    if not found.email or found.email != user.email:
        raise NotFound
    return found


def waiting_for(user: User) -> list[ReceivedInvitation]:
    """The open invitations to the user's address, in one request, two if there are any."""
    found = [each for each in repository.invitations.to_address(user.email) if each.is_open()]
    teams = repository.teams.with_ids(each.team_id for each in found)
    return [
        ReceivedInvitation(each, teams[each.team_id])
        for each in found
        if each.team_id in teams and not teams[each.team_id].is_deleted
    ]


def allowed(user: User, invitation: Invitation, *, strong: bool = False) -> Offer:
    """The offer of an invitation to this person; Over or ForSomebodyElse if they cannot accept it."""
    offer = repository.invitations.offer(invitation, user.sub, strong=strong)
    stored = offer.invitation
    if not stored.is_open():
        raise Over(OVER.get(stored.status))
    if offer.team.is_deleted:
        raise Over(_("The team that sent this invitation no longer exists."))
    if stored.email and stored.email != user.email:
        raise ForSomebodyElse
    if not stored.by_admin and not _may_still_invite(offer):
        raise Over(
            _("The person who sent this invitation can no longer invite people. Ask the team for a new one.")
        )
    if stored.player_id and (offer.player is None or not offer.player.is_ghost):
        raise Over(_("The place on the roster is no longer free. Ask the team for a new invitation."))
    return offer


def already_there(user: User, offer: Offer) -> Player | None:
    """The person's own player on the roster, if the invitation is for another one."""
    if offer.player is None or offer.membership is None:
        return None
    own = repository.players.of_person(user.sub)
    return next((each for each in own if each.team_id == offer.team.id), None)


@until_decided
def accept(user: User, invitation: Invitation, *, once: IdempotencyKey | None = None) -> Offer:
    """Accept, in one transaction: invitation, membership, player, and checks of team and inviter."""
    offer = allowed(user, invitation, strong=True)
    transaction = Transaction()
    repository.invitations.update(
        offer.invitation,
        {"status": ACCEPTED},
        actor=user.actor,
        verb="accept",
        once=once,
        transaction=transaction,
    )
    _join(transaction, user, offer)
    if offer.player is not None:
        linked = {"is_ghost": False, "user_id": user.sub, "linked_at": now()}
        repository.players.update(
            offer.player, linked, actor=user.actor, verb="link", transaction=transaction
        )
    still_there = transactions.exists(Team) & (Team.status != DELETED)
    transaction.add(transactions.check(Team, offer.team.raw_key(), still_there))
    if offer.inviting is not None and not offer.invitation.by_admin:
        still_invites = (Membership.status == ACTIVE) & (Membership.role == offer.inviting.role)
        transaction.add(transactions.check(Membership, offer.inviting.raw_key(), still_invites))
    transaction.commit()
    return offer


@until_decided
def decline(user: User, invitation: Invitation, *, once: IdempotencyKey | None = None) -> Offer:
    offer = allowed(user, invitation, strong=True)
    repository.invitations.update(
        offer.invitation, {"status": DECLINED}, actor=user.actor, verb="decline", once=once
    )
    return offer


def _join(transaction: Transaction, user: User, offer: Offer) -> None:
    """Create the membership, activate an inactive one, or raise the role; a role is never lowered."""
    invitation, membership = offer.invitation, offer.membership
    joined = {"role": invitation.role, "joined_at": now(), "invited_by": invitation.invited_by}
    writing: dict[str, Any] = {"actor": user.actor, "verb": "join", "transaction": transaction}
    if membership is None:
        repository.memberships.create(Membership.about(user.sub, invitation.team_id, **joined), **writing)
    elif membership.is_active:
        role = max(membership.role, invitation.role, key=RANKS.index)
        repository.memberships.update(membership, {"role": role}, **writing)
    else:
        repository.memberships.update(membership, {**joined, "status": ACTIVE}, **writing)


def _may_still_invite(offer: Offer) -> bool:
    """Whether the inviter may still give this role: invitations of removed members are void."""
    inviting = offer.inviting
    return (
        inviting is not None
        and inviting.is_active
        and offer.invitation.role in ROLES_SET_BY.get(inviting.role, ())
    )


def _same_place(earlier: Invitation, new: Invitation) -> bool:
    if new.player_id:
        return bool(earlier.player_id == new.player_id)
    return bool(new.email and not earlier.player_id and earlier.email == new.email)
