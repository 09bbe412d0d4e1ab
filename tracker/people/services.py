"""Services for profiles. The first sign-in creates the profile and a personal team."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.utils.translation import gettext_lazy as _

from core.accounts import directory, hooks
from core.accounts.user import User
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, DataError, Invalid, NotFound
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import new_id
from core.dynamo.transactions import Transaction, retry_on_conflict
from tracker import repository
from tracker.people.models import Profile
from tracker.teams.models import DEFAULT_TEAM, OWNER, PERSONAL, Team
from tracker.teams.services.teams import put_team

LONGEST_NAME = 50
NO_LAST_NAME = "User"
EDITABLE = {"first_name", "last_name", "phone_number"}


class StillOwner(DataError):
    """The person still owns teams, which must not lose their owner."""

    status_code = 409


@hooks.on_sign_in
def open_profile(user: User) -> None:
    """Create the profile at the first sign-in. A read first, because it costs less than a failing write."""
    try:
        repository.profiles.of(user.sub)
    except NotFound:
        _open_once(user)


def _open_once(user: User) -> None:
    try:
        create_profile(user, team_id=own_id(user.sub, "team"), player_id=own_id(user.sub, "player"))
    except AlreadyExists:
        # The ids exist already. A person whose profile was purged gets a new team; in a concurrent sign-in
        # the other request has created the profile, and this one creates nothing.
        with suppress(AlreadyExists):
            create_profile(user, team_id=new_id(), player_id=new_id())


def create_profile(user: User, *, team_id: str, player_id: str) -> Profile:
    """The profile with the team "Default". The profile's id is the sub, so there is never a second one."""
    first, _space, last = (user.name or user.email.partition("@")[0]).strip().partition(" ")
    profile = Profile.about(
        user.sub,
        email=user.email,
        first_name=first[:LONGEST_NAME],
        last_name=last.strip()[:LONGEST_NAME] or NO_LAST_NAME,
    )
    transaction = Transaction()
    created = repository.profiles.create(profile, actor=SYSTEM, transaction=transaction)
    team = Team.about(team_id, name=DEFAULT_TEAM, owner_id=profile.id, team_type=PERSONAL)
    put_team(transaction, team, profile, player_id=player_id, actor=SYSTEM)
    transaction.commit()
    return created


@hooks.finds_names
def own_name(sub: str) -> str | None:
    """A name finder for the accounts app. A strong read first: the GSI may still have the old name."""
    try:
        return _chosen_name(repository.profiles.of(sub, strong=True))
    except NotFound:
        profile = repository.profiles.with_login(sub)
        return _chosen_name(profile) if profile else None


def _chosen_name(profile: Profile) -> str | None:
    """The name if the profile was ever edited; an unedited one only repeats the name of the login."""
    return profile.name if profile.updated_at != profile.created_at else None


def own_id(sub: str, kind: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"fieldhouse {kind} {sub}"))


def own_profile(user: User) -> Profile:
    """The user's own profile; created now if that failed at sign-in."""
    try:
        return repository.profiles.of(user.sub, strong=True)
    except NotFound:
        open_profile(user)
        return repository.profiles.of(user.sub, strong=True)


def profile_of(user: User, user_id: str) -> Profile:
    """A profile that the user may open: their own, or any for administrators; otherwise NotFound."""
    if user_id == user.sub:
        return own_profile(user)
    if not user.is_admin:
        raise NotFound
    return repository.profiles.of(user_id, strong=True)


def edit_profile(
    user: User,
    user_id: str,
    fields: Mapping[str, Any],
    *,
    seen_version: int,
    once: IdempotencyKey | None = None,
) -> Profile:
    others = set(fields) - EDITABLE
    if others:
        raise Invalid(_("This cannot be changed: %(fields)s.") % {"fields": ", ".join(sorted(others))})

    def prepare(transaction: Transaction) -> Profile:
        profile = profile_of(user, user_id)
        saved = repository.profiles.update(
            profile, fields, actor=user.actor, seen_version=seen_version, once=once, transaction=transaction
        )
        if _chosen_name(saved) != _chosen_name(profile):
            directory.rename(
                user_id,
                saved.name,
                email=saved.email,
                actor=user.actor,
                as_of=saved.updated_at,
                transaction=transaction,
            )
        return saved

    return retry_on_conflict(prepare)


def ask_to_delete(
    user: User, user_id: str, *, seen_version: int, once: IdempotencyKey | None = None
) -> Profile:
    """Request the deletion, which the purge does after thirty days. Refused to owners of managed teams."""
    profile = profile_of(user, user_id)
    owned = owned_teams(user_id)
    if owned:
        raise StillOwner(_("Transfer or delete these teams first: %(teams)s.") % {"teams": ", ".join(owned)})
    fields = {"deleted_at": now()}
    return repository.profiles.update(
        profile, fields, actor=user.actor, verb="delete", seen_version=seen_version, once=once
    )


def keep(user: User, user_id: str, *, once: IdempotencyKey | None = None) -> Profile:
    """Cancel a requested deletion."""
    profile = profile_of(user, user_id)
    return repository.profiles.update(
        profile, {"deleted_at": None}, actor=user.actor, verb="restore", once=once
    )


def owned_teams(user_id: str) -> list[str]:
    """The names of the teams that the person owns, without personal and deleted ones."""
    belonging = repository.profiles.belonging(user_id, strong=True)
    owned = [team_id for team_id, membership in belonging.active.items() if membership.role == OWNER]
    found = repository.teams.with_ids(owned).values()
    return sorted(team.name for team in found if not team.is_personal and not team.is_deleted)
