"""The model of people's profiles in the tracker."""

from datetime import datetime
from typing import Any

from pynamodb.attributes import UnicodeAttribute

from core.dynamo.attributes import TimestampAttribute
from tracker.items import METADATA, RECOVERABLE_FOR, TrackedItem


class Profile(TrackedItem):
    """A person's profile. The id is the Cognito sub."""

    key_format = "USER#{id}", METADATA

    id = UnicodeAttribute(attr_name="userId")
    email = UnicodeAttribute()
    first_name = UnicodeAttribute(attr_name="firstName")
    last_name = UnicodeAttribute(attr_name="lastName")
    phone_number = UnicodeAttribute(attr_name="phoneNumber", null=True)
    # When the deletion was requested; it can be cancelled until the purge.
    deleted_at = TimestampAttribute(attr_name="deletedAt", null=True)

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def kept_until(self) -> datetime | None:
        return self.deleted_at + RECOVERABLE_FOR if self.deleted_at else None

    def derived(self) -> dict[str, Any]:
        return {
            # Another program may have given the profile an id that is not the sub.
            "gsi1_pk": self.gsi1_pk or f"COGNITO#{self.id}",
            "gsi1_sk": "USER",
            "gsi2_pk": "ENTITY#USER",
            "gsi2_sk": f"METADATA#{self.id}",
        }
