"""`manage.py import_payload`: what becomes of the fields of bookings of the bus."""

from datetime import date, timedelta
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localdate

from cms.bus.repository import bookings
from tests.cms.payload.exports import brought, counts, doc, part, run, run_with_problems, write
from tests.cms.payload.imported import ANNA, CREATED, fields, notes


def day(days: int) -> date:
    return localdate() + timedelta(days=days)


def shown(when: date) -> str:
    return date_format(when, "SHORT_DATE_FORMAT")


def booking(key: int, first: date, last: date, **values: Any) -> dict[str, Any]:
    """A day that was picked is stored as its noon, and the usual one as the midnight before it."""
    schedule = {"start": f"{first - timedelta(days=1)}T23:00:00.000Z", "end": f"{last}T12:00:00.000Z"}
    return doc(key, schedule=schedule, **values)


def test_a_booking_comes_with_all_that_it_had(folder, anna):
    write(
        folder,
        users=[ANNA],
        bus_bookings=[
            booking(1, day(7), day(9), traveler="Cleo", comment="Turnier", booker="u1"),
            booking(2, day(20), day(20), booker={"id": "u1"}),
        ],
    )

    lines = run(folder)

    record = brought(bookings, "bus-bookings", 1)
    assert fields(record, "driver", "comment", "from_day", "to_day", "booker_id", "created_at") == [
        *("Cleo", "Turnier", day(7), day(9), anna, CREATED)
    ]
    assert fields(brought(bookings, "bus-bookings", 2), "driver", "from_day", "to_day") == [
        *("Anna Arndt", day(20), day(20))
    ]
    assert notes(lines) == []


def test_bookings_that_cannot_be_are_problems_and_old_ones_are_left_out(folder):
    write(
        folder,
        bus_bookings=[
            booking(1, day(7), day(9), traveler="Cleo"),
            booking(2, day(9), day(10), traveler="Dora"),
            booking(3, day(50), day(40), traveler="Emil"),
            booking(4, day(50), day(90), traveler="Fritz"),
            booking(5, day(50), day(51)),
            doc(6, traveler="Gesa", schedule={}),
            booking(7, day(-60), day(-50), traveler="Hugo"),
        ],
    )

    lines = run_with_problems(folder)

    assert counts(lines, "bus-bookings") == [1, 0, 1, 5, 0]
    assert [problem.removeprefix("bus-bookings ") for problem in part(lines, "Problems")] == [
        f"2 “Dora”: refused: Cleo has booked the bus from {shown(day(7))} to {shown(day(9))}.",
        "3 “Emil”: refused: it ends before it begins",
        "4 “Fritz”: refused: it is longer than 40 days",
        "5: refused: “driver”: This field is required.",
        "6 “Gesa”: refused: “schedule.start” is not a day",
    ]
    assert notes(lines) == [
        f"bus-bookings 7 “Hugo”: left out: it was over on {day(-50)}, and such bookings are not kept"
    ]
