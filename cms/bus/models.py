"""Item of a bus booking."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils.timezone import localdate
from pynamodb.attributes import TTLAttribute, UnicodeAttribute

from cms.base.indexes import listing
from cms.base.models import ContentItem
from core.club import queries as club
from core.dynamo.attributes import DayAttribute, now
from core.dynamo.items import table_name

BOOKING_COLUMNS = ("driver", "comment", "from", "to", "bookerId", "ttl")
MOST_DAYS = 40
KEPT_FOR = timedelta(days=30)


class Booking(ContentItem):
    """A booking of the bus for whole days. DynamoDB's TTL deletes it 30 days after its end."""

    documented = ("ttl",)
    entity = UnicodeAttribute(default="bus")
    driver = UnicodeAttribute()
    comment = UnicodeAttribute(null=True)
    from_day = DayAttribute(attr_name="from")
    to_day = DayAttribute(attr_name="to")
    booker_id = UnicodeAttribute(attr_name="bookerId", null=True)
    ttl = TTLAttribute(null=True)
    by_first_day = listing("GSI-From", "entity", "from", *BOOKING_COLUMNS)

    class Meta:
        table_name = table_name("vcm-bus", variable="CMS_BUS_TABLE")
        # Deletion by TTL leaves search words and guards behind; the stream handler removes them.
        stream_view_type = "NEW_AND_OLD_IMAGES"

    def derived(self) -> dict[str, Any]:
        return super().derived() | {"ttl": _end_of(self.to_day) + KEPT_FOR}

    def days(self) -> Iterator[date]:
        # Limited, because a record written by another program may be longer.
        for number in range(min((self.to_day - self.from_day).days + 1, MOST_DAYS)):
            yield self.from_day + timedelta(days=number)

    def is_over(self) -> bool:
        return bool(self.to_day < localdate())

    def is_expired(self) -> bool:
        """Whether its TTL has passed; DynamoDB may delete it days later."""
        return _end_of(self.to_day) + KEPT_FOR <= now()


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), tzinfo=club.current().zone)
