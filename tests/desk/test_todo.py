"""What waits for people, as Home tells it: people themselves, and what it costs."""

from collections.abc import Sequence
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
from core.crud import todo
from core.dynamo import metering, transactions
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.webhooks import repository as webhook_items
from core.webhooks import services as webhooks
from core.webhooks.models import Webhook
from desk.activity import MOST_REQUESTS, visible_scopes
from quests import repository as board
from quests.services import lifecycle
from scouting.settings import services as scouting_settings
from tests.cast import CAST, sign_in
from tests.cms.public import make_picture
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

# The most requests of each role: on Home for what waits, and right after it.
COSTS = {
    "admin": (2, 34),
    "moderator": (2, 23),
    "official": (2, 22),
    "scout-lead": (1, 25),
    "scout": (1, 25),
    "steward": (2, 23),
    "member": (1, 20),
    "other-member": (1, 20),
    "guest": (2, 14),
}


def test_what_waits_costs_no_role_more_than_home_can_spare() -> None:
    def requests(sources: Sequence[todo.Registered]) -> int:
        return sum(each.requests for each in sources)

    declared = {
        role: (requests(todo.at_once(user)), requests(todo.later(user))) for role, user in CAST.items()
    }

    assert declared == COSTS
    assert all(at_once <= todo.MOST_AT_ONCE for at_once, _later in declared.values())
    assert all(later <= todo.MOST_LATER for _at_once, later in declared.values())


EMPTY = {
    "admin": (5, 14),
    "moderator": (5, 9),
    "official": (5, 8),
    "scout-lead": (5, 6),
    "scout": (5, 6),
    "steward": (5, 8),
    "member": (5, 6),
    "other-member": (5, 6),
    "guest": (3, 2),
}


def requests_of(role: str) -> tuple[int, int]:
    """Of Home and of the request right after it, the session included."""
    client, counted = sign_in(Client(), role), []
    for address in ("/desk/", "/desk/waiting"):
        with metering.metered() as meter:
            assert client.get(address).status_code == 200
        counted.append(meter.requests)
    return counted[0], counted[1]


def test_a_home_for_which_nothing_waits_costs_the_same_whoever_opens_it() -> None:
    scouting_settings.active()

    assert {role: requests_of(role) for role in CAST} == EMPTY


@pytest.mark.usefixtures("accounts")
def test_home_makes_at_most_six_requests_for_every_role_and_scope() -> None:
    for person in CAST.values():
        news.create(News(title=person.name, author_ids=[person.sub]), actor=person.actor)
    disputed(title="Netz")

    for role, user in CAST.items():
        client = sign_in(Client(), role)
        for scope in visible_scopes(user):
            with metering.metered() as meter:
                client.get("/desk/", {"scope": scope})
            assert meter.requests <= MOST_REQUESTS == 6, (role, scope)


@pytest.mark.usefixtures("accounts")
def test_no_source_makes_more_requests_than_it_says(team: Team, guests: list[Account]) -> None:
    """Where something of each kind waits for everybody whom it can concern."""
    guests.append(guest("Gesa"))
    user = User.of(sub=OWNER.sub, name=OWNER.name, email=OWNER.email, groups=["admin"])
    for number in range(12):
        other = team_of(OWNER, f"Team {number:02}")
        played(other, scheduled_start=TOMORROW)
    invitations.invite(CAST["moderator"], team.id, player_id="", email=user.email, role=PLAYER)
    for article_or_event in (News, Event):
        repository = news if article_or_event is News else events
        repository.create(article_or_event(title="Draft", author_ids=[user.sub]), actor=SYSTEM)
    sponsors.create(Sponsor(name="Bakery", expiry_timestamp=now() + timedelta(days=1)), actor=SYSTEM)
    make_picture("hall.jpg")
    sync_runs.note(sync_runs.begin(services.TEAMS, started_by="cron"), state=services.FAILED)
    field.event(matches=1, played=1)
    scouting_settings.forget()
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

    for registered in todo._sources:
        with metering.metered() as meter:
            found = list(registered.source(user))
        name = registered.source.__name__
        # Who offers a quest does not decide about it.
        assert found or name == "disputes", name
        assert meter.requests <= registered.requests, name


def test_the_tests_of_home_know_every_source() -> None:
    assert [each.source.__name__ for each in todo._sources] == [
        "guests",
        *("drafts_of_news", "drafts_of_events", "ending_sponsors", "pictures_to_describe", "failed_syncs"),
        "at_event",
        *("offers", "disputes", "stale_claims", "rewards", "own_quests"),
        *("invitations_to_answer", "games"),
        "failing_webhooks",
    ]
