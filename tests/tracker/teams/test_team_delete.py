"""A deleted team can come back for thirty days; what its people did is never lost."""

from datetime import timedelta

import pytest

from core.dynamo.attributes import now
from core.dynamo.errors import NotFound
from tests.tracker.club import browser_of, cast, home_run, home_runs_of, team_of
from tracker import repository
from tracker.games.models import Game
from tracker.teams.services import teams

pytestmark = pytest.mark.usefixtures("db")


def address(team, verb=""):
    return f"/tracker/teams/{team.id}/{verb}"


def test_the_owner_is_asked_first(lena):
    team = team_of(lena)
    page = browser_of(lena).get(address(team, "delete/"))
    assert "30 days" in page.text
    assert not repository.teams.of(team.id).is_deleted


def test_then_nobody_finds_it_any_more(lena):
    team = team_of(lena)
    people = cast(lena, team)
    answer = browser_of(lena).post(address(team, "delete/"), {"version": team.version})
    assert (answer.status_code, answer["Location"]) == (302, "/tracker/")
    assert {browser_of(each).get(address(team)).status_code for each in people.values()} == {404}
    stored = repository.teams.of(team.id)
    assert (stored.status, stored.deleted_at is not None, bool(stored.recovery_token)) == (
        "deleted",
        True,
        True,
    )


def test_the_owner_brings_it_back_with_all_its_members(lena):
    team = team_of(lena)
    people = cast(lena, team)
    teams.delete(lena, team.id, seen_version=team.version)
    answer = browser_of(lena).post(address(team, "restore/"))
    assert (answer.status_code, answer["Location"]) == (302, address(team))
    assert browser_of(people["player"]).get(address(team)).status_code == 200
    stored = repository.teams.of(team.id)
    assert (stored.status, stored.deleted_at, stored.recovery_token) == ("active", None, None)


def test_deleting_and_restoring_twice_are_once(lena):
    team = team_of(lena)
    browser = browser_of(lena)
    sent = {"version": team.version, "once": "key"}
    assert [browser.post(address(team, "delete/"), sent).status_code for _time in range(2)] == [302, 302]
    again = {"once": "other"}
    assert [browser.post(address(team, "restore/"), again).status_code for _time in range(2)] == [302, 302]
    assert repository.teams.of(team.id).version == team.version + 2


def test_after_thirty_days_it_stays_deleted(lena):
    team = team_of(lena)
    deleted = teams.delete(lena, team.id, seen_version=team.version)
    long_ago = {"deleted_at": now() - timedelta(days=30)}
    repository.teams.update(deleted, long_ago, actor=lena.actor)
    with pytest.raises(NotFound):
        teams.restore(lena, team.id)
    assert "restore/" not in browser_of(lena).get("/tracker/").text


def test_whoever_saw_another_version_looks_again_first(lena):
    team = team_of(lena)
    teams.edit(lena, team.id, {"name": "Owls"}, seen_version=team.version)
    answer = browser_of(lena).post(address(team, "delete/"), {"version": team.version})
    assert answer.status_code == 409
    assert "Owls" in answer.text
    assert not repository.teams.of(team.id).is_deleted


def test_a_personal_team_with_games_is_not_deleted(lena):
    team = team_of(lena, "Monday League", team_type="PERSONAL")
    repository.games.create(Game.about("game-1", team_id=team.id), actor=lena.actor)
    assert browser_of(lena).post(address(team, "delete/"), {"version": team.version}).status_code == 403
    assert not repository.teams.of(team.id).is_deleted


def test_players_box_scores_and_plate_appearances_of_its_people_stay(lena):
    team = team_of(lena)
    player = repository.teams.roster(team.id).of_person(lena.sub)
    home_run(team, player, actor=lena)
    teams.delete(lena, team.id, seen_version=team.version)
    assert player.id in [each.id for each in repository.players.of_person(lena.sub)]
    assert home_runs_of(player) == (1, 1)
