"""The calendar of a team: without signing in, for one member, until the membership ends."""

from datetime import UTC, datetime, timedelta

import icalendar
import pytest
from django.test import Client
from django.urls import reverse

from dynamo.attributes import now
from dynamo.metering import metered
from tests.tracker import club
from tracker import repository
from tracker.models import FINAL, INACTIVE, POSTPONED
from tracker.services import game_feed, games

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def owner():
    return club.person("Olivia")


@pytest.fixture
def team(owner):
    return club.team_of(owner)


def address_for(user, team):
    return reverse("tracker:games-feed", args=[game_feed.token_for(user.sub, team.id)])


def events(answer):
    found = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
    return {str(each["summary"]): each for each in found}


def test_a_game_that_was_changed_has_a_higher_sequence(owner, team, monkeypatch):
    """Programs that go by it alone would otherwise keep the old date."""
    soon = now() + timedelta(days=3)
    game = games.create(owner, team.id, {"opponent_name": "Rivals", "scheduled_start": soon})
    (planned,) = events(Client().get(address_for(owner, team))).values()
    monkeypatch.setattr("dynamo.changes.now", lambda: game.updated_at + timedelta(minutes=2))
    games.edit(owner, game.id, {"scheduled_start": soon + timedelta(days=1)})
    (moved,) = events(Client().get(address_for(owner, team))).values()
    assert (planned["sequence"], moved["sequence"]) == (0, 120)


def test_it_holds_the_games_with_a_date_in_two_requests(owner, team):
    soon = now().replace(minute=0, second=0, microsecond=0) + timedelta(days=3)
    planned = games.create(
        owner,
        team.id,
        {"opponent_name": "Rivals", "scheduled_start": soon, "location": "Field 2\r\nX-EVIL:1"},
    )
    final = games.create(owner, team.id, {"opponent_name": "Lake", "scheduled_start": soon, "is_home": True})
    games.move(owner, final.id, FINAL, fields={"team_score": 7, "opponent_score": 3})
    postponed = games.create(owner, team.id, {"opponent_name": "Hill", "scheduled_start": soon})
    games.move(owner, postponed.id, POSTPONED)
    games.create(owner, team.id, {"opponent_name": "Undated"})
    with metered() as spent:
        answer = Client().get(address_for(owner, team))
    assert (spent.requests, answer.status_code) == (2, 200)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer["Cache-Control"] == "private, no-store"
    found = events(answer)
    assert set(found) == {
        "Feldkamp Falcons at Rivals",
        "Feldkamp Falcons against Lake 7:3",
        "Feldkamp Falcons at Hill (Postponed)",
    }
    event = found["Feldkamp Falcons at Rivals"]
    assert event["dtstart"].dt.astimezone(UTC) == soon
    assert event["dtend"].dt - event["dtstart"].dt == timedelta(hours=2)
    assert str(event["location"]) == "Field 2 X-EVIL:1"
    assert str(event["url"]) == f"http://testserver/tracker/games/{planned.id}/"
    assert str(found["Feldkamp Falcons at Hill (Postponed)"]["status"]) == "CANCELLED"


def test_it_is_dead_when_the_membership_ends(owner, team):
    player = club.cast(owner, team)["player"]
    address = address_for(player, team)
    assert Client().get(address).status_code == 200
    membership = repository.memberships.of(player.sub, team.id, strong=True)
    repository.memberships.update(membership, {"status": INACTIVE}, actor=owner.actor)
    assert Client().get(address).status_code == 404
    repository.memberships.delete(
        repository.memberships.of(player.sub, team.id, strong=True), actor=owner.actor
    )
    assert Client().get(address).status_code == 404


def test_it_is_dead_when_the_team_is_deleted(owner, team):
    address = address_for(owner, team)
    repository.teams.update(
        repository.teams.of(team.id, strong=True), {"status": "deleted"}, actor=owner.actor
    )
    assert Client().get(address).status_code == 404


def test_nobody_makes_an_address_of_their_own(owner, team):
    good = game_feed.token_for(owner.sub, team.id)
    other = game_feed.token_for("sub-stranger", team.id)
    body, _colon, signature = good.rpartition(":")
    mixed = f"{other.rpartition(':')[0]}:{signature}"
    for token in ("x", "no-such-record", f"{body}:x", mixed, other, good[:-1], "a" * 3000):
        assert Client().get(reverse("tracker:games-feed", args=[token])).status_code == 404


def test_the_schedule_shows_the_address_to_its_member_only(owner, team):
    page = club.browser_of(owner).get(reverse("tracker:games", args=[team.id])).content.decode()
    assert address_for(owner, team) in page
    admin = club.person("Admin", groups=("admin",))
    page = club.browser_of(admin).get(reverse("tracker:games", args=[team.id]))
    assert (page.status_code, ".ics" in page.content.decode()) == (200, False)


def test_years_of_games_are_one_file(owner, team):
    for year in (2025, 2026, 2027):
        games.create(owner, team.id, {"scheduled_start": datetime(year, 12, 31, 23, 30, tzinfo=UTC)})
    assert (
        len(icalendar.Calendar.from_ical(Client().get(address_for(owner, team)).content).walk("VEVENT")) == 3
    )
