"""The item of a personal access token."""

from pynamodb.attributes import UnicodeAttribute

from core.accounts.user import User
from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute, now
from core.dynamo.support_table import SupportItem

DIGEST = "TOKEN#"


class PersonalToken(SupportItem):
    """Found by the digest of the token, which itself is stored nowhere; GSI1 lists those of a person."""

    sub = UnicodeAttribute()
    label = UnicodeAttribute()
    # Such as scouting:read.
    scopes = JSONListAttribute()
    # The person as in a session: name, groups and members as of the last renewal.
    user = JSONMapAttribute()
    created_at = TimestampAttribute(attr_name="createdAt")
    # TTL only cleans up, up to two days late.
    expires_at = TimestampAttribute(attr_name="expiresAt")
    renew_at = TimestampAttribute(attr_name="renewAt")
    last_used_at = TimestampAttribute(attr_name="lastUsedAt", null=True)

    @property
    def digest(self) -> str:
        return str(self.pk.removeprefix(DIGEST))

    @property
    def has_expired(self) -> bool:
        return bool(self.expires_at <= now())

    @property
    def person(self) -> User:
        """The user of a request with this token."""
        return User.from_session(self.user).limited_to(self.scopes)
