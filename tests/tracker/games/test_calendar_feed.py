"""The calendar of a team: without signing in, for one member, until the membership ends."""

from datetime import UTC, datetime, timedelta

import icalendar
import pytest
from django.test import Client
from django.urls import reverse

from core.dynamo import history
from core.dynamo.attributes import now
from core.dynamo.metering import metered
from tests.tracker import club
from tracker import repository
from tracker.games.models import FINAL, POSTPONED
from tracker.games.services import calendar_feed, games
from tracker.items import ACTIVE, INACTIVE
from tracker.teams.models import Membership

pytestmark = pytest.mark.usefixtures("db")


def address_for(user, team):
    membership = repository.memberships.of(user.sub, team.id, strong=True)
    return reverse("tracker:games-feed", args=[calendar_feed.token_for(membership)])


def renewal_of(team):
    return reverse("tracker:games-feed-new", args=[team.id])


def events(answer):
    found = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
    return {str(each["summary"]): each for each in found}


def test_a_game_that_was_changed_has_a_higher_sequence(owner, team, monkeypatch):
    """Programs that go by it alone would otherwise keep the old date."""
    soon = now() + timedelta(days=3)
    game = games.create(owner, team.id, {"opponent_name": "Rivals", "scheduled_start": soon})
    (planned,) = events(Client().get(address_for(owner, team))).values()
    monkeypatch.setattr("core.dynamo.changeset.now", lambda: game.updated_at + timedelta(minutes=2))
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
    address = address_for(owner, team)
    with metered() as spent:
        answer = Client().get(address)
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


def test_whoever_joins_again_has_another_address(owner, team):
    player = club.cast(owner, team)["player"]
    address = address_for(player, team)
    membership = repository.memberships.of(player.sub, team.id, strong=True)
    left = repository.memberships.update(membership, {"status": INACTIVE}, actor=owner.actor)
    repository.memberships.update(left, {"status": ACTIVE, "joined_at": now()}, actor=owner.actor)
    assert Client().get(address).status_code == 404
    assert Client().get(address_for(player, team)).status_code == 200


def test_a_new_address_ends_the_old_one_at_once_and_is_in_the_history(owner, team):
    browser, old = club.browser_of(owner), address_for(owner, team)
    page = browser.get(reverse("tracker:games", args=[team.id])).content.decode()
    assert f'href="{renewal_of(team)}"' in page
    asked = browser.get(renewal_of(team))
    assert "The old address stops working" in asked.content.decode()
    assert Client().get(old).status_code == 200
    version = asked.context["question"].seen_version
    answer = browser.post(renewal_of(team), {"version": version, "once": "k1"}, follow=True)
    assert "Calendar address changed." in answer.content.decode()
    new = address_for(owner, team)
    assert [Client().get(each).status_code for each in (old, new)] == [404, 200]
    assert new in browser.get(reverse("tracker:games", args=[team.id])).content.decode()
    # The same form again makes no third one, and one that was made before is asked again.
    browser.post(renewal_of(team), {"version": version, "once": "k1"})
    assert browser.post(renewal_of(team), {"version": version, "once": "k2"}).status_code == 409
    assert address_for(owner, team) == new
    key = repository.memberships.key_of(repository.memberships.of(owner.sub, team.id))
    told = [(entry.verb, entry.actor_name) for entry in history.entries("membership", key).items]
    assert told == [("new_address", "Olivia Example"), ("create", "Olivia Example")]


def test_the_addresses_of_others_stay_and_nobody_renews_them(owner, team):
    people = club.cast(owner, team)
    theirs = address_for(people["player"], team)
    version = repository.memberships.of(owner.sub, team.id).seen_version
    club.browser_of(owner).post(renewal_of(team), {"version": version})
    assert Client().get(theirs).status_code == 200
    assert club.browser_of(people["stranger"]).post(renewal_of(team), {}).status_code == 404
    admin = club.person("Admin", groups=("admin",))
    assert club.browser_of(admin).get(renewal_of(team)).status_code == 403
    assert club.browser_of(admin).post(renewal_of(team), {}).status_code == 403


def test_it_is_dead_when_the_team_is_deleted(owner, team):
    address = address_for(owner, team)
    repository.teams.update(
        repository.teams.of(team.id, strong=True), {"status": "deleted"}, actor=owner.actor
    )
    assert Client().get(address).status_code == 404


def test_nobody_makes_an_address_of_their_own(owner, team):
    membership = repository.memberships.of(owner.sub, team.id)
    good = calendar_feed.token_for(membership)
    other = calendar_feed.token_for(Membership.about("sub-stranger", team.id, joined_at=membership.joined_at))
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
