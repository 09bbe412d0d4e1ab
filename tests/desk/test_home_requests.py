"""Guests on Home, and how many DynamoDB requests Home makes for every role."""

from datetime import timedelta

import pytest
from django.test import Client

from cms.events.models import Event
from cms.events.repository import events
from cms.news.models import News
from cms.news.repository import news
from cms.sams import services
from cms.sams.repository import sync_runs
from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors
from core.accounts import cognito
from core.accounts.cognito import Account, AccountsUnavailable
from core.accounts.user import GUEST, User
from core.club import queries as club
from core.crud import home
from core.crud.home import MOST_REQUESTS
from core.dynamo import metering, transactions
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.webhooks import repository as webhook_items
from core.webhooks import services as webhooks
from core.webhooks.models import Webhook
from quests import repository as board
from quests.services import lifecycle
from scouting.settings import services as scouting_settings
from tests.cast import CAST, sign_in
from tests.cms.public import make_picture
from tests.desk.home import keep
from tests.desk.waiting import OWNER, REASON, TOMORROW, played, told
from tests.quests.accounts import remove_account
from tests.quests.board import CREATOR, PERFORMER, STEWARD, disputed, offered, submitted
from tests.scouting import field
from tests.tracker.club import team_of
from tracker.teams.models import PLAYER, Team
from tracker.teams.services import invitations

pytestmark = pytest.mark.usefixtures("db", "guests")


# --- People ------------------------------------------------------------------------------------------------


def guest(name: str, *, enabled: bool = True) -> Account:
    return Account(
        sub=f"{name}-sub",
        name=name,
        email="",
        enabled=enabled,
        status="CONFIRMED",
        created_at=now(),
        changed_at=now(),
        groups=(GUEST,),
    )


def test_guests_wait_for_administrators_to_make_them_members(guests: list[Account]) -> None:
    guests.append(guest("Gone", enabled=False))
    assert told() == {}

    guests.append(guest("Gesa"))
    assert told() == {"admin": [("Gesa", "Waiting to become a member", "/people/Gesa-sub/")]}

    guests.append(guest("Ina"))
    assert told() == {"admin": [("2 guests", "Waiting to become a member", "/people/")]}


def test_other_things_are_told_while_the_user_pool_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(_group: str) -> None:
        raise AccountsUnavailable

    monkeypatch.setattr(cognito, "in_group", unreachable)
    draft = news.create(News(title="Derby", author_ids=[CAST["admin"].sub]), actor=SYSTEM)

    assert told() == {"admin": [("Derby", "Draft", f"/cms/news/{draft.id}/")]}


# --- What it costs -----------------------------------------------------------------------------------------


@pytest.fixture
def busy_club(team: Team, accounts: None) -> None:
    """Something for everybody: drafts, an event of scouting, disputes, a game to come, activity."""
    for person in CAST.values():
        news.create(News(title=person.name, author_ids=[person.sub]), actor=person.actor)
    field.event(matches=2, played=1)
    scouting_settings.forget()
    disputed(title="Netz")
    lifecycle.claim(OWNER, offered(STEWARD, title="Linien").id)
    played(team, scheduled_start=TOMORROW)


def requests_of(role: str) -> tuple[int, int, int]:
    """Of Home, and of the two requests right after it, the session included."""
    client, counted = sign_in(Client(), role), []
    later = client.get("/desk/").context["later"]
    for address in ("/desk/", later, "/desk/activity"):
        with metering.metered() as meter:
            assert client.get(address).status_code == 200
        counted.append(meter.requests)
    return counted[0], counted[1], counted[2]


# Home; right after it the other sources; the recent activity when it is scrolled to.
EMPTY = {
    "admin": (6, 16, 5),
    "moderator": (6, 11, 5),
    "official": (6, 10, 5),
    "scout-lead": (6, 6, 5),
    "scout": (6, 6, 5),
    "steward": (5, 10, 5),
    "member": (6, 6, 5),
    "other-member": (6, 6, 5),
    "guest": (3, 2, 1),
}
BUSY = {
    "admin": (6, 25, 6),
    "moderator": (6, 17, 6),
    "official": (5, 13, 6),
    "scout-lead": (5, 14, 6),
    "scout": (5, 18, 6),
    "steward": (5, 12, 6),
    "member": (6, 13, 6),
    "other-member": (6, 13, 6),
    "guest": (4, 3, 1),
}


