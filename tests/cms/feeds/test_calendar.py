"""The calendars that people subscribe to: published only, valid, and right when the clocks change."""

from datetime import UTC, date, datetime, timedelta

import pytest
from dateutil.rrule import rrulestr
from django.conf import settings
from django.test import Client
from django.utils.timezone import get_default_timezone, localdate
from icalendar import Calendar, Event

from cms.events.repository import events
from cms.feeds import ical
from cms.teams.repository import teams
from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from tests.cast import sign_in
from tests.cms.occasions import event, soon
from tests.cms.trainings import hall, row, team

pytestmark = pytest.mark.usefixtures("db")


def parsed(client: Client, address: str = "/feeds/all.ics") -> Calendar:
    answer = client.get(address)
    assert answer.status_code == 200
    return Calendar.from_ical(answer.content)


def parts(client: Client, address: str = "/feeds/all.ics") -> list[Event]:
    return list(parsed(client, address).walk("VEVENT"))


def titles(client: Client, address: str = "/feeds/all.ics") -> list[str]:
    return [str(part["summary"]) for part in parts(client, address)]


def test_an_event_has_its_times_place_link_and_an_id_that_stays(client) -> None:
    start = soon()
    place = {"name": "Halle; Nord", "street": "Am Bach 3, hinten", "postalCode": 1067, "city": "Dresden"}
    item = event("Fest, groß & laut", start_date=start, end_date=start + timedelta(hours=5), address=place)

    (part,) = parts(client)
    assert part["uid"] == f"event-{item.id}@fieldhouse"
    assert str(part["summary"]) == "Fest, groß & laut"
    assert (part["dtstart"].dt, part["dtend"].dt) == (start, start + timedelta(hours=5))
    assert str(part["location"]) == "Halle; Nord, Am Bach 3, hinten, 01067 Dresden"
    assert part["url"] == "http://testserver/events/fest-gross-laut/"
    assert part["dtstamp"].dt == item.updated_at.replace(microsecond=0)

    events.update(events.get(item.id, strong=True), {"title": "Fest"}, actor=SYSTEM)
    (changed,) = parts(client)
    assert (changed["uid"], str(changed["summary"])) == (part["uid"], "Fest")


def test_an_event_without_an_end_lasts_two_hours(client) -> None:
    event(start_date=soon())

    (part,) = parts(client)
    assert part["dtend"].dt - part["dtstart"].dt == timedelta(hours=2)


def test_it_reaches_back_14_days(client) -> None:
    today = datetime.combine(localdate(), datetime.min.time(), tzinfo=get_default_timezone())
    event("Too old", start_date=today - timedelta(days=14, hours=3))
    event("Just within", start_date=today - timedelta(days=14, hours=1))
    event("To come", start_date=now() + timedelta(days=400))

    assert titles(client) == ["Just within", "To come"]


def test_training_comes_back_every_week_on_its_days(client) -> None:
    place = hall()
    item = team("Herren 1", row("montags", "mittwochs", place=place), row("freitags", start="18:00"))

    first, second = parts(client)
    assert first["uid"] == f"training-{item.id}-0@fieldhouse"
    assert second["uid"] == f"training-{item.id}-1@fieldhouse"
    assert str(first["summary"]) == "Training Herren 1"
    assert str(first["location"]) == "Mühlenhalle, Am Bach 3, 79379 Müllheim"
    assert first["rrule"].to_ical() == b"FREQ=WEEKLY;BYDAY=MO,WE"
    assert second["rrule"].to_ical() == b"FREQ=WEEKLY;BYDAY=FR"
    assert "location" not in second
    # A series has to begin on one of its own days.
    assert (first["dtstart"].dt.weekday() in (0, 2), second["dtstart"].dt.weekday()) == (True, 4)
    assert localdate() <= first["dtstart"].dt.date() <= localdate() + timedelta(days=6)


def test_the_series_of_a_training_is_the_same_whenever_somebody_asks(client, monkeypatch) -> None:
    team("Herren 1", row("dienstags"))
    (today,) = parts(client)

    later = localdate() + timedelta(days=800)
    monkeypatch.setattr(ical, "localdate", lambda: later)
    calendar = parsed(client)

    (part,) = calendar.walk("VEVENT")
    assert part.to_ical() == today.to_ical()
    (zone,) = calendar.walk("VTIMEZONE")
    assert min(each["dtstart"].dt for each in zone.subcomponents) < part["dtstart"].dt.replace(tzinfo=None)


@pytest.mark.parametrize("spring", [True, False], ids=["to summer time", "to winter time"])
def test_training_stays_at_its_hour_in_the_weeks_when_the_clocks_change(client, spring: bool) -> None:
    team("Herren 1", row("samstags", "sonntags", "montags", start="02:30", end="04:00"))

    (part,) = parts(client)
    start = part["dtstart"].dt
    assert start.tzinfo.key == "Europe/Berlin"
    rule = rrulestr(part["rrule"].to_ical().decode(), dtstart=start.replace(tzinfo=None))
    # The last Sunday of March or October of the coming years.
    month = 3 if spring else 10
    sunday = max(
        date(start.year + 1, month, day)
        for day in range(25, 32)
        if date(start.year + 1, month, day).weekday() == 6
    )
    around = rule.between(
        datetime.combine(sunday - timedelta(days=1), datetime.min.time()),
        datetime.combine(sunday + timedelta(days=2), datetime.min.time()),
    )
    in_utc = [each.replace(tzinfo=start.tzinfo).astimezone(UTC).strftime("%H:%M") for each in around]
    hours = ["01:30", "00:30"] if spring else ["00:30", "01:30"]
    assert (in_utc[0], in_utc[-1]) == tuple(hours)
    assert len(around) == 3


