"""The name and the description of a team; a personal one keeps its name once it has games."""

import pytest

from core.dynamo.errors import InUse
from core.dynamo.metering import metered
from tests.tracker.club import browser_of, team_of
from tracker import repository
from tracker.games.models import Game
from tracker.teams.services import teams

pytestmark = pytest.mark.usefixtures("db")


def edit(user, team, **sent):
    sent = {"name": "Owls", "description": "", "version": team.version} | sent
    return browser_of(user).post(f"/tracker/teams/{team.id}/edit/", sent)


def played(team, actor):
    return repository.games.create(Game.about("game-1", team_id=team.id), actor=actor.actor)


def test_it_is_saved_and_an_empty_description_is_removed(lena):
    team = team_of(lena, description="Mondays")
    answer = edit(lena, team)
    assert (answer.status_code, answer["Location"]) == (302, f"/tracker/teams/{team.id}/")
    stored = repository.teams.of(team.id)
    assert (stored.name, stored.description, stored.team_type) == ("Owls", None, "MANAGED")


def test_what_is_wrong_is_told_at_its_field(lena):
    team = team_of(lena)
    answer = edit(lena, team, name="x", description="x" * 501)
    assert answer.status_code == 422
    assert answer.text.count('aria-invalid="true"') == 2
    assert repository.teams.of(team.id).name == "Feldkamp Falcons"


def test_who_saves_second_sees_both_versions_and_may_save_again(lena):
    team = team_of(lena)
    edit(lena, team, name="Hawks")
    answer = edit(lena, team, name="Owls")
    assert answer.status_code == 409
    assert "Hawks" in answer.text
    assert 'value="Owls"' in answer.text
    assert f'name="version" value="{team.version + 1}"' in answer.text
    assert edit(lena, team, name="Owls", version=team.version + 1).status_code == 302


def test_sent_twice_it_is_saved_once(lena):
    team = team_of(lena)
    assert [edit(lena, team, once="key").status_code for _time in range(2)] == [302, 302]
    assert repository.teams.of(team.id).version == team.version + 1


def test_a_personal_team_is_renamed_as_long_as_it_has_no_games(lena):
    team = team_of(lena, "Mondya League", team_type="PERSONAL")
    assert edit(lena, team, name="Monday League").status_code == 302
    played(team, lena)
    team = repository.teams.of(team.id)
    assert edit(lena, team, name="Tuesday League").status_code == 403
    assert repository.teams.of(team.id).name == "Monday League"


def test_a_game_that_comes_while_a_personal_team_is_renamed_keeps_the_name(lena):
    team = team_of(lena, "Monday League", team_type="PERSONAL")
    seen = repository.teams.of(team.id, strong=True)
    played(team, lena)
    with pytest.raises(InUse):
        repository.teams.update(seen, {"name": "Tuesday League"}, actor=lena.actor)


def test_once_its_only_game_is_deleted_it_can_be_renamed_again(lena):
    team = team_of(lena, "Monday League", team_type="PERSONAL")
    repository.games.delete(played(team, lena), actor=lena.actor)
    assert teams.edit(lena, team.id, {"name": "Tuesday League"}, seen_version=team.version)


def test_saving_costs_three_requests_and_the_form_two(lena):
    """The session, the team with the membership, the transaction."""
    team = team_of(lena)
    browser = browser_of(lena)
    with metered() as form:
        browser.get(f"/tracker/teams/{team.id}/edit/")
    with metered() as save:
        browser.post(f"/tracker/teams/{team.id}/edit/", {"name": "Owls", "version": team.version})
    assert (form.requests, save.requests) == (2, 3)
