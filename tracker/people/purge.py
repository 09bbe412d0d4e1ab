"""The purge: removes the personal data of teams and people thirty days after their deletion, no statistics.

A purged team keeps its games, box scores and plate appearances; linked players stay linked to their persons,
and ghosts, the players without an account, lose their names. The players of a purged person are unlinked and
lose their names. The histories of purged records keep who did what and when, but not the values.

Every step is idempotent: the next run finishes what a crash has left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from core.dynamo import history, transactions
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.attributes import now
from core.dynamo.batch import Outcomes
from core.dynamo.errors import Conflict
from core.dynamo.paging import batches
from core.dynamo.queries import every
from core.dynamo.transactions import Transaction
from tracker import repository
from tracker.base_repository import TrackerRepository
from tracker.games.models import Answer
from tracker.items import INACTIVE, TrackedItem
from tracker.people.models import Profile
from tracker.people.services import StillOwner, owned_teams
from tracker.roster.models import Player
from tracker.roster.services import UNLINKED
from tracker.teams.models import DELETED, OWNER, Membership, Team

PER_PAGE = 100
# So many records, with the side items of each, fit into one transaction.
WRITTEN_AT_ONCE = 20
# The actor name that replaces a purged person's in histories.
FORMER_MEMBER = "Former member"
NOBODY: dict[str, Any] = {
    "first_name": "Former player",
    "last_name": None,
    "number": None,
    "is_double_zero": None,
    "status": INACTIVE,
    "is_private": True,
}

T = TypeVar("T", bound=TrackedItem)


@dataclass
class Purged(Outcomes):
    teams: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)


def purge(*, moment: datetime | None = None, is_dry_run: bool = False) -> Purged:
    """Purge what was deleted thirty days ago: people first, because that deletes their personal teams."""
    moment = moment or now()
    purged = Purged()
    for profile in every(repository.profiles.all, per_request=PER_PAGE):
        if _is_due(profile, moment):
            step = partial(purge_person, profile.id, moment)
            purged.carry_out(step, profile.name, purged.people, is_dry_run=is_dry_run)
    for team in every(repository.teams.all, per_request=PER_PAGE):
        if _is_over(team, moment):
            step = partial(purge_team, team.id, moment)
            purged.carry_out(step, team.name, purged.teams, is_dry_run=is_dry_run)
    return purged


def purge_team(team_id: str, moment: datetime) -> None:
    team = repository.teams.of(team_id, strong=True)
    if not _is_over(team, moment):
        raise Conflict
    # From this write on a restore fails, also a concurrent one: its version check no longer holds.
    team = repository.teams.update(team, {"recovery_token": None}, actor=SYSTEM, verb="purge")
    _delete(repository.memberships, repository.memberships.of_team(team_id))
    _delete(repository.invitations, repository.invitations.of_team(team_id))
    for player in repository.teams.roster(team_id, strong=True).players:
        if player.is_ghost:
            _make_nobody(player, NOBODY)
    for game in every(partial(repository.games.of_team, team_id), per_request=PER_PAGE):
        _forget(repository.games.story(game.id, strong=True).answers)
    gone = {"description": None, "purged_at": moment}
    repository.teams.update(team, gone, actor=SYSTEM, verb="purge")


def purge_person(user_id: str, moment: datetime) -> None:
    profile = repository.profiles.of(user_id, strong=True)
    if not _is_due(profile, moment):
        raise Conflict
    still_owned = owned_teams(user_id)
    if still_owned:
        raise StillOwner(f"still owns {', '.join(still_owned)}")
    former = Actor(user_id, FORMER_MEMBER)
    for player in repository.players.of_person(user_id):
        _forget(_answers_of(player), former)
        _make_nobody(player, {**UNLINKED, **NOBODY}, former)
    belonging = repository.profiles.belonging(user_id, strong=True)
    for membership in belonging.memberships:
        _give_up(membership, profile, former)
    _delete(repository.invitations, repository.invitations.to_address(profile.email), former)
    _delete(repository.profiles, [profile], former)


def _make_nobody(player: Player, fields: Mapping[str, Any], former: Actor | None = None) -> None:
    """Redact the history first, so that after a crash in between the next run finds the player again."""
    key = repository.players.key_of(player)
    history.redact(repository.players.entity, key, label=NOBODY["first_name"], person=former)
    repository.players.update(player, fields, actor=SYSTEM, verb="purge", redact_history=True)


def _give_up(membership: Membership, profile: Profile, former: Actor) -> None:
    """Delete a membership; a team that the person owns gets their deletion date and is purged with them."""
    if membership.role == OWNER:
        team = repository.teams.of(membership.team_id, strong=True)
        if not team.is_deleted:
            gone = {"status": DELETED, "deleted_at": profile.deleted_at}
            repository.teams.update(team, gone, actor=SYSTEM, verb="delete")
    _delete(repository.memberships, [membership], former)


def _is_over(team: Team, moment: datetime) -> bool:
    until = team.recoverable_until
    return team.is_deleted and team.purged_at is None and until is not None and until <= moment


def _is_due(profile: Profile, moment: datetime) -> bool:
    return profile.kept_until is not None and profile.kept_until <= moment


def _delete(records: TrackerRepository[T], items: Sequence[T], former: Actor | None = None) -> None:
    for item in items:
        history.redact(records.entity, records.key_of(item), label="", person=former)
    for batch in batches(items, WRITTEN_AT_ONCE):
        transaction = Transaction()
        for item in batch:
            records.delete(
                item, actor=SYSTEM, verb="purge", transaction=transaction, for_ever=True, redact_history=True
            )
        transaction.commit()


def _answers_of(player: Player) -> list[Answer]:
    """A player's answers to the games of the team; one request per hundred games."""
    games = every(partial(repository.games.of_team, player.team_id), per_request=PER_PAGE)
    wanted = (repository.answers.key(game.id, player.id) for game in games)
    return list(repository.answers.get_many(wanted, strong=True).values())


def _forget(answers: Sequence[Answer], former: Actor | None = None) -> None:
    """Delete answers without a history entry, and redact their histories, which contain the notes."""
    for each in answers:
        key = repository.answers.key_of(each)
        history.redact(repository.answers.entity, key, label="", person=former)
    for batch in batches(answers, WRITTEN_AT_ONCE):
        transactions.commit(*(transactions.delete(Answer, each.raw_key()) for each in batch))
