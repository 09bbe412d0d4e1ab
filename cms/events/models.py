"""Item of an event."""

from datetime import datetime, timedelta
from typing import Any

from pynamodb.attributes import UnicodeAttribute

from cms.base.indexes import by_age, listing
from cms.base.models import PicturedItem
from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute, now
from core.dynamo.items import table_name

EVENT_COLUMNS = (
    *("title", "slug", "status", "startDate", "endDate", "address"),
    *("authorIds", "teamIds", "imageIds", "variant"),
)
# Limits how far back a query by start date must begin to find the events that are going on.
LONGEST_EVENT = timedelta(days=31)
# The assumed length of an event without an end.
USUAL_LENGTH = timedelta(hours=2)


class Event(PicturedItem):
    """An event. Only a draft may lack `start_date`."""

    text_field = "description"
    entity = UnicodeAttribute(default="event")
    title = UnicodeAttribute()
    description = JSONMapAttribute(null=True)
    start_date = TimestampAttribute(attr_name="startDate", null=True)
    end_date = TimestampAttribute(attr_name="endDate", null=True)
    # Keys: name, street, postalCode and city, each optional.
    address = JSONMapAttribute(null=True)
    image_ids = JSONListAttribute(attr_name="imageIds", default_for_new=list)
    author_ids = JSONListAttribute(attr_name="authorIds", default_for_new=list)
    team_ids = JSONListAttribute(attr_name="teamIds", default_for_new=list)
    variant = UnicodeAttribute(null=True)
    # The Lexical original from Payload as a JSON string, if KEEP_LEXICAL was set at the import.
    description_lexical = UnicodeAttribute(attr_name="descriptionLexical", null=True)
    by_age = by_age(*EVENT_COLUMNS)
    by_status = listing("GSI-Status", "status", "createdAt", *EVENT_COLUMNS)
    # Records without a start are not in it.
    by_start_date = listing("GSI-StartDate", "status", "startDate", *EVENT_COLUMNS)
    by_slug = listing("GSI-Slug", "slug", None, *EVENT_COLUMNS, "textImageIds")

    class Meta:
        table_name = table_name("vcm-events", variable="CMS_EVENTS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    def derived(self) -> dict[str, Any]:
        # Listed as derived to keep it out of the history.
        return super().derived() | {"description_lexical": self.description_lexical}

    def is_public(self) -> bool:
        # A record of another program may lack its date.
        return super().is_public() and bool(self.start_date)

    @property
    def ends(self) -> datetime:
        """The end, or the assumed one; only for an event with `start_date`."""
        end: datetime = self.end_date or self.start_date + USUAL_LENGTH
        return end

    def is_over(self) -> bool:
        return bool(self.start_date) and self.ends <= now()

    @property
    def place(self) -> str:
        """The address on one line."""
        parts = self.address or {}
        city = " ".join(filter(None, [postal_code(parts.get("postalCode")), parts.get("city")]))
        return ", ".join(filter(None, [parts.get("name"), parts.get("street"), city]))


def postal_code(stored: str | int | None) -> str:
    """The postal code as text; a stored int is a German one and is padded to five digits."""
    return f"{stored:05}" if isinstance(stored, int) else stored or ""
