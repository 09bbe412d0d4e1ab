"""What waits for people, as Home tells it: each kind of thing, whom it concerns, and whom it does not."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime

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
from core.crud import scheduling, todo
from core.dynamo import metering, transactions
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from desk.activity import MOST_REQUESTS, shown_scopes
from quests import repository as board
from quests.models import PENDING
from quests.services import lifecycle
from quests.services.expiry import STALE_MARGIN
from scouting.events.repository import event_infos
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from scouting.settings import services as scouting_settings
from scouting.settings.models import Settings
from tests.cast import CAST, sign_in
from tests.cms.articles import LONG_AGO, article
from tests.cms.news.test_reschedule import CHRISTMAS, scheduled
from tests.cms.public import make_picture
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    STEWARD,
    TEXT,
    claimed,
    disputed,
    offered,
    open_accounts,
    submitted,
)
from tests.quests.test_rewards import remove_account
from tests.scouting import field
from tests.tracker.club import join, team_of
from tracker import repository as softball
from tracker.games.models import FINAL, IN_PROGRESS, POSTPONED, SCHEDULED, Game
from tracker.games.services import availability
from tracker.people import services as people
from tracker.roster.models import Player
from tracker.teams.models import MANAGER, PLAYER, SCOREKEEPER, Team
from tracker.teams.services import invitations, teams

pytestmark = pytest.mark.usefixtures("db")

Told = tuple[str, str, str]
MODERATOR, OFFICIAL = CAST["moderator"], CAST["official"]
REASON = "Das Netz hat noch immer zwei Löcher."


def waiting_for(client: Client) -> list[Told]:
    """Title, badge and address of everything that Home and the request right after it tell."""
    home, later = client.get("/desk/").context["desk"], client.get("/desk/waiting").context["tasks"]
    tasks = [*home.waiting, *home.unfinished, *later]
    return [(str(task.title), str(task.badge), task.address) for task in tasks]


def told() -> dict[str, list[Told]]:
    """What waits, by role; roles for which nothing waits are left out."""
    found = {role: waiting_for(sign_in(Client(), role)) for role in CAST}
    return {role: tasks for role, tasks in found.items() if tasks}


@pytest.fixture(autouse=True)
def guests(monkeypatch: pytest.MonkeyPatch) -> list[Account]:
    """Those whom the user pool has in the group of guests."""
    found: list[Account] = []
    monkeypatch.setattr(cognito, "in_group", lambda group: (found if group == GUEST else [], False))
    return found


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
    assert told() == {"admin": [("Gesa", "Waits to be made a member", "/people/Gesa-sub/")]}

    guests.append(guest("Ina"))
    assert told() == {"admin": [("2 guests", "Waits to be made a member", "/people/")]}


def test_other_things_are_told_while_the_user_pool_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(_group: str) -> None:
        raise AccountsUnavailable

    monkeypatch.setattr(cognito, "in_group", unreachable)
    draft = news.create(News(title="Derby", author_ids=[CAST["admin"].sub]), actor=SYSTEM)

    assert told() == {"admin": [("Derby", "Draft", f"/cms/news/{draft.id}/")]}


# --- Website -----------------------------------------------------------------------------------------------


def test_a_draft_of_an_article_waits_for_its_authors() -> None:
    draft = news.create(News(title="Derby", author_ids=[OFFICIAL.sub]), actor=SYSTEM)

    assert told() == {"official": [("Derby", "Draft", f"/cms/news/{draft.id}/")]}


def test_a_draft_of_an_event_waits_for_its_authors() -> None:
    draft = events.create(Event(title="Final", author_ids=[OFFICIAL.sub]), actor=SYSTEM)

    assert told() == {"official": [("Final", "Draft", f"/cms/events/{draft.id}/")]}


def test_a_draft_waits_however_many_others_have_written_since() -> None:
    draft = news.create(News(title="Derby", author_ids=[OFFICIAL.sub]), actor=SYSTEM)
    for number in range(60):
        news.create(News(title=f"Other {number}", author_ids=["somebody"]), actor=SYSTEM)

    assert told() == {"official": [("Derby", "Draft", f"/cms/news/{draft.id}/")]}


def test_changes_that_could_not_be_published_at_their_time_wait_for_who_scheduled_them() -> None:
    published = article(published=True, publish_at=LONG_AGO)
    scheduled(sign_in(Client(), "official"), published)
    assert told() == {}

    stored = news.get(published.id, strong=True)
    news.update(stored, {"title": "Derby lost"}, actor=MODERATOR.actor)
    assert scheduling.apply_due(moment=CHRISTMAS).refused
    assert told() == {"official": [("Derby won", "Changed", f"/cms/news/{published.id}/")]}


def test_a_sponsor_that_readers_will_soon_not_see_waits_for_moderators() -> None:
    ends = now() + timedelta(days=29)
    soon = sponsors.create(Sponsor(name="Soon", expiry_timestamp=ends), actor=SYSTEM)
    for name, days in (("Later", 31), ("Expired", -1)):
        other = Sponsor(name=name, expiry_timestamp=now() + timedelta(days=days))
        sponsors.create(other, actor=SYSTEM)

    until = date_format(localtime(ends), "SHORT_DATE_FORMAT")
    task = ("Soon", f"Shown until {until}", f"/cms/sponsors/{soon.id}/")
    assert told() == {"admin": [task], "moderator": [task]}


def test_a_picture_without_a_description_waits_for_moderators_and_its_uploader() -> None:
    first = make_picture("hall.jpg", uploaded_by=OFFICIAL.sub)
    task = ("hall.jpg", "Needs a description", f"/cms/media/{first.id}/")
    assert told() == {"admin": [task], "moderator": [task], "official": [task]}

    make_picture("net.jpg", uploaded_by=OFFICIAL.sub)
    many = ("Several pictures", "Needs a description", "/cms/media/?description=missing")
    own = (*many[:2], f"{many[2]}&by=me")
    assert told() == {"admin": [many], "moderator": [many], "official": [own]}
    for role, address in (("moderator", many[2]), ("official", own[2])):
        listed = sign_in(Client(), role).get(address).content.decode()
        assert "hall.jpg" in listed
        assert "net.jpg" in listed


def test_a_sync_that_failed_waits_for_administrators_until_one_succeeds() -> None:
    failed = sync_runs.begin(services.TEAMS, started_by="cron")
    sync_runs.tell(failed, state=services.FAILED)
    for _hour in range(25):
        sync_runs.tell(sync_runs.begin(services.RESULTS, started_by="cron"), state=services.DONE)
    assert told() == {"admin": [("SAMS: Teams", "Failed", "/cms/sams/")]}

    sync_runs.tell(sync_runs.begin(services.TEAMS, started_by="cron"), state=services.DONE)
    assert told() == {}


# --- Quests ------------------------------------------------------------------------------------------------


@pytest.fixture
def accounts(db: object) -> None:
    open_accounts()


@pytest.mark.usefixtures("accounts")
def test_a_claimed_quest_waits_for_its_performer() -> None:
    quest = claimed(title="Netz")

    assert told() == {"other-member": [("Netz", "Do it and submit your work", f"/quests/{quest.id}/")]}


@pytest.mark.usefixtures("accounts")
def test_work_that_was_handed_back_waits_for_its_performer() -> None:
    quest = submitted(title="Netz")
    lifecycle.request_changes(CREATOR, quest.id, note="Auch das rechte.")

    assert told() == {"other-member": [("Netz", "Changes requested", f"/quests/{quest.id}/")]}


@pytest.mark.usefixtures("accounts")
def test_submitted_work_waits_for_both_sides_until_they_have_confirmed_it() -> None:
    quest = submitted(title="Netz")
    task = ("Netz", "Confirm the work", f"/quests/{quest.id}/")
    assert told() == {"member": [task], "other-member": [task]}

    lifecycle.attest(PERFORMER, quest.id)
    assert told() == {"member": [task]}


@pytest.mark.usefixtures("accounts")
@pytest.mark.parametrize(
    ("by", "answers", "role"), [(CREATOR, PERFORMER, "other-member"), (PERFORMER, CREATOR, "member")]
)
def test_a_dispute_waits_for_the_other_side_and_for_those_who_decide(
    by: Any, answers: Any, role: str
) -> None:
    quest = submitted(title="Netz")
    lifecycle.dispute(by, quest.id, reason=REASON)
    decide = [("Netz", "Dispute to decide", f"/quests/desk/decide/{quest.id}")]
    answer = [("Netz", "Answer the dispute", f"/quests/{quest.id}/")]
    assert told() == {"admin": decide, "steward": decide, role: answer}

    lifecycle.answer(answers, quest.id, text="Es sind nur noch Schlaufen.")
    assert told() == {"admin": decide, "steward": decide}

    lifecycle.decide(STEWARD, quest.id, decision="cancel", note="Beide angehört.")
    assert told() == {}


@pytest.mark.usefixtures("accounts")
def test_a_steward_does_not_decide_about_an_own_quest() -> None:
    quest = lifecycle.claim(PERFORMER, offered(STEWARD, title="Netz").id)
    lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[])
    lifecycle.dispute(PERFORMER, quest.id, reason=REASON)

    assert told() == {
        "admin": [("Netz", "Dispute to decide", f"/quests/desk/decide/{quest.id}")],
        "steward": [("Netz", "Answer the dispute", f"/quests/{quest.id}/")],
    }


@pytest.mark.usefixtures("accounts")
def test_a_claim_that_ends_soon_waits_for_stewards_too_unless_it_is_their_own() -> None:
    theirs, own = claimed(title="Netz"), lifecycle.claim(STEWARD, offered(title="Linien").id)
    for quest in (theirs, own):
        soon = {"claim_expires_at": now() + STALE_MARGIN - timedelta(minutes=1)}
        board.quests.update(board.quests.get(quest.id, strong=True), soon, actor=SYSTEM)

    to_do, stale = "Do it and submit your work", "The claim ends soon"
    netz, lines = f"/quests/{theirs.id}/", f"/quests/{own.id}/"
    assert told() == {
        "admin": [("Netz", stale, netz), ("Linien", stale, lines)],
        "steward": [("Netz", stale, netz), ("Linien", to_do, lines)],
        "other-member": [("Netz", to_do, netz)],
    }


@pytest.mark.usefixtures("accounts")
def test_eight_disputes_and_a_failed_reward_wait_for_a_steward() -> None:
    for number in range(8):
        disputed(title=f"Streit {number}")
    quest = submitted(title="Netz")
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)

    found = waiting_for(sign_in(Client(), "steward"))

    assert [(title, badge) for title, badge, _address in found] == [
        *((f"Streit {number}", "Dispute to decide") for number in range(8)),
        ("Netz", "Reward failed"),
    ]
    assert found[-1][2] == "/quests/desk/rewards/"
    assert told().keys() == {"admin", "steward", "other-member"}


@pytest.mark.usefixtures("accounts")
def test_a_failed_reward_of_a_quest_that_is_gone_still_waits() -> None:
    quest = submitted(title="Netz")
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    completed = lifecycle.attest(PERFORMER, quest.id)
    board.quests.delete(completed, actor=STEWARD.actor)
    assert board.failed_rewards.with_status(PENDING).items

    task = ("A quest that was deleted", "Reward failed", "/quests/desk/rewards/")
    assert told() == {"admin": [task], "steward": [task]}


# --- Scouting ----------------------------------------------------------------------------------------------

SCOUTING = ("admin", "scout-lead", "scout")
COVERAGE, PITS = f"/scouting/coverage/?event={field.KEY}", f"/scouting/coverage/pits/?event={field.KEY}"


def test_robots_and_pits_without_a_form_wait_for_scouts() -> None:
    event = field.event(matches=2, played=1)
    robots = event.matches[0].teams
    for team in event.team_numbers[1:]:
        field.pit(team)
    for team in robots[2:]:
        field.stand(team, 1)

    tasks = [("2 robots", "No form yet", COVERAGE), ("1 pit", "Not visited yet", PITS)]
    assert told() == dict.fromkeys(SCOUTING, tasks)

    for team in robots[:2]:
        field.stand(team, 1)
    field.pit(event.team_numbers[0])
    assert told() == {}


@pytest.mark.parametrize(
    ("first", "last", "waits"), [(-1, 1, True), (0, 0, True), (1, 2, False), (-3, -2, False)]
)
def test_what_is_to_be_scouted_waits_while_the_event_is_on(first: int, last: int, waits: bool) -> None:
    field.event(matches=2, played=1)
    today = localdate()
    fields = {
        "starts_on": (today + timedelta(days=first)).isoformat(),
        "ends_on": (today + timedelta(days=last)).isoformat(),
    }
    parts = event_infos.parts(field.KEY, strong=True)
    event_infos.update(parts.info, fields, actor=SYSTEM)

    assert set(told()) == (set(SCOUTING) if waits else set())


def test_a_form_about_a_robot_that_is_not_in_the_match_waits_for_its_scout_and_leads() -> None:
    event = field.event(matches=1)
    for team in event.team_numbers:
        field.pit(team)
    absent = next(team for team in event.team_numbers if team not in event.matches[0].teams)
    own = field.stand(absent, 1)
    other = field.stand(absent, 1, further="somebody-else")

    def task(form: StandForm) -> Told:
        address = reverse("scouting:form", args=["stand", stand_forms.key_of(form)])
        return (f"Team {absent} in match 1", "Not in that match", address)

    assert told() == {
        "admin": [task(own), task(other)],
        "scout-lead": [task(own), task(other)],
        "scout": [task(own)],
    }


def test_nothing_waits_without_an_event_or_at_one_that_is_gone() -> None:
    field.event(matches=1)
    field.be_at(None)
    assert told() == {}

    # As another program may have left it.
    transactions.send(transactions.put(Settings.of_year(2026, event="2026gone")))
    scouting_settings.forget()
    assert scouting_settings.active().event == "2026gone"
    assert told() == {}


# --- Softball ----------------------------------------------------------------------------------------------

OWNER = CAST["member"]
ROLES_IN_TEAM = {"moderator": MANAGER, "scout": SCOREKEEPER, "other-member": PLAYER}
YESTERDAY, TOMORROW = now() - timedelta(days=1), now() + timedelta(days=1)


@pytest.fixture
def team(db: object) -> Team:
    """A team of the cast's member, with a manager, a scorekeeper and a player."""
    for person in CAST.values():
        people.open_profile(person)
    found = team_of(OWNER, "Falcons")
    for role, role_in_team in ROLES_IN_TEAM.items():
        join(CAST[role], found, role_in_team, actor=OWNER)
    return found


