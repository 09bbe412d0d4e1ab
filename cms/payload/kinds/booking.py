"""Bus bookings from Payload."""

from datetime import date

from django.utils.timezone import localdate

from cms.bus.forms import BookingForm
from cms.bus.models import MOST_DAYS, Booking
from cms.bus.repository import bookings
from cms.payload.document import Document, LeftOut, NotImported, moment_in
from cms.payload.kinds.kind import Kind
from cms.payload.relations import Relations


def booking(document: Document, relations: Relations) -> Booking:
    first, last = (_day(document, name) for name in ("schedule.start", "schedule.end"))
    if last < first:
        raise NotImported("it ends before it begins")
    if (last - first).days >= MOST_DAYS:
        raise NotImported(f"it is longer than {MOST_DAYS} days")
    bookers = relations.people(document, "booker")
    made = Booking(
        driver=document.needed(BookingForm, "driver", _driver(document, relations)),
        **document.wanted_texts(BookingForm, "comment"),
        from_day=first,
        to_day=last,
        booker_id=bookers[0] if bookers else None,
    )
    if made.is_expired():
        raise LeftOut(f"it was over on {last.isoformat()}, and such bookings are not kept")
    return made


def _day(document: Document, name: str) -> date:
    """The day in the club's time zone: Payload stores it as a time, noon or midnight."""
    moment = moment_in(document.get(name))
    if moment is None:
        raise NotImported(f"“{name}” is not a day")
    return localdate(moment)


def _driver(document: Document, relations: Relations) -> str:
    booker = relations.account(document.get("booker"))
    return document.text("traveler") or (booker.name if booker else "")


KIND = Kind("bus-bookings", bookings, booking)
