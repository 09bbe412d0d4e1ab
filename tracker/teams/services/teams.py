"""Services for teams: create, edit, delete, restore, transfer."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.errors import DataError, NotFound, Text
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.items import new_id
from core.dynamo.transactions import Transaction
from tracker import policy, repository
from tracker.items import ACTIVE
from tracker.people.models import Profile
from tracker.roster.models import Player
from tracker.teams.models import DELETED, MANAGED, MANAGER, OWNER, Membership, Team

BACK = {"status": ACTIVE, "deleted_at": None, "recovery_token": None}


class NotForPersonalTeams(DataError):
    """Refused for personal teams: members, and any change once there are games."""

    status_code = 403
    message = _("A team for your own stats has no other members.")


class NotAMember(DataError):
    status_code = 422
    message = _("Choose another member as the new owner.")


PLAYED: Text = _("This team has games, so you cannot rename or delete it.")


def put_team(transaction: Transaction, team: Team, owner: Profile, *, player_id: str, actor: Actor) -> Team:
    """Add the team with its owner's membership and player to the transaction."""
    team_id, moment = team.id, now()
    membership = Membership.about(owner.id, team_id, role=OWNER, joined_at=moment)
    player = Player.about(
        team_id,
        player_id,
        first_name=owner.first_name,
        last_name=owner.last_name,
        is_ghost=False,
        user_id=owner.id,
        linked_at=moment,
    )
    repository.memberships.create(membership, actor=actor, transaction=transaction)
    repository.players.create(player, actor=actor, transaction=transaction)
    return repository.teams.create(team, actor=actor, transaction=transaction)


def create(
    user: User,
    owner: Profile,
    fields: Mapping[str, Any],
    *,
    team_id: str = "",
    once: IdempotencyKey | None = None,
) -> Team:
    """Create a team with its owner's membership and player, in one transaction."""
    ensure(user, "tracker.team.create")
    team = Team.about(
        team_id or new_id(),
        name=fields["name"],
        description=fields.get("description") or None,
        owner_id=owner.id,
        team_type=fields.get("team_type", MANAGED),
    )
    transaction = Transaction()
    created = put_team(transaction, team, owner, player_id=new_id(), actor=user.actor)
    if once is not None:
        transaction.add(once.operation())
    transaction.commit()
    return created


def edit(
    user: User,
    team_id: str,
    fields: Mapping[str, Any],
    *,
    seen_version: int,
    once: IdempotencyKey | None = None,
) -> Team:
    """Update name and description."""
    team = _changeable(user, team_id, "manage_team")
    written = {"name": fields["name"], "description": fields.get("description") or None}
    return repository.teams.update(team, written, actor=user.actor, seen_version=seen_version, once=once)


def delete(user: User, team_id: str, *, seen_version: int, once: IdempotencyKey | None = None) -> Team:
    """Soft delete: the owner can restore the team for thirty days."""
    team = _changeable(user, team_id, "delete_team", deleted=True)
    if team.is_deleted:
        refuse(NotFound(), once)
    gone = {"status": DELETED, "deleted_at": now(), "recovery_token": new_id()}
    return repository.teams.update(
        team, gone, actor=user.actor, verb="delete", seen_version=seen_version, once=once
    )


def restore(user: User, team_id: str, *, once: IdempotencyKey | None = None) -> Team:
    """Undo a soft delete, with all members; NotFound after thirty days."""
    found = policy.access(user, team_id, strong=True, deleted=True)
    found.ensure("delete_team")
    if not found.team.is_recoverable():
        refuse(NotFound(), once)
    return repository.teams.update(found.team, BACK, actor=user.actor, verb="restore", once=once)


def transfer(
    user: User, team_id: str, new_owner_id: str, *, seen_version: int, once: IdempotencyKey | None = None
) -> Team:
    """Make another member the owner, and the former one a manager, in one transaction."""
    try:
        team = policy.allowed(user, team_id, "transfer_team").team
    except PermissionDenied as error:
        # In a replay the user is no longer the owner.
        refuse(error, once)
    if team.is_personal:
        raise NotForPersonalTeams
    members = repository.memberships.of_people([team.owner_id, new_owner_id], team_id)
    becomes = members.get(new_owner_id)
    if becomes is None or not becomes.is_active or new_owner_id == team.owner_id:
        refuse(NotAMember(field="owner"), once)
    transaction = Transaction()
    written: dict[str, Any] = {"actor": user.actor, "verb": "transfer", "transaction": transaction}
    owner = members.get(team.owner_id)
    if owner is not None:
        repository.memberships.update(owner, {"role": MANAGER}, **written)
    repository.memberships.update(becomes, {"role": OWNER}, **written)
    changed = repository.teams.update(
        team, {"owner_id": new_owner_id}, seen_version=seen_version, once=once, **written
    )
    transaction.commit()
    return changed


def _changeable(user: User, team_id: str, verb: str, *, deleted: bool = False) -> Team:
    """The team, read strongly consistent, if the role has the right and it is no personal one with games."""
    found = policy.access(user, team_id, strong=True, deleted=deleted)
    found.ensure(verb)
    refuse_played(found.team)
    return found.team


def refuse_played(team: Team) -> None:
    """Refuse changes of a personal team that has games."""
    if team.is_personal and team.has_games:
        raise NotForPersonalTeams(PLAYED)