def played(team: Team, **fields: Any) -> Game:
    game = Game.about(new_id(), team_id=team.id, opponent_name="Owls", is_home=True, **fields)
    return softball.games.create(game, actor=OWNER.actor)


def day(moment: datetime) -> str:
    return date_format(localtime(moment), "D j M")


def test_an_invitation_waits_for_whom_it_names(team: Team) -> None:
    made = invitations.invite(OWNER, team.id, player_id="", email=OFFICIAL.email, role=PLAYER).invitation

    task = ("Join “Falcons”, or say no", "Waits for you", f"/tracker/teams/{team.id}/invitations/{made.id}/")
    assert told() == {"official": [task]}


@pytest.mark.parametrize(
    ("fields", "badge"),
    [
        ({"status": IN_PROGRESS, "scheduled_start": YESTERDAY}, "Finish the game"),
        ({"status": SCHEDULED, "scheduled_start": YESTERDAY}, "Enter the result"),
        ({"status": POSTPONED, "scheduled_start": YESTERDAY}, "Set a new date"),
    ],
)
def test_a_game_that_lacks_something_waits_for_those_who_run_games(
    team: Team, fields: dict[str, Any], badge: str
) -> None:
    game = played(team, **fields)

    task = (f"Falcons: Owls, {day(YESTERDAY)}", badge, f"/tracker/games/{game.id}/")
    assert told() == {"member": [task], "moderator": [task], "scout": [task]}

    softball.games.update(game, {"status": FINAL}, actor=OWNER.actor)
    assert told() == {}


