"""People, the teams to which they belong, and those whom teams invite."""

from datetime import datetime
from typing import Any

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from core.dynamo.attributes import TimestampAttribute, now
from core.dynamo.items import new_id
from tracker import keys
from tracker.indexes import by_kind, by_login, by_person, by_team
from tracker.models.base import ACTIVE, PENDING, PLAYER, RECOVERABLE_FOR, TABLE, TrackedItem


class Profile(TrackedItem):
    """A person, as teams see them. The id is the sub of the login."""

    id = UnicodeAttribute(attr_name="userId")
    email = UnicodeAttribute()
    first_name = UnicodeAttribute(attr_name="firstName")
    last_name = UnicodeAttribute(attr_name="lastName")
    phone_number = UnicodeAttribute(attr_name="phoneNumber", null=True)
    # Asked for by the person; until it is carried out they can change their mind.
    deleted_at = TimestampAttribute(attr_name="deletedAt", null=True)
    gsi1_pk = UnicodeAttribute(attr_name="GSI1PK", null=True)
    gsi1_sk = UnicodeAttribute(attr_name="GSI1SK", null=True)
    gsi2_pk = UnicodeAttribute(attr_name="GSI2PK", null=True)
    gsi2_sk = UnicodeAttribute(attr_name="GSI2SK", null=True)
    by_login = by_login()
    by_kind = by_kind()

    class Meta:
        table_name = TABLE

    @classmethod
    def about(cls, user_id: str, **fields: Any) -> "Profile":
        return cls(pk=keys.of_user(user_id), sk=keys.METADATA, id=user_id, **fields)

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def kept_until(self) -> datetime | None:
        return self.deleted_at + RECOVERABLE_FOR if self.deleted_at else None

    def derived(self) -> dict[str, Any]:
        return {
            "gsi1_pk": f"COGNITO#{self.id}",
            "gsi1_sk": "USER",
            "gsi2_pk": "ENTITY#USER",
            "gsi2_sk": f"METADATA#{self.id}",
        }


class Membership(TrackedItem):
    """That somebody belongs to a team, and as what."""

    user_id = UnicodeAttribute(attr_name="userId")
    team_id = UnicodeAttribute(attr_name="teamId")
    role = UnicodeAttribute(default=PLAYER)
    status = UnicodeAttribute(default=ACTIVE)
    joined_at = TimestampAttribute(attr_name="joinedAt", null=True)
    invited_by = UnicodeAttribute(attr_name="invitedBy", null=True)
    # Part of the address of the own calendar, once that was renewed.
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
    """That a ghost of a roster may become somebody's: whoever has the link, or the address it was sent to."""

    id = UnicodeAttribute(attr_name="inviteId", default_for_new=new_id)
    team_id = UnicodeAttribute(attr_name="teamId")
    player_id = UnicodeAttribute(attr_name="playerId", null=True)
    email = UnicodeAttribute(null=True)
    role = UnicodeAttribute(default=PLAYER)
    invited_by = UnicodeAttribute(attr_name="invitedBy")
    # Not as a member: no membership tells whether the invitation still stands.
    by_admin = BooleanAttribute(attr_name="byAdmin", default=False)
    status = UnicodeAttribute(default=PENDING)
    # Nobody who reads the table can accept it.
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
