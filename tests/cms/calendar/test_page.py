"""The calendar: events, training and the bus of a month, by kind and team, at a fixed price."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.utils.timezone import localdate

from core.dynamo import maintenance, metering
from core.dynamo.items import new_id
from tests.cast import ROLES, STRANGER, sign_in
from tests.cms.occasions import booking, event
from tests.cms.trainings import hall, row, team

pytestmark = pytest.mark.usefixtures("db")
# October 2026 has the night in which the clocks are set back, March 2027 the one in which they go forward.
OCTOBER = "/cms/calendar/?view=list&month=2026-10"
MARCH = "/cms/calendar/?view=list&month=2027-03"

Shown = tuple[str, str, str, str]


def shown(client: Client, address: str) -> list[Shown]:
    """Day, kind, time and title of every line."""
    page = client.get(address).content.decode()
    found: list[Shown] = []
    for day, part in re.findall(r'<time (?:class="day" )?datetime="([\d-]+)">(.*?)</ul>', page, re.DOTALL):
        lines = re.findall(
            r'class="entry-kind">([^<]*)</span>\s*<span class="entry-time">([^<]*)</span>\s*'
            r'<(?:a|span) class="entry-title"[^>]*>([^<]*)<',
            part,
        )
        found += [(day, *line) for line in lines]
    return found


def in_utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type]


def test_an_event_is_on_each_of_its_days_with_its_hours(as_role) -> None:
    event("Camp", start_date=in_utc(2027, 3, 5, 14), end_date=in_utc(2027, 3, 7, 11))
    event("Meeting", start_date=in_utc(2027, 3, 5, 18))

    assert shown(as_role("member"), MARCH) == [
        ("2027-03-05", "Event", "15:00", "Camp"),
        ("2027-03-05", "Event", "19:00", "Meeting"),
        ("2027-03-06", "Event", "all day", "Camp"),
        ("2027-03-07", "Event", "until 12:00", "Camp"),
    ]


def test_what_ends_at_midnight_does_not_touch_the_next_day(as_role) -> None:
    event("Party", start_date=in_utc(2027, 3, 5, 18), end_date=in_utc(2027, 3, 5, 23))
    booking(date(2027, 3, 9), date(2027, 3, 10))

    assert shown(as_role("member"), MARCH) == [
        ("2027-03-05", "Event", "19:00", "Party"),
        ("2027-03-09", "Bus", "all day", "Maya Rosenthal"),
        ("2027-03-10", "Bus", "all day", "Maya Rosenthal"),
    ]


@pytest.mark.parametrize(
    ("address", "days"),
    [
        (OCTOBER, ["05", "07", "12", "14", "19", "21", "26", "28"]),
        (MARCH, ["01", "03", "08", "10", "15", "17", "22", "24", "29", "31"]),
    ],
    ids=["autumn", "spring"],
)
def test_training_is_at_the_same_hour_every_week_whatever_the_clocks_do(as_role, address, days) -> None:
    team("Herren 1", row("montags", "mittwochs", place=hall()))
    month = address.rpartition("=")[2]

    expected = [(f"{month}-{day}", "Training", "20:00", "Herren 1") for day in days]
    assert shown(as_role("member"), address) == expected


def test_training_tells_where_it_is(as_role) -> None:
    team("Herren 1", row("montags", place=hall()))

    page = as_role("member").get(MARCH).content.decode()

    assert '<span class="entry-place">Mühlenhalle, Am Bach 3, 79379 Müllheim</span>' in page


def test_training_of_teams_that_are_not_published_is_not_shown(as_role) -> None:
    team("Herren 2", row("montags"), status="draft")
    team("Herren 3", row("montags"), status="archived")

    assert shown(as_role("member"), MARCH) == []


@pytest.mark.parametrize(
    "broken",
    [
        row("montags", start="nonsense"),
        row("montags", start="22:00", end="20:00"),
        row("someday"),
        row(),
        {"day": None, "startTime": None, "endTime": None},
        {},
    ],
)
def test_a_schedule_of_another_program_that_cannot_be_read_is_left_out(as_role, broken) -> None:
    team("Herren 1", broken, row("sonntags", place=hall()))

    assert {each[3] for each in shown(as_role("member"), MARCH)} == {"Herren 1"}
    assert len(shown(as_role("member"), MARCH)) == 4


def test_drafts_and_archived_events_are_not_shown(as_role) -> None:
    event("Draft", published=False, start_date=in_utc(2027, 3, 5, 18))

    assert shown(as_role("admin"), MARCH) == []


@pytest.fixture
def one_of_each(db) -> dict[str, str]:
    herren = team("Herren 1", row("freitags", place=hall()))
    damen = team("Damen 1", row("samstags"))
    event("Derby", start_date=in_utc(2027, 3, 5, 18), team_ids=[herren.id])
    event("Party", start_date=in_utc(2027, 3, 6, 18))
    booking(date(2027, 3, 6))
    return {"herren": herren.id, "damen": damen.id}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"Derby", "Party", "Herren 1", "Damen 1", "Maya Rosenthal"}),
        ("&kind=event", {"Derby", "Party"}),
        ("&kind=training", {"Herren 1", "Damen 1"}),
        ("&kind=bus", {"Maya Rosenthal"}),
        ("&kind=nonsense", {"Derby", "Party", "Herren 1", "Damen 1", "Maya Rosenthal"}),
        ("&team=herren", {"Derby", "Herren 1"}),
        ("&team=damen", {"Damen 1"}),
        ("&team=herren&kind=event", {"Derby"}),
        ("&team=herren&kind=bus", set()),
        ("&team=nonsense", {"Derby", "Party", "Herren 1", "Damen 1", "Maya Rosenthal"}),
    ],
)
def test_kind_and_team_narrow_it(as_role, one_of_each, query: str, found: set[str]) -> None:
    for name, key in one_of_each.items():
        query = query.replace(f"team={name}", f"team={key}")

    assert {each[3] for each in shown(as_role("member"), MARCH + query)} == found


@pytest.mark.usefixtures("one_of_each")
def test_the_month_shows_whole_weeks_and_the_list_the_month_only(as_role) -> None:
    event("In April", start_date=in_utc(2027, 4, 4, 10))
    event("Long before", start_date=in_utc(2027, 2, 25, 10), end_date=in_utc(2027, 3, 1, 10))
    event("Not yet", start_date=in_utc(2027, 4, 5, 10))
    client = as_role("member")

    in_month = {each[3] for each in shown(client, MARCH.replace("view=list&", ""))}
    in_list = {each[3] for each in shown(client, MARCH)}

    assert in_month - in_list == {"In April"}
    assert "Long before" in in_list
    assert "Not yet" not in in_month


@pytest.mark.parametrize(
    "month", ["", "nonsense", "2027-13", "2027-00", "1999-12", "2100-01", "2027-3", "2027-03-01", "٢٠٢٧-٠٣"]
)
def test_a_month_that_cannot_be_meant_is_this_month(as_role, month: str) -> None:
    page = as_role("member").get("/cms/calendar/", {"month": month}).content.decode()

    assert f'<h2 id="month">{localdate():%B %Y}</h2>' in page
    assert 'aria-current="date"' in page


@pytest.mark.parametrize("month", ["2000-01", "2099-12"])
def test_the_first_and_the_last_month_can_be_shown(as_role, month: str) -> None:
    team("Herren 1", row("montags"))

    assert shown(as_role("member"), f"/cms/calendar/?month={month}") != []


def test_the_links_lead_to_the_months_beside_it_and_keep_what_was_chosen(as_role) -> None:
    page = as_role("member").get("/cms/calendar/?view=list&kind=bus&month=2027-01").content.decode()

    links = dict(re.findall(r'id="(earlier|later|as-month|only-every-kind)" href="([^"]*)"', page))
    assert {name: link.replace("&amp;", "&") for name, link in links.items()} == {
        "earlier": "/cms/calendar/?month=2026-12&view=list&kind=bus",
        "later": "/cms/calendar/?month=2027-02&view=list&kind=bus",
        "as-month": "/cms/calendar/?month=2027-01&kind=bus",
        "only-every-kind": "/cms/calendar/?month=2027-01&view=list",
    }


def test_htmx_gets_the_calendar_only(as_role) -> None:
    answer = as_role("member").get(MARCH, headers={"HX-Request": "true"})

    page = answer.content.decode()
    assert "<html" not in page
    assert 'id="month"' in page
    assert 'id="found" role="status" hx-swap-oob="true"' in page
    assert "HX-Request" in answer["Vary"]


@pytest.mark.parametrize(
    ("role", "links"),
    [
        ("official", {"Derby": "/cms/events/", "Herren 1": "/cms/teams/", "Maya Rosenthal": "/cms/bus/"}),
        ("member", {"Derby": "/events/derby/", "Herren 1": "/teams/herren1/", "Maya Rosenthal": "/cms/bus/"}),
    ],
)
@pytest.mark.usefixtures("one_of_each")
def test_an_entry_leads_to_where_somebody_may_work_on_it_or_read_it(role: str, links: dict[str, str]) -> None:
    page = sign_in(Client(), role).get(MARCH).content.decode()

    found = {title: link for link, title in re.findall(r'class="entry-title" href="([^"]*)">([^<]*)<', page)}
    assert {title: found[title][: len(link)] for title, link in links.items()} == links


@pytest.mark.parametrize("role", ROLES)
def test_every_member_may_look(role: str) -> None:
    status = {STRANGER: 302, "guest": 403}.get(role, 200)

    assert sign_in(Client(), role).get(MARCH).status_code == status


@pytest.mark.parametrize(
    ("role", "offered"), [("official", ["new-event", "new-bus"]), ("member", ["new-bus"])]
)
def test_what_somebody_may_add_is_offered(role: str, offered: list[str]) -> None:
    page = sign_in(Client(), role).get(MARCH).content.decode()

    assert re.findall(r'id="(new-\w+)"', page) == offered


def test_the_chosen_team_has_its_own_feed(as_role, one_of_each) -> None:
    client = as_role("member")

    def feed(address: str) -> str:
        return re.search(r'id="subscribe" href="([^"]*)"', client.get(address).content.decode())[1]

    assert feed(MARCH) == "/feeds/all.ics"
    assert feed(f"{MARCH}&team={one_of_each['herren']}") == "/feeds/herren1.ics"


def test_what_is_typed_into_titles_is_escaped(as_role) -> None:
    event("<script>alert(1)</script>", start_date=in_utc(2027, 3, 5, 18), address={"name": "<img src=x>"})

    page = as_role("member").get(MARCH).content.decode()

    assert "<script>alert" not in page
    assert "<img src=x>" not in page


def test_it_costs_the_same_with_one_and_with_many(as_role) -> None:
    client = as_role("member")
    place = hall()
    team("Herren 1", row("montags", place=place))
    event(start_date=in_utc(2027, 3, 5, 18))
    with metering.metered() as few:
        client.get(MARCH)
    for number in range(30):
        team(f"Team {number}", row("montags", place=place))
        event(f"Event {number}", start_date=in_utc(2027, 3, number + 1, 18))
        booking(date(2027, 3, 1) + timedelta(days=number))
    with metering.metered() as many:
        client.get(MARCH)

    # The session, the teams, the events, the places of training, the bus.
    assert few.operations == many.operations == ["GetItem", "Query", "Query", "BatchGetItem", "Query"]
    assert len(shown(client, MARCH)) == 31 * 5 + 31 + 30


def test_a_schedule_may_name_a_place_that_is_gone(as_role) -> None:
    lost = {**row("montags"), "locationId": new_id()}
    item = team("Herren 1", row("montags"))
    stored = dict(item.stored) | {"schedules": item.serialize_value("schedules", [lost])}
    maintenance.request("PutItem", TableName=type(item).Meta.table_name, Item=stored)

    assert len(shown(as_role("member"), MARCH)) == 5
