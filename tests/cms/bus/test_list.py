"""The list of bookings: what is to come and what is past, until it expires."""

import re
from datetime import date, timedelta

import pytest
from django.test import Client

from cms.bus.repository import bookings
from core.dynamo import metering
from tests.cms.occasions import booking, day

pytestmark = pytest.mark.usefixtures("db")


def listed(client: Client, query: str = "") -> list[str]:
    page = client.get(f"/cms/bus/{query}").content.decode()
    return re.findall(r'class="card-title"><a [^>]*>\s*([^<]*?)\s*<', page)


@pytest.fixture
def bookings_around_today(db) -> None:
    booking(day(20), driver="Later", by="moderator")
    booking(day(-31), driver="Expired")
    booking(day(-30), driver="Kept")
    booking(day(-3), day(-1), driver="Yesterday")
    booking(day(0), day(2), driver="Now")


@pytest.mark.usefixtures("bookings_around_today")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        # What is to come, unless asked otherwise.
        ("", ["Now", "Later"]),
        ("?sort=-from_day", ["Later", "Now"]),
        ("?when=past", ["Yesterday", "Kept"]),
        ("?when=all", ["Kept", "Yesterday", "Now", "Later"]),
        ("?booker=me", ["Now"]),
        ("?q=later", ["Later"]),
        ("?q=later&when=past", []),
        ("?q=yesterday", []),
        ("?q=yesterday&when=all", ["Yesterday"]),
    ],
)
def test_filters_and_orders_narrow_the_list(as_role, query: str, found: list[str]) -> None:
    assert listed(as_role("member"), query) == found


@pytest.mark.usefixtures("bookings_around_today")
def test_between_two_days_are_those_that_have_one_of_them() -> None:
    def drivers(first: int, last: int) -> list[str]:
        return [each.driver for each in bookings.between(day(first), day(last))]

    assert drivers(-1, 0) == ["Yesterday", "Now"]
    assert drivers(2, 20) == ["Now", "Later"]
    assert drivers(3, 19) == []
    assert drivers(-40, -29) == ["Kept"]


def test_the_longest_booking_is_found_on_its_last_day() -> None:
    booking(day(-39), day(0), driver="Long")

    assert [each.driver for each in bookings.between(day(0), day(0))] == ["Long"]
    assert [each.driver for each in bookings.upcoming().items] == ["Long"]


@pytest.mark.parametrize(
    "access",
    [
        lambda: bookings.by_first_day(),
        lambda: bookings.upcoming(),
        lambda: bookings.past(),
        lambda: bookings.between(day(0), day(0) + timedelta(days=30)),
    ],
    ids=["all", "upcoming", "past", "month"],
)
@pytest.mark.usefixtures("bookings_around_today")
def test_every_access_pattern_is_one_query(access) -> None:
    with metering.metered() as meter:
        access()

    assert meter.operations == ["Query"]


def test_the_list_costs_the_session_and_one_query(as_role) -> None:
    client = as_role("member")
    booking(day(1))

    with metering.metered() as meter:
        client.get("/cms/bus/")

    assert meter.operations == ["GetItem", "Query"]


def test_the_choice_of_time_begins_with_what_is_to_come(as_role) -> None:
    page = as_role("member").get("/cms/bus/").content.decode()
    choice = page[page.index('id="filter-when"') :].partition("</select>")[0]

    assert re.findall(r'<option value="(\w*)">([^<]*)<', choice) == [
        ("", "Upcoming"),
        ("past", "Past"),
        ("all", "All"),
    ]


def test_the_label_of_a_booking_is_its_driver_and_its_first_day() -> None:
    item = booking(date(2027, 3, 9), date(2027, 3, 11), driver="Ida")

    assert bookings.label_of(item) == "Ida, 9 Mar 2027"
