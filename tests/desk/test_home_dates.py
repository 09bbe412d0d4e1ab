"""The coming dates on Home: of the club, of one's own teams, of scouting, softball and quests."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import localdate, localtime

from cms.teams.repository import teams
from cms.teams.rules import DAYS
from core.accounts.user import User
from core.dynamo.attributes import now, to_iso
from scouting.events.event import Match
from tests.cast import CAST, sign_in
from tests.cms.club import MAKER, as_member, make_location, make_member, make_team, signed_in, training
from tests.cms.matches import match, plays
from tests.cms.occasions import address_of, booking, booking_address, day, event, soon
from tests.desk.home import AsRole, text_of
from tests.desk.waiting import OWNER, TOMORROW, YESTERDAY, dates_of, home_of, played
from tests.quests.board import claimed
from tests.scouting import field
from tracker.games.models import FINAL, IN_PROGRESS, POSTPONED
from tracker.teams.models import Team

pytestmark = pytest.mark.usefixtures("db", "guests")


def text_of_later(client: Client) -> str:
    return text_of(client.get("/desk/later")).replace("\xa0", " ")


# --- The club ----------------------------------------------------------------------------------------------


def test_events_of_the_club_are_dates_of_every_member(as_role: AsRole) -> None:
    party = event("Sommerfest", start_date=soon(days=3), end_date=soon(days=3) + timedelta(hours=4))
    event("Next year", start_date=soon(days=300), end_date=soon(days=301))
    event("Over", start_date=soon(days=-3), end_date=soon(days=-2))
    event("Draft", start_date=soon(days=3), published=False)

    assert dates_of(as_role("official")) == [("Sommerfest", "Event", address_of(party))]
    # Who may not open it in the CMS reads it on the website.
    assert dates_of(as_role("member")) == [("Sommerfest", "Event", f"/events/{party.slug}/")]
    assert dates_of(as_role("guest")) == []


def test_an_event_that_is_on_comes_first_and_says_so(as_role: AsRole) -> None:
    place = {"name": "Halle", "street": "Weg 4", "city": "Auenfeld"}
    event("Sommerfest", start_date=soon(days=1), end_date=soon(days=2))
    event("Trainingslager", start_date=soon(days=-1), end_date=soon(days=1), address=place)
    client = as_role("member")

    assert [(each.title, each.is_live) for each in home_of(client).dates] == [
        ("Trainingslager", True),
        ("Sommerfest", False),
    ]
    assert "Trainingslager Now Event · Halle" in text_of_later(client)
    assert "Weg 4" not in text_of_later(client)


def coach(**fields: Any) -> User:
    """A member who looks after a team with these fields."""
    member = make_member()
    make_team("Herren 1", status="published", coach_ids=[member.id], **fields)
    make_team("Damen 1", status="published", **fields)
    return as_member("member", member)


def test_training_of_the_own_team_is_there_for_a_week() -> None:
    tomorrow = localdate() + timedelta(days=1)
    client = signed_in(coach(schedules=[training(make_location(), DAYS[tomorrow.weekday()][0])]))

    (only,) = home_of(client).dates
    assert (only.title, str(only.kind), only.details) == ("Herren 1", "Training", "Mühlenhalle")
    assert localtime(only.starts).date() == tomorrow
    assert dates_of(sign_in(Client(), "member")) == []


def test_matches_of_the_own_team_are_there() -> None:
    member = make_member()
    plays(match("one", day(5)), match("past", day(-5)), match("far", day(60)))
    (own,) = [team for team in teams.public().items if team.name == "Herren 1"]
    teams.update(teams.get(own.id, strong=True), {"coach_ids": [member.id]}, actor=MAKER)

    title = "Herren 1 \N{EN DASH} SV Ahorn"
    assert [each[:2] for each in dates_of(signed_in(as_member("member", member)))] == [(title, "Match")]
    assert dates_of(sign_in(Client(), "member")) == []


def test_only_own_bookings_of_the_bus_are_there(as_role: AsRole) -> None:
    own = booking(day(2), day(3))
    booking(day(5), by="official")
    booking(day(-3), day(-2))

    assert dates_of(as_role("member")) == [("Bus", "Your booking", booking_address(own))]


# --- Scouting ----------------------------------------------------------------------------------------------


def timed(*starts: datetime) -> list[Match]:
    plan = field.schedule(field.TEAMS, len(starts), played=1)
    return [
        Match(each.number, red=each.red, blue=each.blue, time=to_iso(start))
        for each, start in zip(plan, starts, strict=True)
    ]


@pytest.mark.parametrize("role", ["scout", "scout-lead", "admin"])
def test_scouts_see_the_next_three_matches(as_role: AsRole, role: str) -> None:
    minutes = (-20, 10, 20, 30, 40, 50)
    field.event(matches=timed(*(now() + timedelta(minutes=each) for each in minutes)))

    address = f"/scouting/stand/?event={field.KEY}&match="
    assert dates_of(as_role(role)) == [
        (f"Match {number}", "Fieldhouse Test", f"{address}{number}") for number in (2, 3, 4)
    ]


def test_others_see_no_matches(as_role: AsRole) -> None:
    field.event(matches=timed(now(), now() + timedelta(minutes=10)))

    for role in ("member", "official", "steward", "guest"):
        assert dates_of(as_role(role)) == []


# --- Softball ----------------------------------------------------------------------------------------------


def test_the_next_two_games_of_each_team_are_dates_of_its_members(team: Team) -> None:
    games = [played(team, scheduled_start=TOMORROW + timedelta(days=days)) for days in (0, 7, 14)]
    played(team, scheduled_start=YESTERDAY, status=FINAL)
    played(team, scheduled_start=TOMORROW, status=POSTPONED)
    played(team)

    expected = [("Falcons: Owls", "Softball game", f"/tracker/games/{game.id}/") for game in games[:2]]
    for role, user in CAST.items():
        is_member = user == OWNER or role in ("moderator", "scout", "other-member")
        assert dates_of(sign_in(Client(), role)) == (expected if is_member else [])


def test_the_live_game_of_another_team_is_among_the_dates(team: Team, as_role: AsRole) -> None:
    from tests.tracker.club import join, team_of

    own = team_of(CAST["scout"], "Bees")
    played(own, status=IN_PROGRESS, scheduled_start=now() - timedelta(hours=1))
    second = played(team, status=IN_PROGRESS, scheduled_start=now() - timedelta(hours=1), team_score=3)
    join(CAST["official"], team, actor=OWNER)

    # The first team of a person has a card of its own.
    assert [each.title for each in home_of(as_role("scout")).highlights] == ["Bees 0:0 Owls"]
    (live,) = home_of(as_role("scout")).dates
    assert (live.title, live.details, live.is_live) == ("Falcons: Owls", "3:0", True)
    assert live.address == f"/tracker/games/{second.id}/"
    assert home_of(as_role("official")).dates == []


# --- Quests ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("accounts")
def test_the_deadline_of_a_claim_is_a_date_of_its_performer(as_role: AsRole) -> None:
    quest = claimed(title="Netz")

    assert dates_of(as_role("other-member")) == [("Netz", "Quest deadline", f"/quests/{quest.id}/")]
    assert dates_of(as_role("member")) == []


def test_dates_have_their_day_and_time(as_role: AsRole) -> None:
    start = datetime.combine(date(2030, 1, 7), datetime.min.time(), tzinfo=localtime().tzinfo)
    event("Ball", start_date=start + timedelta(hours=19), end_date=start + timedelta(hours=23))

    assert dates_of(as_role("member")) == []
    assert "No dates in the next weeks." in text_of_later(as_role("member"))
