"""Services for seasons: create, edit, delete and restore."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo import trash
from core.dynamo.errors import InUse, NotFound
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.items import new_id
from tracker import policy, repository
from tracker.games.models import Season

VERB = "manage_team"


def create(
    user: User,
    team_id: str,
    fields: Mapping[str, Any],
    *,
    season_id: str = "",
    once: IdempotencyKey | None = None,
) -> Season:
    policy.allowed(user, team_id, VERB)
    season = Season.about(team_id, season_id or new_id(), **fields)
    return repository.seasons.create(season, actor=user.actor, once=once)


def edit(
    user: User,
    team_id: str,
    season_id: str,
    fields: Mapping[str, Any],
    *,
    seen_version: int,
    once: IdempotencyKey | None = None,
) -> Season:
    """Update a season. Games that have begun keep their copy of the rules."""
    policy.allowed(user, team_id, VERB)
    season = repository.seasons.of(team_id, season_id, strong=True)
    return repository.seasons.update(season, fields, actor=user.actor, seen_version=seen_version, once=once)


def delete(
    user: User,
    team_id: str,
    season_id: str,
    *,
    seen_version: int | None = None,
    once: IdempotencyKey | None = None,
) -> Season:
    """Delete a season without games; InUse if it has some, because their statistics belong to it."""
    policy.allowed(user, team_id, VERB)
    season = repository.seasons.of(team_id, season_id, strong=True)
    try:
        return repository.seasons.delete(season, actor=user.actor, seen_version=seen_version, once=once)
    except InUse as error:
        raise InUse(_("This season has games. Move or delete them first."), current=season) from error


def restore(user: User, team_id: str, season_id: str, *, once: IdempotencyKey | None = None) -> Season:
    policy.allowed(user, team_id, VERB)
    key = repository.seasons.key(team_id, season_id)
    trashed = trash.of_record(repository.seasons.entity, key)
    if trashed is None:
        refuse(NotFound(), once)
    return repository.seasons.restore(trashed.trash_id, actor=user.actor, once=once)
