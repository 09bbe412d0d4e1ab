"""Resource of bus bookings."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Unpack

from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from cms.base.resource import earliest_first, mine
from cms.bus import repository
from cms.bus.forms import BookingForm
from cms.bus.models import Booking
from core.accounts.rights import is_booker
from core.accounts.user import User
from core.crud.listing import Column, Filter, Link, Listing, Sort
from core.crud.resource import Resource
from core.dynamo.items import Item
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions

WHEN = (("past", _("Past")), ("all", _("All")))
USUAL_NOTICE = timedelta(days=7)


class BookingResource(Resource):
    app = "cms"
    repository = repository.bookings
    form = BookingForm
    slug = "bus"
    icon = "bus"
    singular = _("booking")
    plural = _("Bus")
    new_title = _("New booking")
    lead = _("Who has the bus and when it is free.")
    empty = _("No bookings yet. Book the bus here.")
    columns = (
        Column("driver", _("Booking")),
        Column("from_day", _("From"), kind="day"),
        Column("to_day", _("To"), kind="day"),
        Column("comment", _("Comment")),
    )
    filters = (
        Filter("when", _("When"), WHEN, usual=_("Upcoming")),
        mine("booker", _("Booked by"), is_booker),
    )
    titles = {"booker_id": _("Booked by")}

    def alternate_views(self) -> Sequence[Link]:
        return (Link("to-calendar", _("Calendar"), f"{reverse('cms:calendar')}?kind=bus", "calendar"),)

    def sorts(self, filters: Mapping[str, str]) -> Sequence[Sort]:
        orders = earliest_first("from_day")
        return orders[::-1] if filters.get("when") == "past" else orders

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Booking]:
        match listing.filters.get("when"):
            case "past":
                return repository.bookings.past(**options)
            case "all":
                return repository.bookings.by_first_day(**options)
        return repository.bookings.upcoming(**options)

    def keeps(self, filter_name: str) -> Callable[[Any, str], bool]:
        return lambda booking, when: when == "all" or booking.is_over() == (when == "past")

    def title_of(self, record: Booking) -> str:
        return str(record.driver)

    def initial(self, user: User) -> dict[str, Any]:
        day = localdate() + USUAL_NOTICE
        return {"driver": user.name, "from_day": day, "to_day": day}

    def prepare(self, user: User, record: Booking | None, values: Mapping[str, Any]) -> dict[str, Any]:
        """The user who creates the booking stays its booker."""
        booker = user.sub if record is None else record.booker_id
        return {**values, "booker_id": booker}

    def copied(self, record: Item) -> dict[str, Any]:
        """A copy without days, since those of the original are taken."""
        return self.form.initial_of(record) | {"from_day": None, "to_day": None}


bookings = BookingResource()
