"""Events and bookings as tests need them: put there as a person of the cast would have."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.test import Client
from django.utils.timezone import localdate

from cms.bus.models import Booking
from cms.bus.repository import bookings
from cms.bus.resource import bookings as bus
from cms.events.models import Event
from cms.events.repository import events
from cms.events.resource import events as resource
from core.content.richtext import from_plain_text
from core.crud import edit_session, services
from core.crud.edit_session import Seen
from core.crud.publication import publish
from core.dynamo.attributes import now
from tests.cast import CAST
from tests.core.crud.pages import OpenForm, open_form

NEW_EVENT = "/cms/events/new"
NEW_BOOKING = "/cms/bus/new"
SUMMER = datetime(2026, 7, 4, 13, 0, tzinfo=UTC)


def soon(*, days: int = 10) -> datetime:
    return now().replace(minute=0, second=0, microsecond=0) + timedelta(days=days)


def day(number: int) -> date:
    """A day, counted from today."""
    return localdate() + timedelta(days=number)


def filled(client: Client, **fields: Any) -> OpenForm:
    """The form of a new event, filled in without JavaScript."""
    given = {"title": "Summer party", "start_date": "2027-07-04T15:00", **fields}
    return open_form(client, NEW_EVENT).fill(**given)


def of_form(form: OpenForm) -> Event:
    """The event that a form has saved."""
    return events.get(form.action.split("/")[-2], strong=True)


def event(
    title: str = "Summer party",
    *,
    by: str = "official",
    published: bool = True,
    text: str = "",
    **fields: Any,
) -> Event:
    """An event as that person would have saved or published it."""
    user, opened = CAST[by], edit_session.new(resource)
    values = {
        **dict.fromkeys(resource.form.base_fields),
        "title": title,
        "start_date": SUMMER,
        "description": from_plain_text(text) if text else None,
        **{name: [] for name in ("image_ids", "team_ids") if name in resource.form.base_fields},
        **fields,
    }
    complete = resource.prepare(user, None, values)
    if published:
        return publish(user, resource, opened, complete, seen=Seen())  # type: ignore[return-value]
    return services.write(user, opened, complete, seen=Seen())  # type: ignore[return-value]


def booking(first: date, last: date | None = None, *, by: str = "member", **fields: Any) -> Booking:
    """The bus as that person would have booked it."""
    user, opened = CAST[by], edit_session.new(bus)
    given = {"driver": user.name, "comment": None, "from_day": first, "to_day": last or first}
    written = services.write(user, opened, {**given, "booker_id": user.sub, **fields}, seen=Seen())
    return bookings.get(bookings.key_of(written), strong=True)


def filled_booking(client: Client, first: date, last: date | None = None, **fields: Any) -> OpenForm:
    days = {"from_day": first.isoformat(), "to_day": (last or first).isoformat()}
    return open_form(client, NEW_BOOKING).fill(**days, **fields)


def address_of(item: Event, screen: str = "") -> str:
    return f"/cms/events/{item.id}/{screen}"


def booking_address(item: Booking, screen: str = "") -> str:
    return f"/cms/bus/{item.id}/{screen}"
