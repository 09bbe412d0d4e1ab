"""Records of the tracker with the fields of their documents."""

from collections.abc import Collection, Mapping
from typing import Any

from api.fields import names_of
from core.dynamo.attributes import now
from core.dynamo.items import StoredModel
from tracker.games.models import Answer, Game, Season
from tracker.people.models import Profile
from tracker.policy import Access
from tracker.roster.models import Player
from tracker.rules import season_rules
from tracker.rules.replay import Play
from tracker.scoring.models import AtBat
from tracker.teams.models import PENDING, PLAYER, Invitation, Membership, Team

# Keys, counters, and what gives access.
HIDDEN = (
    *("pk", "sk", *(f"gsi{number}_{part}" for number in range(1, 6) for part in ("pk", "sk"))),
    *("refs", "at_bats", "line_ups", "answered", "undone"),
    *("recovery_token", "token_hash", "by_admin", "share_token", "share_key", "calendar_key"),
)
USER, TEAM, MEMBER, PLAYER_FIELDS, INVITATION, SEASON, GAME, ANSWER, AT_BAT = (
    names_of(model, *HIDDEN)
    for model in (Profile, Team, Membership, Player, Invitation, Season, Game, Answer, AtBat)
)
# Of members, only for those who manage them.
CONTACT = ("email", "phoneNumber")


def document(record: StoredModel, names: Mapping[str, str], only: Collection[str] = ()) -> dict[str, Any]:
    """The record as JSON: everything, or only these fields."""
    values = record.attribute_values
    return {name: values.get(names[name]) for name in names if not only or name in only}


def attributes_of(names: Mapping[str, str], only: Collection[str]) -> tuple[str, ...]:
    """The attributes to read for these fields; none for all."""
    return tuple(dict.fromkeys([*(names[name] for name in only if name in names), "version"])) if only else ()


def team(access: Access, only: Collection[str] = ()) -> dict[str, Any]:
    """A team with the role of the person who asks."""
    return document(access.team, TEAM, only) | _chosen({"role": access.role}, only)


def member(
    membership: Membership, profile: Profile | None, *, with_contact: bool, only: Collection[str] = ()
) -> dict[str, Any]:
    """A member with the name; e-mail address and telephone number are null for who does not manage them."""
    person = document(profile, USER) if profile else {}
    name_parts = {name: person.get(name) for name in ("firstName", "lastName")}
    contact = {name: person.get(name) if with_contact else None for name in CONTACT}
    return document(membership, MEMBER, only) | _chosen(name_parts | contact, only)


def player(
    record: Player, only: Collection[str] = (), roles: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """A player; with `roles`, which are by user, also with the own one."""
    role = {} if roles is None else {"role": roles.get(record.user_id or "", PLAYER)}
    return document(record, PLAYER_FIELDS, only) | _chosen(role, only)


def season(record: Season, only: Collection[str] = ()) -> dict[str, Any]:
    """A season with all its rules, also those that are not stored because they are as usual."""
    rules = {"rules": season_rules.stored(season_rules.from_stored(record.rules))}
    return document(record, SEASON, only) | _chosen(rules, only)


def invitation(record: Invitation, only: Collection[str] = ()) -> dict[str, Any]:
    """An invitation; one that nobody answered in time is expired."""
    status = "expired" if record.status == PENDING and not record.is_open(now()) else record.status
    return document(record, INVITATION, only) | _chosen({"status": status}, only)


def at_bat(record: AtBat, play: Play, only: Collection[str] = ()) -> dict[str, Any]:
    """A play with the inning and the outs of the replay, which includes earlier corrections."""
    situation = {"inning": play.inning, "outs": play.outs_before}
    return document(record, AT_BAT, only) | _chosen(situation, only)


def _chosen(fields: Mapping[str, Any], only: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if not only or name in only}
