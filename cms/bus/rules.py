"""Derived fields of a booking: who booked the bus."""

from collections.abc import Mapping
from typing import Any

from cms.bus.models import Booking
from core.accounts.user import User


def prepare(user: User, booking: Booking | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to store for valid values; the user who creates the booking stays its booker."""
    booker = user.sub if booking is None else booking.booker_id
    return {**values, "comment": values["comment"] or None, "booker_id": booker}
