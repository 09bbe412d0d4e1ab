"""Repository of bus bookings."""

from datetime import date, timedelta
from typing import Unpack

from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cms.base.repository import ContentRepository
from cms.bus.models import MOST_DAYS, Booking
from core.dynamo.errors import NotFound
from core.dynamo.guards import Unique
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, both
from core.dynamo.record_type import LONGEST_LABEL

MOST_AT_ONCE = 400
TAKEN = gettext_lazy("The bus is already booked on some of these days. Choose other days.")


def who_has_it(key: str) -> str:
    """The error message for days that are taken: it names the booking `key` that has them."""
    try:
        booking = bookings.get(key)
    except NotFound:
        # Deleted since the guard was read.
        return str(TAKEN)
    return _("%(driver)s has booked the bus from %(first)s to %(last)s.") % {
        "first": date_format(booking.from_day, "SHORT_DATE_FORMAT"),
        "last": date_format(booking.to_day, "SHORT_DATE_FORMAT"),
        "driver": booking.driver,
    }


class BookingRepository(ContentRepository[Booking]):
    model = Booking
    entity = "bus"
    adopts = True
    label = "driver"
    label_fields = ("driver", "from_day")
    # Up to forty guards, one for each day, leave room for few search words in a transaction.
    searched = ("driver",)
    list_index = "GSI-From"
    unique = (
        Unique(
            "days",
            value=lambda booking: [day.isoformat() for day in booking.days()],
            message=TAKEN,
            message_for=who_has_it,
        ),
    )

    def label_of(self, item: Booking) -> str:
        """Driver and first day, which is unique."""
        return f"{item.driver}, {date_format(item.from_day, 'SHORT_DATE_FORMAT')}"[:LONGEST_LABEL]

    def by_first_day(self, **options: Unpack[PageOptions]) -> Page[Booking]:
        options["keep"] = both(lambda booking: not booking.is_expired(), options.get("keep"))
        return self.page("bus", index="GSI-From", **options)

    def upcoming(self, **options: Unpack[PageOptions]) -> Page[Booking]:
        """Bookings that are not over, by first day."""
        options["keep"] = both(lambda booking: not booking.is_over(), options.get("keep"))
        if fields := options.get("fields"):
            options["fields"] = (*fields, "to_day")
        return self.page("bus", index="GSI-From", at_least=_earliest(localdate()), **options)

    def past(self, **options: Unpack[PageOptions]) -> Page[Booking]:
        options["keep"] = both(
            lambda booking: booking.is_over() and not booking.is_expired(), options.get("keep")
        )
        return self.page("bus", index="GSI-From", at_most=localdate().isoformat(), **options)

    def between(self, first: date, last: date) -> list[Booking]:
        """Bookings with at least one of these days, by first day."""
        found = self.page(
            "bus",
            index="GSI-From",
            at_least=_earliest(first),
            at_most=last.isoformat(),
            limit=MOST_AT_ONCE,
        )
        return [booking for booking in found.items if booking.to_day >= first and not booking.is_expired()]


def _earliest(day: date) -> str:
    """The earliest first day of a booking that includes this day."""
    return (day - timedelta(days=MOST_DAYS - 1)).isoformat()


bookings = BookingRepository()
