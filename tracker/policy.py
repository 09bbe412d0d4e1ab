"""Rights within a team by role: the matrix (FIELDS.md 5.4) and the access checks of views and services."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied

from core.accounts.user import User
from core.dynamo.errors import NotFound
from tracker import repository
from tracker.teams.models import MANAGER, OWNER, PLAYER, SCOREKEEPER, Membership, Team

EVERY_ROLE = frozenset({OWNER, MANAGER, SCOREKEEPER, PLAYER})
SCORING = frozenset({OWNER, MANAGER, SCOREKEEPER})
MANAGING = frozenset({OWNER, MANAGER})

MATRIX: Mapping[str, frozenset[str]] = {
    "view": EVERY_ROLE,
    "manage_team": MANAGING,
    "delete_team": frozenset({OWNER}),
    "transfer_team": frozenset({OWNER}),
    "manage_roster": MANAGING,
    "manage_members": MANAGING,
    "manage_games": SCORING,
    "reopen_game": MANAGING,
    "manage_atbats": SCORING,
    "edit_own_player": EVERY_ROLE,
    "answer": EVERY_ROLE,
    "leave_team": EVERY_ROLE - {OWNER},
}
# By own role: the roles that a person may take from members and give to them.
ROLES_SET_BY: Mapping[str, frozenset[str]] = {
    OWNER: frozenset({MANAGER, SCOREKEEPER, PLAYER}),
    MANAGER: frozenset({SCOREKEEPER, PLAYER}),
}


@dataclass(frozen=True)
class Access:
    """A person's rights in a team. Administrators who are no members are owners, except in personal teams."""

    user: User
    team: Team
    membership: Membership | None

    @property
    def role(self) -> str | None:
        if self.membership is not None and self.membership.is_active:
            return str(self.membership.role)
        return OWNER if self.user.is_admin and not self.team.is_personal else None

    @property
    def manages_roster(self) -> bool:
        """Whether the person may change all players; a personal team has only the own one."""
        return self.may("manage_roster") and not self.team.is_personal

    def may(self, verb: str) -> bool:
        return self.role in MATRIX[verb]

    def ensure(self, verb: str) -> None:
        """Raise PermissionDenied for members without the right, and NotFound for everybody else."""
        if self.role is None:
            raise NotFound
        if not self.may(verb):
            raise PermissionDenied


def access(user: User, team_id: str, *, strong: bool = False, deleted: bool = False) -> Access:
    """A person's access to a team, in one request. NotFound without a role in it.

    A deleted team is NotFound too, unless `deleted`, which is for restoring it.
    """
    team, membership = repository.teams.with_membership(team_id, user.sub, strong=strong)
    return granted(user, team, membership, deleted=deleted)


def granted(user: User, team: Team | None, membership: Membership | None, *, deleted: bool = False) -> Access:
    """As `access`, for a team and a membership that were read already."""
    if team is None or (team.is_deleted and not deleted):
        raise NotFound
    found = Access(user, team, membership)
    if found.role is None:
        raise NotFound
    return found


def allowed(user: User, team_id: str, verb: str) -> Access:
    """The access for a write: read strongly consistent, and refused unless the role has the right."""
    found = access(user, team_id, strong=True)
    found.ensure(verb)
    return found