def test_in_an_empty_club_every_role_costs_the_same_each_time() -> None:
    scouting_settings.active()

    assert {role: requests_of(role) for role in CAST} == EMPTY


@pytest.mark.usefixtures("busy_club")
def test_home_makes_at_most_six_requests_for_every_role() -> None:
    found = {role: requests_of(role) for role in CAST}

    assert found == BUSY
    assert max(home for home, _later, _activity in found.values()) == MOST_REQUESTS == 6
    assert max(activity for _home, _later, activity in found.values()) <= MOST_REQUESTS


def test_with_cold_caches_home_makes_no_more(busy_club: None) -> None:
    """Settings of scouting and of the club are read again; other sources wait then."""
    for role in CAST:
        client = sign_in(Client(), role)
        scouting_settings.forget()
        club._kept.forget()
        with metering.metered() as meter:
            client.get("/desk/")
        assert meter.requests <= MOST_REQUESTS, role


# The most requests that all sources of a role declare together, the session not included.
DECLARED = {
    "admin": 49,
    "moderator": 34,
    "official": 33,
    "scout-lead": 37,
    "scout": 37,
    "steward": 32,
    "member": 28,
    "other-member": 28,
    "guest": 17,
}


def test_what_all_sources_of_a_role_may_cost_is_known() -> None:
    """Somebody in six softball teams with everything waiting for them."""
    found = {role: sum(each.requests for each in home._sources_for(user)) for role, user in CAST.items()}

    assert found == DECLARED


def test_no_source_makes_more_requests_than_it_says(
    team: Team, accounts: None, guests: list[Account]
) -> None:
    """Where something of each kind waits for everybody whom it can concern."""
    guests.append(guest("Gesa"))
    user = User.of(sub=OWNER.sub, name=OWNER.name, email=OWNER.email, groups=["admin"])
    for number in range(12):
        other = team_of(OWNER, f"Team {number:02}")
        played(other, scheduled_start=TOMORROW)
    invitations.invite(CAST["moderator"], team.id, player_id="", email=user.email, role=PLAYER)
    for article_or_event in (News, Event):
        repository = news if article_or_event is News else events
        draft = repository.create(article_or_event(title="Draft", author_ids=[user.sub]), actor=SYSTEM)
        keep(user.actor, draft.id, "Draft, changed", based_on=1, entity=repository.entity)
    coming = {"status": "published", "start_date": TOMORROW, "end_date": TOMORROW + timedelta(hours=1)}
    events.create(Event(title="Party", **coming), actor=SYSTEM)
    sponsors.create(Sponsor(name="Bakery", expiry_timestamp=now() + timedelta(days=1)), actor=SYSTEM)
    make_picture("hall.jpg")
    sync_runs.note(sync_runs.begin(services.TEAMS, started_by="cron"), state=services.FAILED)
    field.event(matches=2, played=1)
    lifecycle.claim(OWNER, offered(STEWARD, title="Linien").id)
    lifecycle.dispute(PERFORMER, submitted(title="Netz").id, reason=REASON)
    submitted(title="Pfosten")
    stale = lifecycle.claim(PERFORMER, offered(STEWARD, title="Ball").id)
    board.quests.update(stale, {"claim_expires_at": now()}, actor=SYSTEM)
    quest = submitted(title="Tor")
    made = webhooks.create(
        user, {"label": "App", "address": "https://app.example.org/", "kinds": ["game.final"]}
    )
    transactions.send(webhook_items.change(made.webhook.id, [Webhook.problem.set("gone")]))
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)

    for registered in home._sources:
        scouting_settings.forget()
        club.current()
        with metering.metered() as meter:
            found = list(registered.source(user))
        # Who offers a quest does not decide about it.
        assert found or registered.name == "disputes", registered.name
        assert meter.requests <= registered.requests, registered.name


def test_the_tests_of_home_know_every_source() -> None:
    assert [each.name for each in home._sources] == [
        "guests",
        *("unfinished", "ending_sponsors", "pictures_to_describe", "failed_syncs", "club_dates"),
        *("next_match", "at_event"),
        *("disputes", "stale_claims", "rewards", "own_quests", "offers", "deadlines"),
        *("first_team", "invitations_to_answer", "all_teams"),
        "failing_webhooks",
    ]
