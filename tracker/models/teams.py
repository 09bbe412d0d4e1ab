"""Teams, their seasons and their rosters."""

from datetime import date, datetime
from typing import Any

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import DayAttribute, JSONListAttribute, JSONMapAttribute, TimestampAttribute, now
from core.dynamo.items import Item, new_id
from tracker import keys
from tracker.indexes import by_kind, by_person
from tracker.models.base import ACTIVE, DELETED, MANAGED, PERSONAL, RECOVERABLE_FOR, SUB, TABLE, TrackedItem

DOUBLE_ZERO = "00"


class Team(TrackedItem):
    """A team that is managed together, or a label under which one person keeps the own figures."""

    id = UnicodeAttribute(attr_name="teamId", default_for_new=new_id)
    name = UnicodeAttribute()
    description = UnicodeAttribute(null=True)
    owner_id = UnicodeAttribute(attr_name="ownerId")
    team_type = UnicodeAttribute(default=MANAGED)
    status = UnicodeAttribute(default=ACTIVE)
    deleted_at = TimestampAttribute(attr_name="deletedAt", null=True)
    recovery_token = UnicodeAttribute(attr_name="recoveryToken", null=True)
    # What was personal is gone since then; figures stay.
    purged_at = TimestampAttribute(attr_name="purgedAt", null=True)
    gsi2_pk = UnicodeAttribute(attr_name="GSI2PK", null=True)
    gsi2_sk = UnicodeAttribute(attr_name="GSI2SK", null=True)
    by_kind = by_kind()

    class Meta:
        table_name = TABLE

    @classmethod
    def about(cls, team_id: str, **fields: Any) -> "Team":
        return cls(pk=keys.of_team(team_id), sk=keys.METADATA, id=team_id, **fields)

    @property
    def is_personal(self) -> bool:
        return bool(self.team_type == PERSONAL)

    @property
    def is_deleted(self) -> bool:
        return bool(self.status == DELETED)

    @property
    def has_games(self) -> bool:
        """Its games refer to it."""
        return bool(self.refs)

    @property
    def recoverable_until(self) -> datetime | None:
        return self.deleted_at + RECOVERABLE_FOR if self.deleted_at else None

    def is_recoverable(self, moment: datetime | None = None) -> bool:
        until = self.recoverable_until
        return until is not None and (moment or now()) < until and self.recovery_token is not None

    def derived(self) -> dict[str, Any]:
        return {"gsi2_pk": "ENTITY#TEAM", "gsi2_sk": f"METADATA#{self.id}"}


class Season(TrackedItem):
    """A time in which a team plays by the same rules; see `tracker.rules` for what they say."""

    id = UnicodeAttribute(attr_name="seasonId", default_for_new=new_id)
    team_id = UnicodeAttribute(attr_name="teamId")
    name = UnicodeAttribute()
    starts_on = DayAttribute(attr_name="startsOn", null=True)
    ends_on = DayAttribute(attr_name="endsOn", null=True)
    rules = JSONMapAttribute(default_for_new=dict)

    class Meta:
        table_name = TABLE

    @classmethod
    def about(cls, team_id: str, season_id: str = "", **fields: Any) -> "Season":
        season_id = season_id or new_id()
        pk, sk = keys.of_team(team_id), keys.of_season(season_id)
        return cls(pk=pk, sk=sk, team_id=team_id, id=season_id, **fields)

    def holds(self, day: date) -> bool:
        return (not self.starts_on or self.starts_on <= day) and (not self.ends_on or day <= self.ends_on)


def jersey_number(number: float | None, is_double_zero: bool | None) -> str:
    """As it is on the jersey: 7, 0 or 00; empty without one."""
    if number is None:
        return ""
    return DOUBLE_ZERO if is_double_zero and not number else str(int(number))


class Player(TrackedItem):
    """A place on a roster: of somebody who signs in, or a ghost who may be claimed later."""

    id = UnicodeAttribute(attr_name="playerId", default_for_new=new_id)
    team_id = UnicodeAttribute(attr_name="teamId")
    first_name = UnicodeAttribute(attr_name="firstName")
    last_name = UnicodeAttribute(attr_name="lastName", null=True)
    number = NumberAttribute(attr_name="playerNumber", null=True)
    # That number 0 is 00 on the jersey, which is another one; as numbers they are equal.
    is_double_zero = BooleanAttribute(attr_name="isDoubleZero", null=True)
    positions = JSONListAttribute(default_for_new=list)
    status = UnicodeAttribute(default=ACTIVE)
    is_ghost = BooleanAttribute(attr_name="isGhost", default=True)
    user_id = UnicodeAttribute(attr_name="userId", null=True)
    linked_at = TimestampAttribute(attr_name="linkedAt", null=True)
    # Not named on pages that everybody with the link can see.
    is_private = BooleanAttribute(attr_name="isPrivate", default=False)
    # Of how many stored plate appearances the player is part.
    at_bats = NumberAttribute(attr_name="atBats", null=True)
    # How often a line-up has named the player; never less, for a game in the trash names them still.
    line_ups = NumberAttribute(attr_name="lineUps", null=True)
    gsi4_pk = UnicodeAttribute(attr_name="GSI4PK", null=True)
    gsi4_sk = UnicodeAttribute(attr_name="GSI4SK", null=True)
    by_person = by_person()

    counters = (*Item.counters, "at_bats", "line_ups")

    class Meta:
        table_name = TABLE

    @classmethod
    def about(cls, team_id: str, player_id: str = "", **fields: Any) -> "Player":
        player_id = player_id or new_id()
        pk, sk = keys.of_team(team_id), keys.of_player(player_id)
        return cls(pk=pk, sk=sk, team_id=team_id, id=player_id, **fields)

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name or ''}".strip()

    @property
    def jersey_number(self) -> str:
        return jersey_number(self.number, self.is_double_zero)

    @property
    def is_kept(self) -> bool:
        """Games name the player, who is then never deleted."""
        return bool(self.at_bats or self.line_ups)

    @property
    def plays(self) -> bool:
        """Can be in a line-up, so the number is taken."""
        return self.status in (ACTIVE, SUB)

    def derived(self) -> dict[str, Any]:
        linked = self.user_id is not None
        return {
            "gsi4_pk": keys.of_user(self.user_id) if linked else None,
            "gsi4_sk": keys.of_player(self.id) if linked else None,
        }