def test_the_file_itself_says_when_the_clocks_change(client) -> None:
    event(start_date=soon())

    calendar = parsed(client)
    (zone,) = calendar.walk("VTIMEZONE")
    assert zone["tzid"] == "Europe/Berlin"
    berlin = zone.to_tz()
    year = localdate().year + 1
    for month, hours in ((1, 1), (7, 2), (12, 1)):
        local = datetime(year, month, 15, 12, tzinfo=berlin)
        assert local.utcoffset() == timedelta(hours=hours)


def test_a_team_has_its_own_calendar_with_its_training_and_its_events(client) -> None:
    herren, damen = team("Herren 1", row("montags")), team("Damen 1", row("dienstags"))
    event("Derby", start_date=soon(), team_ids=[herren.id])
    event("Both", start_date=soon(days=11), team_ids=[damen.id, herren.id])
    event("Party", start_date=soon(days=12))

    assert titles(client, "/feeds/herren1.ics") == ["Derby", "Both", "Training Herren 1"]
    assert titles(client, "/feeds/damen1.ics") == ["Both", "Training Damen 1"]
    assert titles(client) == ["Derby", "Both", "Party", "Training Damen 1", "Training Herren 1"]
    assert str(parsed(client, "/feeds/herren1.ics")["x-wr-calname"]) == "Herren 1 · Fieldhouse"
    assert str(parsed(client)["x-wr-calname"]) == "Fieldhouse"


def test_no_team_is_left_out_however_many_there_are(client, monkeypatch) -> None:
    monkeypatch.setattr("core.dynamo.queries.PER_REQUEST", 2)
    for number in range(5):
        team(f"Team {number}", row("montags"))

    assert sorted(titles(client)) == [f"Training Team {number}" for number in range(5)]


def test_nothing_that_is_not_published_is_told(client) -> None:
    event("Draft", published=False, start_date=soon())
    archived = event("Archived", start_date=soon())
    events.update(archived, {"status": "archived"}, actor=SYSTEM)
    team("Herren 2", row("montags"), status="draft")
    team("Herren 3", row("montags"), status="archived")

    assert titles(client) == []
    assert [client.get(f"/feeds/{slug}.ics").status_code for slug in ("herren2", "herren3", "nothing")] == [
        404,
        404,
        404,
    ]


def test_what_an_index_still_shows_after_a_team_was_unpublished_is_not_told(client, monkeypatch) -> None:
    item = team("Herren 1", row("montags"))
    stale = teams.at_slug("herren1")
    teams.update(item, {"status": "draft"}, actor=SYSTEM)
    monkeypatch.setattr(teams, "at_slug", lambda _slug: stale)

    assert client.get("/feeds/herren1.ics").status_code == 404


def test_an_earlier_address_leads_to_the_new_one(client) -> None:
    item = team("Herren 1", row("montags"))
    teams.update(item, {"slug": "herren"}, actor=SYSTEM)

    answer = client.get("/feeds/herren1.ics")

    assert (answer.status_code, answer["Location"]) == (301, "/feeds/herren.ics")


def test_it_is_a_file_that_programs_take(client) -> None:
    long = "Ä" * 200
    event(long, start_date=soon())
    answer = client.get("/feeds/all.ics")

    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    lines = answer.content.split(b"\r\n")
    assert lines[0] == b"BEGIN:VCALENDAR"
    assert lines[-2:] == [b"END:VCALENDAR", b""]
    assert b"\n" not in answer.content.replace(b"\r\n", b"")
    assert max(map(len, lines)) <= 75
    assert {b"VERSION:2.0", b"METHOD:PUBLISH", b"X-PUBLISHED-TTL:PT4H"} <= set(lines)
    assert any(line.startswith(b"PRODID:") for line in lines)
    assert titles(client) == [long]
    assert Calendar.from_ical(answer.content).errors == []


@pytest.mark.parametrize("broken", ["\r\n", "\n", "\r", "\x0b", "\x85", "\u2028", "\x00\x08"])
def test_line_breaks_and_commands_in_titles_stay_text(client, broken: str) -> None:
    event(f"Fest{broken}END:VEVENT", start_date=soon(), address={"name": f"A{broken}ATTENDEE:x"})

    (part,) = parts(client)

    assert (str(part["summary"]), str(part["location"])) == ("Fest END:VEVENT", "A ATTENDEE:x")
    assert "attendee" not in part


@pytest.mark.parametrize("role", ["stranger", "admin"])
def test_it_asks_no_session_and_costs_a_fixed_number_of_requests(client, role: str) -> None:
    sign_in(client, role)
    place = hall()
    for number in range(5):
        team(f"Team {number}", row("montags", place=place))
        event(f"Event {number}", start_date=soon())

    costs = {}
    for address in ("/feeds/all.ics", "/feeds/team1.ics"):
        with metering.metered() as meter:
            answer = client.get(address)
        costs[address] = meter.operations
        assert answer["Cache-Control"] == "public, max-age=60"
        assert "Cookie" not in answer.get("Vary", "")
        assert settings.SESSION_COOKIE_NAME not in answer.cookies

    assert costs == {
        "/feeds/all.ics": ["Query", "Query", "BatchGetItem"],
        "/feeds/team1.ics": ["Query", "BatchGetItem", "Query", "BatchGetItem"],
    }


def test_readers_only_read(client) -> None:
    assert client.post("/feeds/all.ics").status_code == 405
