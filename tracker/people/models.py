"""The model of people's profiles in the tracker."""

from datetime import datetime
from typing import Any

from pynamodb.attributes import UnicodeAttribute

from core.dynamo.attributes import TimestampAttribute
from tracker import keys
from tracker.indexes import by_kind, by_login
from tracker.items import RECOVERABLE_FOR, TABLE, TrackedItem


class Profile(TrackedItem):
    """A person's profile. The id is the Cognito sub."""

    id = UnicodeAttribute(attr_name="userId")
    email = UnicodeAttribute()
    first_name = UnicodeAttribute(attr_name="firstName")
    last_name = UnicodeAttribute(attr_name="lastName")
    phone_number = UnicodeAttribute(attr_name="phoneNumber", null=True)
    # When the deletion was requested; it can be cancelled until the purge.
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
