"""Matches in the calendar and its feeds: from what SAMS last told, three hours each, each once."""

import re
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.utils.timezone import get_default_timezone, localdate
from icalendar import Calendar

from cms.sams.repository import sams_leagues, sams_teams
from cms.teams.repository import teams
from core.dynamo import metering
from tests.cms.calendar.test_page import shown
from tests.cms.matches import OWN, SECOND, YEAR, match, plays

pytestmark = pytest.mark.usefixtures("db")
DAY = localdate() + timedelta(days=3)


def month_of(day: date) -> str:
    return f"/cms/calendar/?view=list&kind=match&month={day:%Y-%m}"


def feed(client, address: str = "/feeds/all.ics") -> list[Any]:
    return list(Calendar.from_ical(client.get(address).content).walk("VEVENT"))


def test_a_match_is_in_the_calendar_with_its_time_and_both_teams(as_role) -> None:
    plays(match("one", DAY), match("two", DAY, None))

    assert shown(as_role("member"), month_of(DAY)) == [
        (DAY.isoformat(), "Match", "all day", "Herren 1 \N{EN DASH} SV Ahorn"),
        (DAY.isoformat(), "Match", "15:00", "Herren 1 \N{EN DASH} SV Ahorn"),
    ]


def test_a_match_of_two_of_our_teams_is_there_once_and_belongs_to_both(as_role) -> None:
    plays(match("one", DAY, against=SECOND))
    client = as_role("member")

    for name in ("", "herren1", "herren2"):
        found = teams.at_slug(name)
        query = f"&team={found.id}" if found else ""
        (line,) = shown(client, month_of(DAY) + query)
        assert line[3] == "Herren 1 \N{EN DASH} Herren 2"
    assert [len(feed(client, f"/feeds/{name}.ics")) for name in ("all", "herren1", "herren2")] == [1, 1, 1]


def test_in_the_feed_it_lasts_three_hours_and_keeps_its_id(client) -> None:
    plays(match("one", DAY))

    (part,) = feed(client, "/feeds/herren1.ics")
    start = datetime(DAY.year, DAY.month, DAY.day, 15, tzinfo=get_default_timezone())
    assert (part["dtstart"].dt, part["dtend"].dt) == (start, start + timedelta(hours=3))
    assert part["uid"] == "match-one@fieldhouse"
    assert str(part["summary"]) == "Herren 1 \N{EN DASH} SV Ahorn"
    assert str(part["location"]) == "Mühlenhalle"
    assert part["dtstamp"].dt.utcoffset() == timedelta(0)
    assert feed(client, "/feeds/herren2.ics") == []


def test_without_a_time_it_is_a_whole_day_and_without_a_day_it_is_not_told(client) -> None:
    plays(match("one", DAY, None), match("two", None))

    (part,) = feed(client)
    assert part["dtstart"].dt == DAY
    assert "dtend" not in part


def test_the_feed_reaches_back_14_days(client) -> None:
    plays(match("old", localdate() - timedelta(days=15)), match("within", localdate() - timedelta(days=14)))

    assert [part["uid"] for part in feed(client)] == ["match-within@fieldhouse"]


def plays_from_now_on(*matches: dict[str, Any]) -> None:
    stored = sams_leagues.get("league", strong=True)
    sams_leagues.store("league", {"matches": list(matches)}, kept_for=YEAR, stored=stored)


def test_the_leagues_are_read_once_for_each_change(as_role) -> None:
    client = as_role("member")
    plays(*(match(f"match-{number}", DAY) for number in range(50)))
    calendar, file = f"/cms/calendar/?month={DAY:%Y-%m}", "/feeds/all.ics"

    def cost(address: str) -> list[str]:
        with metering.metered() as meter:
            client.get(address)
        return meter.operations

    # The session, teams, events; the teams and leagues of SAMS; the bus.
    first = ["GetItem", "Query", "Query", "BatchGetItem", "BatchGetItem", "Query"]
    again = ["GetItem", "Query", "Query", "BatchGetItem", "Query"]
    assert [cost(calendar), cost(calendar)] == [first, again]
    assert cost(file) == ["Query", "Query", "BatchGetItem"]
    plays_from_now_on(match("one", DAY))
    assert cost(file) == ["Query", "Query", "BatchGetItem", "BatchGetItem"]
    assert cost(calendar) == again


def test_a_view_after_a_change_shows_it(as_role) -> None:
    client = as_role("member")
    plays(match("one", DAY))

    def times() -> list[str]:
        return [when for _day, _kind, when, _title in shown(client, month_of(DAY))]

    assert times() == ["15:00"]
    plays_from_now_on(match("one", DAY, "17:30"))
    assert times() == ["17:30"]
    sams_leagues.remove(sams_leagues.get("league", strong=True))
    assert times() == []
    # Under the same key, with its first version again.
    sams_leagues.store(
        "league", {"name": "Landesliga", "matches": [match("one", DAY, "19:00")]}, kept_for=YEAR, stored=None
    )
    assert times() == ["19:00"]


def test_a_team_that_moves_to_another_league_plays_there(as_role) -> None:
    client = as_role("member")
    plays(match("one", DAY))
    other = {"name": "Oberliga", "matches": [match("two", DAY, "11:00")]}
    sams_leagues.store("other", other, kept_for=YEAR, stored=None)

    assert [line[2] for line in shown(client, month_of(DAY))] == ["15:00"]
    entry = sams_teams.get(OWN, strong=True)
    sams_teams.store(OWN, {"league_uuid": "other"}, kept_for=YEAR, stored=entry)

    assert [line[2] for line in shown(client, month_of(DAY))] == ["11:00"]


def test_a_match_leads_to_its_team(as_role) -> None:
    plays(match("one", DAY))

    page = as_role("member").get(month_of(DAY)).content.decode()

    assert re.findall(r'class="entry-title" href="([^"]*)"', page) == ["/teams/herren1/"]
