"""Services for rosters. A player whom a game names is never deleted, only set to inactive."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo import trash
from core.dynamo.errors import AlreadyExists, Conflict, DataError, NotFound
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.items import new_id
from core.dynamo.transactions import Transaction
from tracker import policy, repository
from tracker.items import INACTIVE
from tracker.policy import ROLES_SET_BY, Access
from tracker.roster.models import Player
from tracker.teams.models import Membership
from tracker.teams.services.teams import NotForPersonalTeams

# What players may change about themselves.
OWN_FIELDS = ("first_name", "last_name", "number", "is_double_zero", "positions", "is_private")
# The fields of a player who was unlinked; the plate appearances stay with the player.
UNLINKED: Mapping[str, Any] = {"is_ghost": True, "user_id": None, "linked_at": None}
MOST_TRIES = 4

P = ParamSpec("P")
T = TypeVar("T")


def until_decided(verb: Callable[P, T]) -> Callable[P, T]:
    """A verb that reads and writes is done again after a conflict; other errors say why it is refused.

    Before an error is raised, a replayed request is recognised by its idempotency key (`Replayed`).
    """

    @wraps(verb)
    def decided(*args: P.args, **kwargs: P.kwargs) -> T:
        once: Any = kwargs.get("once")
        try:
            for _try in range(MOST_TRIES):
                try:
                    return verb(*args, **kwargs)
                except AlreadyExists as taken:
                    if taken.field is not None:
                        raise
                except Conflict:
                    continue
            raise Conflict
        except DataError as error:
            # The error may come from this request's own earlier attempt.
            refuse(error, once)

    return decided


class StillLinked(DataError):
    status_code = 409
    message = _("This player is linked to a person. Unlink the player first.")


class NotLinked(DataError):
    status_code = 409
    message = _("Nobody is linked to this player.")


@dataclass(frozen=True)
class OpenPlayer:
    """A player, with the access of somebody who may change it."""

    access: Access
    player: Player

    @property
    def is_managed(self) -> bool:
        """Whether the person may change all fields as a manager, not only those of their own player."""
        return self.access.manages_roster


def managed(user: User, team_id: str, verb: str = "manage_roster") -> Access:
    """The access for a write of the roster, other than to one's own player; refuses personal teams."""
    found = policy.allowed(user, team_id, verb)
    if found.team.is_personal:
        raise NotForPersonalTeams
    return found


def add(
    user: User,
    team_id: str,
    fields: Mapping[str, Any],
    *,
    player_id: str = "",
    once: IdempotencyKey | None = None,
) -> Player:
    """Create a ghost, a player without an account."""
    managed(user, team_id)
    player = Player.about(team_id, player_id or new_id(), **fields)
    return repository.players.create(player, actor=user.actor, once=once)


def add_all(
    access: Access, several: Sequence[Mapping[str, Any]], *, once: IdempotencyKey | None = None
) -> None:
    """Create several players in one transaction."""
    transaction = Transaction()
    for fields in several:
        player = Player.about(access.team.id, **fields)
        repository.players.create(player, actor=access.user.actor, transaction=transaction)
    if once is not None:
        transaction.add(once.operation())
    transaction.commit()


def allowed(user: User, team_id: str, player_id: str) -> OpenPlayer:
    """A player, read strongly consistent, for managers and for the player."""
    access = policy.access(user, team_id, strong=True)
    player = repository.players.of(team_id, player_id, strong=True)
    is_own = player.user_id == user.sub
    access.ensure("edit_own_player" if is_own else "manage_roster")
    if access.team.is_personal and not is_own:
        raise NotForPersonalTeams
    return OpenPlayer(access, player)


def edit(
    place: OpenPlayer, fields: Mapping[str, Any], *, seen_version: int, once: IdempotencyKey | None = None
) -> Player:
    editable = fields if place.is_managed else {name: fields[name] for name in OWN_FIELDS}
    return repository.players.update(
        place.player, editable, actor=place.access.user.actor, seen_version=seen_version, once=once
    )


def removable(user: User, team_id: str, player_id: str) -> OpenPlayer:
    access = managed(user, team_id)
    player = repository.players.of(team_id, player_id, strong=True)
    if not player.is_ghost:
        raise StillLinked
    return OpenPlayer(access, player)


@until_decided
def remove(
    user: User,
    team_id: str,
    player_id: str,
    *,
    seen_version: int | None = None,
    once: IdempotencyKey | None = None,
) -> Player:
    """Move the player to the trash, or set to inactive if a game names them, also one saved concurrently."""
    player = removable(user, team_id, player_id).player
    if not player.is_kept:
        return repository.players.delete(player, actor=user.actor, seen_version=seen_version, once=once)
    return repository.players.update(
        player,
        {"status": INACTIVE},
        actor=user.actor,
        verb="remove",
        seen_version=seen_version,
        once=once,
    )


def restore(user: User, team_id: str, player_id: str) -> Player:
    """Restore from the trash; without the number if another player has it by now."""
    managed(user, team_id)
    key = repository.players.key(team_id, player_id)
    trashed = trash.of_record(repository.players.entity, key)
    if trashed is None:
        raise NotFound
    try:
        return repository.players.restore(trashed.trash_id, actor=user.actor)
    except AlreadyExists as taken:
        if taken.field != "number":
            raise
    return repository.players.restore(trashed.trash_id, actor=user.actor, fields={"number": None})


@dataclass(frozen=True)
class Linked(OpenPlayer):
    """A player with the membership of the linked person, for unlinking."""

    membership: Membership | None

    @property
    def may_leave(self) -> bool:
        """Whether this manager may also end the membership of the person."""
        role = self.membership.role if self.membership and self.membership.is_active else None
        return role in ROLES_SET_BY.get(self.access.role or "", ())


def linked(user: User, team_id: str, player_id: str) -> Linked:
    access = managed(user, team_id)
    player = repository.players.of(team_id, player_id, strong=True)
    if player.user_id is None:
        raise NotLinked
    try:
        membership = repository.memberships.of(player.user_id, team_id, strong=True)
    except NotFound:
        membership = None
    return Linked(access, player, membership)


@until_decided
def unlink(
    user: User, team_id: str, player_id: str, *, leaves: bool, once: IdempotencyKey | None = None
) -> Player:
    """Make the player a ghost again. With `leaves` the person's membership ends too."""
    found = linked(user, team_id, player_id)
    if leaves and not found.may_leave:
        raise PermissionDenied
    transaction = Transaction()
    player = repository.players.update(
        found.player, UNLINKED, actor=user.actor, verb="unlink", transaction=transaction, once=once
    )
    if leaves and found.membership is not None:
        repository.memberships.update(
            found.membership,
            {"status": INACTIVE},
            actor=user.actor,
            verb="leave",
            transaction=transaction,
        )
    transaction.commit()
    return player
