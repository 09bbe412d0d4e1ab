"""Models of teams, memberships and invitations."""

from datetime import datetime, timedelta
from typing import Any

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from core.dynamo.attributes import TimestampAttribute, now
from core.dynamo.items import new_id
from tracker import keys
from tracker.items import ACTIVE, METADATA, RECOVERABLE_FOR, TrackedItem

MANAGED, PERSONAL = "MANAGED", "PERSONAL"
DELETED = "deleted"
OWNER, MANAGER, SCOREKEEPER, PLAYER = "owner", "manager", "scorekeeper", "player"
PENDING, ACCEPTED, DECLINED, REVOKED = "pending", "accepted", "declined", "revoked"
# The name of the personal team that the first sign-in creates.
DEFAULT_TEAM = "Default"
INVITATION_LASTS = timedelta(days=7)


class Team(TrackedItem):
    """A managed team, or a personal one, in which one person keeps their own statistics."""

    key_format = "TEAM#{id}", METADATA

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

    key_format = "USER#{user_id}", "TEAM#{team_id}"

    user_id = UnicodeAttribute(attr_name="userId")
    team_id = UnicodeAttribute(attr_name="teamId")
    role = UnicodeAttribute(default=PLAYER)
    status = UnicodeAttribute(default=ACTIVE)
    joined_at = TimestampAttribute(attr_name="joinedAt", null=True)
    invited_by = UnicodeAttribute(attr_name="invitedBy", null=True)
    # Part of the signed token of the iCalendar feed; set when its URL is renewed.
    calendar_key = UnicodeAttribute(attr_name="calendarKey", null=True)

    @property
    def is_active(self) -> bool:
        return bool(self.status == ACTIVE)

    def derived(self) -> dict[str, Any]:
        return {"gsi3_pk": keys.of_team(self.team_id), "gsi3_sk": f"MEMBER#{self.user_id}"}


class Invitation(TrackedItem):
    """An invitation to become a player of the roster, or a member, by link or by e-mail address."""

    key_format = "TEAM#{team_id}", "INVITE#{id}"

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

    def is_open(self, moment: datetime | None = None) -> bool:
        return self.status == PENDING and self.expires_at > (moment or now())

    def derived(self) -> dict[str, Any]:
        mailed = self.email is not None
        return {
            "gsi1_pk": f"INVITE#{self.token_hash}",
            "gsi1_sk": "INVITE",
            "gsi4_pk": f"EMAIL#{keys.hashed(self.email)}" if mailed else None,
            "gsi4_sk": self.sk if mailed else None,
        }
