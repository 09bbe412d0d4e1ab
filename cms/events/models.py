"""Events."""

from datetime import datetime, timedelta
from typing import Any

from pynamodb.attributes import UnicodeAttribute

from cms.base.indexes import by_age, by_slug, by_start_date, by_status_and_age
from cms.base.models import AddressedItem
from core.content.richtext import media_ids
from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute, now
from core.dynamo.items import new_id, table_name

EVENT_COLUMNS = (
    *("title", "slug", "status", "startDate", "endDate", "address"),
    *("authorIds", "teamIds", "imageIds", "variant"),
)
# What is going on now began at most this long ago: one Query finds it.
LONGEST_EVENT = timedelta(days=31)
# How long an event is taken to last of which nobody said when it ends.
USUAL_LENGTH = timedelta(hours=2)


class Event(AddressedItem):
    """Something to come to. Only a draft may lack `start_date`."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="event")
    title = UnicodeAttribute()
    description = JSONMapAttribute(null=True)
    start_date = TimestampAttribute(attr_name="startDate", null=True)
    end_date = TimestampAttribute(attr_name="endDate", null=True)
    # The parts that are known of name, street, postalCode and city.
    address = JSONMapAttribute(null=True)
    image_ids = JSONListAttribute(attr_name="imageIds", default_for_new=list)
    # So that the index which finds an event also tells what its page shows.
    text_image_ids = JSONListAttribute(attr_name="textImageIds", default_for_new=list)
    author_ids = JSONListAttribute(attr_name="authorIds", default_for_new=list)
    team_ids = JSONListAttribute(attr_name="teamIds", default_for_new=list)
    variant = UnicodeAttribute(null=True)
    # As it came from Payload, while KEEP_LEXICAL is set: JSON as text.
    description_lexical = UnicodeAttribute(attr_name="descriptionLexical", null=True)
    by_age = by_age(*EVENT_COLUMNS)
    by_status = by_status_and_age(*EVENT_COLUMNS)
    by_start_date = by_start_date(*EVENT_COLUMNS)
    by_slug = by_slug(*EVENT_COLUMNS, "textImageIds")

    class Meta:
        table_name = table_name("vcm-events", variable="CMS_EVENTS_TABLE")

    def derived(self) -> dict[str, Any]:
        return super().derived() | {
            # What another program wrote gets its place in the lists with its first change here.
            "entity": "event",
            "text_image_ids": media_ids(self.description),
            # Nobody decides about it, so no history tells of it.
            "description_lexical": self.description_lexical,
        }

    def is_public(self) -> bool:
        # What another program wrote may lack its date.
        return super().is_public() and bool(self.start_date)

    @property
    def ends(self) -> datetime:
        """When it is over; only for an event that has a date."""
        end: datetime = self.end_date or self.start_date + USUAL_LENGTH
        return end

    def is_over(self) -> bool:
        return bool(self.start_date) and self.ends <= now()

    @property
    def place(self) -> str:
        """Where it is, on one line."""
        known = self.address or {}
        city = " ".join(filter(None, [postal_code(known.get("postalCode")), known.get("city")]))
        return ", ".join(filter(None, [known.get("name"), known.get("street"), city]))


def postal_code(stored: str | int | None) -> str:
    """As people write it: a number is a German one, with five digits."""
    return f"{stored:05}" if isinstance(stored, int) else stored or ""
