"""Members: what they are in a team, and how they leave. Their figures stay with the team."""

import pytest

from core.dynamo.metering import metered
from tests.tracker.club import browser_of, cast, home_run, home_runs_of, join, person, team_of
from tracker import repository
from tracker.roster.models import Player

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def team(lena):
    return team_of(lena)


@pytest.fixture
def people(lena, team):
    return cast(lena, team)


def address(team, user=None, verb=""):
    return f"/tracker/teams/{team.id}/members/" + (f"{user.sub}/{verb}/" if user else "")


def change(by, team, user, role, **sent):
    version = repository.memberships.of(user.sub, team.id).version
    return browser_of(by).post(address(team, user, "role"), {"role": role, "version": version} | sent)


def linked(team, user):
    """A place on the roster that is this person's."""
    player = Player.about(team.id, first_name="Pia", is_ghost=False, user_id=user.sub)
    return repository.players.create(player, actor=user.actor)


def test_everybody_in_the_team_sees_who_belongs_to_it(people, team):
    page = browser_of(people["player"]).get(address(team))
    assert [name in page.text for name in ("Lena", "Manager", "Scorekeeper", "Player")] == [True] * 4
    assert people["manager"].email not in page.text
    assert people["player"].email in browser_of(people["manager"]).get(address(team)).text


def test_the_list_costs_four_requests_however_many_there_are(lena, people, team):
    browser = browser_of(lena)
    for number in range(25):
        join(person(f"Member{number}"), team, actor=lena)
    with metered() as meter:
        assert "Member24" in browser.get(address(team)).text
    assert meter.requests == 4


@pytest.mark.parametrize(
    ("by", "whose", "role", "status"),
    [
        ("owner", "player", "manager", 302),
        ("owner", "manager", "player", 302),
        ("owner", "player", "owner", 422),
        ("owner", "owner", "player", 403),
        ("manager", "player", "scorekeeper", 302),
        ("manager", "scorekeeper", "player", 302),
        ("manager", "player", "manager", 422),
        ("manager", "manager", "player", 403),
        ("manager", "owner", "player", 403),
        ("scorekeeper", "player", "scorekeeper", 403),
        ("player", "player", "manager", 403),
        ("stranger", "player", "manager", 404),
        ("owner", "stranger", "player", 404),
    ],
)
def test_owners_set_every_role_but_their_own_and_managers_those_below(by, whose, role, status, people, team):
    version = 0 if whose == "stranger" else repository.memberships.of(people[whose].sub, team.id).version
    sent = {"role": role, "version": version}
    answer = browser_of(people[by]).post(address(team, people[whose], "role"), sent)
    assert answer.status_code == status
    if whose != "stranger":
        stored = repository.memberships.of(people[whose].sub, team.id).role
        assert stored == (role if status == 302 else whose)


def test_two_who_change_a_role_at_once_do_not_overwrite_each_other(lena, people, team):
    seen = repository.memberships.of(people["player"].sub, team.id).version
    change(people["manager"], team, people["player"], "scorekeeper")
    assert change(lena, team, people["player"], "manager", version=seen).status_code == 409
    assert repository.memberships.of(people["player"].sub, team.id).role == "scorekeeper"


@pytest.mark.parametrize(
    ("by", "whom", "status"),
    [
        ("owner", "manager", 302),
        ("owner", "owner", 403),
        ("manager", "player", 302),
        ("manager", "manager", 403),
        ("manager", "owner", 403),
        ("scorekeeper", "player", 403),
        ("player", "scorekeeper", 403),
        ("stranger", "player", 404),
    ],
)
def test_whoever_may_set_a_role_may_remove_its_holder(by, whom, status, people, team):
    membership = repository.memberships.of(people[whom].sub, team.id)
    sent = {"version": membership.version}
    answer = browser_of(people[by]).post(address(team, people[whom], "remove"), sent)
    assert answer.status_code == status
    is_active = repository.memberships.of(people[whom].sub, team.id).is_active
    assert is_active == (status != 302)


def test_who_is_removed_loses_the_place_but_its_figures_stay(lena, people, team):
    noor = people["player"]
    player = linked(team, noor)
    home_run(team, player, actor=lena)
    version = repository.memberships.of(noor.sub, team.id).version
    sent = {"version": version, "once": "key"}
    browser = browser_of(lena)
    assert [browser.post(address(team, noor, "remove"), sent).status_code for _time in range(2)] == [302, 302]
    stored = repository.players.of(team.id, player.id)
    assert (stored.name, stored.is_ghost, stored.user_id) == ("Pia", True, None)
    assert player.id not in [each.id for each in repository.players.of_person(noor.sub)]
    assert home_runs_of(stored) == (1, 1)
    assert browser_of(noor).get(f"/tracker/teams/{team.id}/").status_code == 404


def test_who_leaves_loses_the_place_but_its_figures_stay(lena, people, team):
    noor = people["player"]
    player = linked(team, noor)
    home_run(team, player, actor=lena)
    browser = browser_of(noor)
    leave = f"/tracker/teams/{team.id}/leave/"
    assert "no longer see the team" in browser.get(leave).text
    assert [browser.post(leave, {"once": "key"}).status_code for _time in range(2)] == [302, 302]
    assert repository.players.of(team.id, player.id).is_ghost
    assert home_runs_of(player) == (1, 1)
    assert browser.get(f"/tracker/teams/{team.id}/").status_code == 404


def test_the_owner_cannot_leave(lena, team):
    assert browser_of(lena).post(f"/tracker/teams/{team.id}/leave/").status_code == 403
    assert repository.memberships.of(lena.sub, team.id).is_active


def test_a_personal_team_has_no_members_to_change(lena):
    team = team_of(lena, "Monday League", team_type="PERSONAL")
    browser = browser_of(lena)
    assert browser.get(address(team)).status_code == 404
    assert browser.post(address(team, lena, "role"), {"role": "player"}).status_code == 403
    assert browser.post(address(team, lena, "remove")).status_code == 403
    assert browser.post(f"/tracker/teams/{team.id}/leave/").status_code == 403
    assert browser.get(f"/tracker/teams/{team.id}/transfer/").status_code == 403
