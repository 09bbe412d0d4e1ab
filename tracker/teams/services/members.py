"""Services for members: change the role, remove, leave. Their statistics stay with the team."""

from django.core.exceptions import PermissionDenied

from core.accounts.user import User
from core.dynamo.errors import NotFound
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.transactions import Transaction
from tracker import policy, repository
from tracker.items import INACTIVE
from tracker.policy import ROLES_SET_BY, Access
from tracker.roster.services import UNLINKED
from tracker.teams.models import Membership
from tracker.teams.services.teams import NotForPersonalTeams


def roles_set_by(access: Access) -> frozenset[str]:
    """The roles that a person may give and take; never that of the owner."""
    may_set = ROLES_SET_BY.get(access.role or "", frozenset())
    return frozenset() if access.team.is_personal else may_set


def change_role(
    user: User,
    team_id: str,
    user_id: str,
    role: str,
    *,
    seen_version: int,
    once: IdempotencyKey | None = None,
) -> Membership:
    access = policy.allowed(user, team_id, "manage_members")
    membership = governed(access, user_id)
    if role not in roles_set_by(access):
        raise PermissionDenied
    return repository.memberships.update(
        membership, {"role": role}, actor=user.actor, verb="role", seen_version=seen_version, once=once
    )


def remove(
    user: User,
    team_id: str,
    user_id: str,
    *,
    seen_version: int | None = None,
    once: IdempotencyKey | None = None,
) -> None:
    """End a membership and unlink the player, which keeps its statistics."""
    try:
        membership = governed(policy.allowed(user, team_id, "manage_members"), user_id)
    except NotFound as error:
        # A replay no longer finds the membership that it has ended.
        refuse(error, once)
    _end(membership, user, verb="remove", seen_version=seen_version, once=once)


def leave(user: User, team_id: str, *, once: IdempotencyKey | None = None) -> None:
    try:
        found = policy.allowed(user, team_id, "leave_team")
    except NotFound as error:
        # A replay no longer finds the membership that it has ended.
        refuse(error, once)
    if found.team.is_personal or found.membership is None:
        # A personal team cannot be left, and an administrator may have no membership.
        raise PermissionDenied
    _end(found.membership, user, verb="leave", once=once)


def governed(access: Access, user_id: str) -> Membership:
    """The active membership of a person, read strongly consistent, if the user may change it."""
    if access.team.is_personal:
        raise NotForPersonalTeams
    membership = repository.memberships.of(user_id, access.team.id, strong=True)
    if not membership.is_active:
        raise NotFound
    if membership.role not in roles_set_by(access):
        raise PermissionDenied
    return membership


def _end(
    membership: Membership,
    user: User,
    *,
    verb: str,
    seen_version: int | None = None,
    once: IdempotencyKey | None,
) -> None:
    transaction = Transaction()
    player = repository.teams.roster(membership.team_id, strong=True).of_person(membership.user_id)
    if player is not None:
        repository.players.update(player, UNLINKED, actor=user.actor, verb="unlink", transaction=transaction)
    repository.memberships.update(
        membership,
        {"status": INACTIVE},
        actor=user.actor,
        verb=verb,
        seen_version=seen_version,
        once=once,
        transaction=transaction,
    )
    transaction.commit()