def test_an_own_game_waits_for_nobody_else(team: Team) -> None:
    memberships = softball.profiles.belonging(OFFICIAL.sub).memberships
    (personal,) = softball.teams.with_ids([each.team_id for each in memberships]).values()
    game = played(personal, status=IN_PROGRESS, scheduled_start=YESTERDAY)

    task = (f"Default: Owls, {day(YESTERDAY)}", "Finish the game", f"/tracker/games/{game.id}/")
    assert told() == {"official": [task]}


def test_a_game_of_a_deleted_team_or_of_one_that_was_left_waits_for_nobody(team: Team) -> None:
    played(team, status=IN_PROGRESS)
    left = softball.memberships.of(CAST["scout"].sub, team.id)
    softball.memberships.update(left, {"status": "inactive"}, actor=OWNER.actor)
    assert set(told()) == {"member", "moderator"}

    stored = softball.teams.of(team.id)
    teams.delete(OWNER, team.id, seen_version=stored.version)
    assert told() == {}


def test_the_next_game_waits_for_players_until_they_say_whether_they_come(team: Team) -> None:
    milan = CAST["other-member"]
    linked = Player.about(team.id, first_name="Milan", is_ghost=False, user_id=milan.sub)
    player = softball.players.create(linked, actor=OWNER.actor)
    game = played(team, scheduled_start=TOMORROW)
    played(team, scheduled_start=TOMORROW + timedelta(days=7))
    task = (f"Falcons: Owls, {day(TOMORROW)}", "Say whether you come", f"/tracker/games/{game.id}/")
    # Whoever makes a team plays for it.
    assert told() == {"member": [task], "other-member": [task]}

    availability.answer(milan, game.id, player.id, "no")
    assert told() == {"member": [task]}


# --- What it costs -----------------------------------------------------------------------------------------

# The most requests of each role: on Home for what waits, and right after it.
COSTS = {
    "admin": (2, 33),
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
    declared = {role: (todo.requests_at_once(user), todo.requests_later(user)) for role, user in CAST.items()}

    assert declared == COSTS
    assert all(at_once <= todo.MOST_AT_ONCE for at_once, _later in declared.values())
    assert all(later <= todo.MOST_LATER for _at_once, later in declared.values())


EMPTY = {
    "admin": (5, 13),
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
        for scope in shown_scopes(user):
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
    sync_runs.tell(sync_runs.begin(services.TEAMS, started_by="cron"), state=services.FAILED)
    field.event(matches=1, played=1)
    scouting_settings.forget()
    lifecycle.claim(OWNER, offered(STEWARD, title="Linien").id)
    lifecycle.dispute(PERFORMER, submitted(title="Netz").id, reason=REASON)
    submitted(title="Pfosten")
    stale = lifecycle.claim(PERFORMER, offered(STEWARD, title="Ball").id)
    board.quests.update(stale, {"claim_expires_at": now()}, actor=SYSTEM)
    quest = submitted(title="Tor")
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
    ]
