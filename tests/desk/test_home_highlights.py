"""What stands first on Home: the next match for scouts, disputes for stewards, the next game for coaches."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime

from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now, to_iso
from scouting.events.event import Match
from scouting.events.repository import event_infos
from tests.cast import CAST, sign_in
from tests.core.crud.pages import OpenForm
from tests.desk.home import AsRole, text_of
from tests.desk.waiting import OWNER, TOMORROW, home_of, played, waiting_for
from tests.quests.board import disputed, submitted
from tests.scouting import field
from tests.tracker.club import ghost, join, team_of
from tracker import repository as softball
from tracker.games.models import IN_PROGRESS
from tracker.games.services import availability
from tracker.teams.models import Team

pytestmark = pytest.mark.usefixtures("db", "guests")


def highlights(client: Client) -> list[tuple[str, str, str, list[str]]]:
    """Label, title, address and details of each highlight of Home itself."""
    return [
        (str(each.label), each.title, each.address, [str(detail) for detail in each.details])
        for each in client.get("/desk/").context["highlights"]
    ]


# --- Scouting ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["scout", "scout-lead", "admin"])
def test_a_scout_at_an_event_sees_the_next_match_first(as_role: AsRole, role: str) -> None:
    event = field.event(matches=3, played=1)
    second = event.matches[1]

    assert highlights(as_role(role)) == [
        (
            "Next match at Fieldhouse Test",
            "Match 2",
            f"/scouting/stand/?event={field.KEY}&match=2",
            [f"Red: {', '.join(second.red.teams)}", f"Blue: {', '.join(second.blue.teams)}"],
        )
    ]


def test_it_is_the_match_after_the_last_one_that_this_scout_has_scouted(as_role: AsRole) -> None:
    event = field.event(matches=4, played=1)
    field.stand(event.matches[2].teams[0], 3)

    def title(role: str) -> str:
        return highlights(as_role(role))[0][1]

    assert title("scout") == "Match 4"
    assert title("scout-lead") == "Match 2"
    client = as_role("scout")
    (address,) = [address for _label, _title, address, _details in highlights(client)]
    assert OpenForm(client, client.get(address), "stand")["match"] == "4"


def test_a_match_with_a_time_says_it(as_role: AsRole) -> None:
    start = now() + timedelta(minutes=10)
    (plan,) = field.schedule(field.TEAMS, 1)
    field.event(matches=[Match(1, red=plan.red, blue=plan.blue, time=to_iso(start))])

    assert highlights(as_role("scout"))[0][1] == f"Match 1, {date_format(localtime(start), 'TIME_FORMAT')}"


@pytest.mark.parametrize(("first", "last"), [(1, 2), (-3, -2)])
def test_before_and_after_the_event_there_is_none(as_role: AsRole, first: int, last: int) -> None:
    field.event(matches=2)
    days = {"starts_on": localdate() + timedelta(days=first), "ends_on": localdate() + timedelta(days=last)}
    parts = event_infos.parts(field.KEY, strong=True)
    event_infos.update(parts.info, {name: day.isoformat() for name, day in days.items()}, actor=SYSTEM)

    assert highlights(as_role("scout")) == []


def test_without_an_event_after_its_last_match_and_for_others_there_is_none(as_role: AsRole) -> None:
    assert highlights(as_role("scout")) == []
    event = field.event(matches=1)
    field.stand(event.matches[0].teams[0], 1)
    assert highlights(as_role("scout")) == []
    for role in ("member", "official", "steward", "guest"):
        assert highlights(as_role(role)) == []


# --- Quests ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("accounts")
def test_a_steward_sees_the_disputes_first(as_role: AsRole) -> None:
    submitted(title="Linien")
    disputed(title="Netz")
    client = as_role("steward")

    assert [(task.title, task.action) for task in client.get("/desk/").context["tasks"]] == [
        ("Netz", "Resolve")
    ]


# --- Softball ----------------------------------------------------------------------------------------------

ATTENDANCE = "1 coming, 1 maybe, 0 not coming"


@pytest.fixture
def next_game(team: Team) -> Any:
    """A game tomorrow: one player comes, one may, and five have not answered."""
    for number, name in enumerate(("Ada", "Bea", "Cem", "Dov", "Eva", "Fin"), start=1):
        ghost(team, name, number, actor=OWNER)
    game = played(team, scheduled_start=TOMORROW, location="Ballpark")
    players = softball.teams.roster(team.id, strong=True).players
    for player, said in zip(players[:2], ("yes", "maybe"), strict=True):
        availability.answer(OWNER, game.id, player.id, said)
    return game


def when() -> str:
    start = localtime(TOMORROW)
    return f"{date_format(start, 'D j M')}, {date_format(start, 'TIME_FORMAT')} · Ballpark"


@pytest.mark.parametrize("role", ["member", "moderator"])
def test_a_coach_sees_the_next_game_and_who_has_not_answered(
    as_role: AsRole, next_game: Any, role: str
) -> None:
    assert highlights(as_role(role)) == [
        (
            "Next game of Falcons",
            "Owls",
            f"/tracker/games/{next_game.id}/#coming",
            [when(), ATTENDANCE, "No answer from Cem, Dov, Eva and 2 others"],
        )
    ]


def test_a_player_sees_the_next_game_without_the_others(as_role: AsRole, next_game: Any) -> None:
    ((_label, title, _address, details),) = highlights(as_role("other-member"))

    assert (title, details) == ("Owls", [when()])


def test_a_player_answers_on_home(as_role: AsRole, team: Team, next_game: Any) -> None:
    client = as_role("member")
    page = client.get("/desk/")
    own = softball.teams.roster(team.id, strong=True).of_person(OWNER.sub)
    assert own

    answered = OpenForm(client, page, f"answer-{team.id}").fill(answer="yes").send()

    assert (answered.status_code, answered["Location"]) == (302, "/desk/")
    assert "Are you coming?" in text_of(page)
    assert own.id in {each.player_id for each in softball.answers.of_game(next_game.id)}
    assert "Are you coming?" not in [badge for _title, badge, _address in waiting_for(client)]


def test_the_live_game_is_on_top_and_not_a_task(team: Team) -> None:
    since = now() - timedelta(hours=1)
    game = played(team, status=IN_PROGRESS, scheduled_start=since, team_score=3, opponent_score=4)

    scorer, player = (sign_in(Client(), role) for role in ("member", "other-member"))
    assert highlights(scorer) == [("Live now", "Falcons 3:4 Owls", f"/tracker/games/{game.id}/score/", [])]
    assert highlights(player) == [("Live now", "Falcons 3:4 Owls", f"/tracker/games/{game.id}/", [])]
    assert waiting_for(scorer) == []
    assert "Record plays" in text_of(scorer.get("/desk/"))
    assert "Follow the game" in text_of(player.get("/desk/"))


def test_of_several_teams_the_first_is_one_that_the_person_looks_after(as_role: AsRole, team: Team) -> None:
    own = team_of(CAST["other-member"], "Zebras")
    for each in (team, own):
        played(each, scheduled_start=TOMORROW)

    assert [label for label, *_rest in highlights(as_role("other-member"))] == ["Next game of Zebras"]


def test_somebody_who_is_also_a_scout_finds_the_game_right_after_the_page(team: Team) -> None:
    """Home cannot ask for both: the match comes first."""
    field.event(matches=2)
    played(team, scheduled_start=TOMORROW)
    client = sign_in(Client(), "scout")

    assert [label for label, *_rest in highlights(client)] == ["Next match at Fieldhouse Test"]
    assert [str(each.label) for each in home_of(client).highlights] == [
        "Next match at Fieldhouse Test",
        "Next game of Falcons",
    ]


def test_a_game_without_a_date_is_the_next_one_without_a_day(as_role: AsRole, team: Team) -> None:
    join(CAST["official"], team, actor=OWNER)
    played(team)

    assert [details for *_rest, details in highlights(as_role("official"))] == [[]]
