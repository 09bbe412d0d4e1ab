"""Models of teams, memberships and invitations."""

from datetime import datetime, timedelta
from typing import Any

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from core.dynamo.attributes import TimestampAttribute, now
from core.dynamo.items import new_id
from tracker import keys
from tracker.indexes import by_kind, by_login, by_person, by_team
from tracker.items import ACTIVE, RECOVERABLE_FOR, TABLE, TrackedItem

MANAGED, PERSONAL = "MANAGED", "PERSONAL"
DELETED = "deleted"
OWNER, MANAGER, SCOREKEEPER, PLAYER = "owner", "manager", "scorekeeper", "player"
PENDING, ACCEPTED, DECLINED, REVOKED = "pending", "accepted", "declined", "revoked"
# The name of the personal team that the first sign-in creates.
DEFAULT_TEAM = "Default"
INVITATION_LASTS = timedelta(days=7)


class Team(TrackedItem):
    """A managed team, or a personal one, in which one person keeps their own statistics."""

    id = UnicodeAttribute(attr_name="teamId", default_for_new=new_id)
    name = UnicodeAttribute()
    description = UnicodeAttribute(null=True)
    owner_id = UnicodeAttribute(attr_name="ownerId")
    team_type = UnicodeAttribute(default=MANAGED)
    status = UnicodeAttribute(default=ACTIVE)
    deleted_at = TimestampAttribute(attr_name="deletedAt", null=True)
    recovery_token = UnicodeAttribute(attr_name="recoveryToken", null=True)
    # When the purge removed the personal data; statistics stay.
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
        """Whether the team has games, which are the only records that refer to it."""
        return bool(self.refs)

    @property
    def recoverable_until(self) -> datetime | None:
        return self.deleted_at + RECOVERABLE_FOR if self.deleted_at else None

    def is_recoverable(self, moment: datetime | None = None) -> bool:
        until = self.recoverable_until
        return until is not None and (moment or now()) < until and self.recovery_token is not None

    def derived(self) -> dict[str, Any]:
        return {"gsi2_pk": "ENTITY#TEAM", "gsi2_sk": f"METADATA#{self.id}"}


class Membership(TrackedItem):
    """A person's membership in a team, with the role."""

    user_id = UnicodeAttribute(attr_name="userId")
    team_id = UnicodeAttribute(attr_name="teamId")
    role = UnicodeAttribute(default=PLAYER)
    status = UnicodeAttribute(default=ACTIVE)
    joined_at = TimestampAttribute(attr_name="joinedAt", null=True)
    invited_by = UnicodeAttribute(attr_name="invitedBy", null=True)
    # Part of the signed token of the iCalendar feed; set when its URL is renewed.
    calendar_key = UnicodeAttribute(attr_name="calendarKey", null=True)
    gsi3_pk = UnicodeAttribute(attr_name="GSI3PK", null=True)
    gsi3_sk = UnicodeAttribute(attr_name="GSI3SK", null=True)
    by_team = by_team()

    class Meta:
        table_name = TABLE

    @classmethod
    def about(cls, user_id: str, team_id: str, **fields: Any) -> "Membership":
        pk, sk = keys.of_user(user_id), keys.of_team(team_id)
        return cls(pk=pk, sk=sk, user_id=user_id, team_id=team_id, **fields)

    @property
    def is_active(self) -> bool:
        return bool(self.status == ACTIVE)

    def derived(self) -> dict[str, Any]:
        return {"gsi3_pk": keys.of_team(self.team_id), "gsi3_sk": f"MEMBER#{self.user_id}"}


class Invitation(TrackedItem):
    """An invitation to become a player of the roster, or a member, by link or by e-mail address."""

    id = UnicodeAttribute(attr_name="inviteId", default_for_new=new_id)
    team_id = UnicodeAttribute(attr_name="teamId")
    player_id = UnicodeAttribute(attr_name="playerId", null=True)
    email = UnicodeAttribute(null=True)
    role = UnicodeAttribute(default=PLAYER)
    invited_by = UnicodeAttribute(attr_name="invitedBy")
    # An administrator who is no member made it, so its validity does not depend on a membership.
    by_admin = BooleanAttribute(attr_name="byAdmin", default=False)
    status = UnicodeAttribute(default=PENDING)
    # Only the hash is stored, so that read access to the table is not enough to accept.
    token_hash = UnicodeAttribute(attr_name="tokenHash")
    expires_at = TimestampAttribute(attr_name="expiresAt")
    gsi1_pk = UnicodeAttribute(attr_name="GSI1PK", null=True)
    gsi1_sk = UnicodeAttribute(attr_name="GSI1SK", null=True)
    gsi4_pk = UnicodeAttribute(attr_name="GSI4PK", null=True)
    gsi4_sk = UnicodeAttribute(attr_name="GSI4SK", null=True)
    by_login = by_login()
    by_person = by_person()

    class Meta:
        table_name = TABLE

    @classmethod
    def about(cls, team_id: str, invitation_id: str = "", **fields: Any) -> "Invitation":
        invitation_id = invitation_id or new_id()
        pk, sk = keys.of_team(team_id), keys.of_invitation(invitation_id)
        return cls(pk=pk, sk=sk, team_id=team_id, id=invitation_id, **fields)

    def is_open(self, moment: datetime | None = None) -> bool:
        return self.status == PENDING and self.expires_at > (moment or now())

    def derived(self) -> dict[str, Any]:
        mailed = self.email is not None
        return {
            "gsi1_pk": f"INVITE#{self.token_hash}",
            "gsi1_sk": "INVITE",
            "gsi4_pk": f"EMAIL#{keys.hashed(self.email)}" if mailed else None,
            "gsi4_sk": keys.of_invitation(self.id) if mailed else None,
        }
