"""Booking the bus: whole days, at most forty, and no day twice."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils.timezone import localdate

from cms.bus.models import Booking
from cms.bus.repository import bookings
from core.dynamo import guards, maintenance, metering
from tests.cast import CAST, sign_in
from tests.cms.occasions import NEW_BOOKING, booking, booking_address, day, filled_booking
from tests.core.crud.pages import open_form
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")
MARCH = date(2027, 3, 1)


def all_bookings() -> list[Booking]:
    return list(bookings.by_first_day(limit=100).items)


def test_the_form_begins_with_the_own_name_and_one_day_in_a_week(as_role) -> None:
    form = open_form(as_role("member"), NEW_BOOKING)

    in_a_week = (localdate() + timedelta(days=7)).isoformat()
    assert (form["driver"], form["from_day"], form["to_day"]) == ("Maya Rosenthal", in_a_week, in_a_week)


def test_it_is_stored_under_the_names_of_the_document(as_role) -> None:
    form = filled_booking(as_role("member"), MARCH, date(2027, 3, 3), comment="Away match", driver="Ida")
    assert form.send().status_code == 302

    (saved,) = all_bookings()
    stored = bookings.get(saved.id, strong=True).stored
    created = stored["createdAt"]
    assert stored == {
        "id": {"S": form.action.split("/")[-2]},
        "entity": {"S": "bus"},
        "driver": {"S": "Ida"},
        "comment": {"S": "Away match"},
        "from": {"S": "2027-03-01"},
        "to": {"S": "2027-03-03"},
        "bookerId": {"S": "member-sub"},
        # The end of the last day in Berlin, and thirty days: over the change to summer time.
        "ttl": {"N": "1806703200"},
        "createdAt": created,
        "updatedAt": created,
        "version": {"N": "1"},
    }


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"driver": ""}, "This field is required."),
        ({"driver": "x" * 201}, "Ensure this value has at most 200 characters"),
        ({"comment": "x" * 501}, "Ensure this value has at most 500 characters"),
        ({"from_day": ""}, "This field is required."),
        ({"from_day": "1.3.2027"}, "Enter a date."),
        ({"from_day": "0001-01-01"}, "Enter a date."),
        ({"to_day": "9999-12-31"}, "Enter a date."),
        ({"to_day": "2027-02-28"}, "The last day cannot be before the first."),
        ({"to_day": "2027-04-10"}, "The bus can be booked for at most 40 days at a time."),
    ],
)
def test_what_is_beyond_the_limits_is_refused_at_its_field(as_role, fields, refusal: str) -> None:
    answer = filled_booking(as_role("member"), MARCH).fill(**fields).send()

    assert answer.status_code == 422
    assert refusal in answer.content.decode()
    assert all_bookings() == []


def test_forty_days_are_one_transaction_and_can_be_deleted(as_role) -> None:
    client = as_role("member")
    words = " ".join(f"word{number}" for number in range(40))
    form = filled_booking(client, MARCH, date(2027, 4, 9), comment=words)

    with metering.metered() as meter:
        assert form.send().status_code == 302
    assert meter.operations == ["GetItem", "TransactWriteItems"]
    assert client.post(form.action + "delete", {"version": "1"}).status_code == 302

    assert all_bookings() == []
    assert guards.owners_of("bus", "days", ["2027-03-01", "2027-04-09"]) == {}


@pytest.mark.parametrize(
    ("first", "last"),
    [(10, 10), (8, 10), (12, 14), (11, 11), (8, 14), (10, 12)],
    ids=["first day", "overlaps the beginning", "overlaps the end", "within", "around", "the same"],
)
def test_days_that_somebody_has_are_refused_with_their_name(as_role, first: int, last: int) -> None:
    booking(date(2027, 3, 10), date(2027, 3, 12), by="moderator")

    answer = filled_booking(as_role("member"), date(2027, 3, first), date(2027, 3, last)).send()

    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Moritz Feldkamp has booked the bus from 10 Mar 2027 to 12 Mar 2027." in page
    chosen = page.partition('name="from_day"')[2].partition(">")[0]
    assert f'value="2027-03-{first:02}"' in chosen
    assert "autofocus" in chosen
    assert len(all_bookings()) == 1


def test_the_days_beside_it_are_free(as_role) -> None:
    booking(date(2027, 3, 10), date(2027, 3, 12), by="moderator")
    client = as_role("member")

    assert filled_booking(client, date(2027, 3, 9)).send().status_code == 302
    assert filled_booking(client, date(2027, 3, 13)).send().status_code == 302


def test_a_change_gives_the_days_free_that_it_leaves_and_takes_only_free_ones(as_role) -> None:
    client = as_role("member")
    own = booking(date(2027, 3, 10), date(2027, 3, 12))
    booking(date(2027, 3, 15), by="moderator")

    to_later = open_form(client, booking_address(own)).fill(from_day="2027-03-12", to_day="2027-03-14")
    assert to_later.send().status_code == 302
    assert filled_booking(client, date(2027, 3, 10), date(2027, 3, 11)).send().status_code == 302
    too_late = open_form(client, booking_address(own)).fill(to_day="2027-03-15")
    answer = too_late.send()

    assert answer.status_code == 409
    assert "Moritz Feldkamp has booked the bus from 15 Mar 2027 to 15 Mar 2027." in answer.content.decode()
    saved = bookings.get(own.id, strong=True)
    assert (saved.from_day, saved.to_day) == (date(2027, 3, 12), date(2027, 3, 14))


def test_of_20_people_who_book_overlapping_days_at_once_exactly_one_wins() -> None:
    people = [f"Person {number:02}" for number in range(20)]

    # All of them want the 20th of March, each with other days around it.
    results = at_once(
        lambda n: booking(
            date(2027, 3, 20) - timedelta(days=n), date(2027, 3, 20) + timedelta(days=n), driver=people[n]
        ),
        threads=20,
    )

    winners = [result for result in results if isinstance(result, Booking)]
    assert len(winners) == 1
    (kept,) = all_bookings()
    assert kept.id == winners[0].id
    told = {str(result) for result in results if not isinstance(result, Booking)}
    assert len(told) == 1
    assert told.pop().startswith(f"{kept.driver} has booked the bus from ")
    days = [date(2027, 3, 1) + timedelta(days=n) for n in range(40)]
    taken = guards.owners_of("bus", "days", [each.isoformat() for each in days])
    assert set(taken) == {each.isoformat() for each in kept.days()}


def test_a_deleted_booking_comes_back_unless_somebody_has_taken_its_days(as_role) -> None:
    client = as_role("member")
    own = booking(date(2027, 3, 10), date(2027, 3, 12))
    address = booking_address(own, "delete")
    client.post(address, {"version": "1"})
    assert client.post("/cms/bus/trash/restore", {"key": own.id}).status_code == 302
    assert len(all_bookings()) == 1

    client.post(address, {"version": str(bookings.get(own.id).version)})
    booking(date(2027, 3, 12), by="moderator")
    answer = client.post("/cms/bus/trash/restore", {"key": own.id})

    assert answer.status_code == 409
    assert "Moritz Feldkamp has booked the bus from 12 Mar 2027 to 12 Mar 2027." in answer.content.decode()


def test_who_took_a_day_and_gave_it_back_at_once_has_no_name(as_role) -> None:
    # The guard outlived its booking, as if another program had deleted that.
    other = booking(MARCH, by="moderator")
    maintenance.request("DeleteItem", TableName=Booking.Meta.table_name, Key={"id": {"S": other.id}})

    answer = filled_booking(as_role("member"), MARCH).send()

    assert "The bus is already booked on some of these days. Choose other days." in answer.content.decode()


@pytest.mark.parametrize("role", [role for role in CAST if role != "guest"])
def test_every_member_books_and_sees_who_has_the_bus(role: str) -> None:
    client = sign_in(Client(), role)
    booking(day(3), by="moderator")

    assert filled_booking(client, day(5)).send().status_code == 302
    assert "Moritz Feldkamp" in client.get("/cms/bus/").content.decode()


@pytest.mark.parametrize(
    ("role", "may"), [("member", True), ("moderator", True), ("admin", True), ("other-member", False)]
)
def test_a_booking_is_changed_and_deleted_by_its_booker_and_by_moderators(role: str, may: bool) -> None:
    own = booking(day(3), by="member")
    client = sign_in(Client(), role)
    given = {"driver": "Ida", "from_day": day(4).isoformat(), "to_day": day(4).isoformat(), "version": "1"}

    assert client.post(booking_address(own), given).status_code == (302 if may else 403)
    changed = bookings.get(own.id, strong=True)
    assert (changed.driver, changed.booker_id) == ("Ida" if may else "Maya Rosenthal", "member-sub")
    deleted = client.post(booking_address(own, "delete"), {"version": str(changed.version)})
    assert deleted.status_code == (302 if may else 403)
    assert (own.id in bookings.get_many([own.id])) is not may


def test_nobody_books_in_the_name_of_another_account(as_role) -> None:
    filled_booking(as_role("member"), MARCH, booker_id="moderator-sub", bookerId="moderator-sub").send()

    assert [each.booker_id for each in all_bookings()] == ["member-sub"]


def test_forty_days_are_moved_to_forty_others_with_another_comment(as_role) -> None:
    first = localdate() + timedelta(days=10)
    many_words = " ".join(f"wort{number}" for number in range(20))
    booked = booking(first, first + timedelta(days=39), by="member", comment=many_words)
    later = first + timedelta(days=50)

    form = open_form(as_role("member"), booking_address(booked)).fill(
        from_day=str(later), to_day=str(later + timedelta(days=39)), comment=many_words.replace("wort", "neu")
    )

    assert form.send().status_code == 302
