"""After thirty days what was deleted is gone for good: what is personal, never a figure."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from dynamo import history
from dynamo.attributes import now
from dynamo.errors import NotFound
from tests.tracker.club import cast, ghost, home_run, home_runs_of, join, person, team_of
from tracker import repository
from tracker.models import Answer, Invitation
from tracker.services import people, teams
from tracker.services.purging import purge

pytestmark = pytest.mark.usefixtures("db")
IN_TIME, LATER = timedelta(days=29, hours=23), timedelta(days=30)


@pytest.fixture
def lena():
    return person("Lena")


@pytest.fixture
def team(lena):
    """With everything that is personal: members, a ghost, an invitation, an answer with a note."""
    made = team_of(lena, description="Lena's garden, Mondays")
    cast(lena, made)
    ada = ghost(made, "Ada", 7, actor=lena, last_name="Lovelace")
    game = home_run(made, ada, actor=lena)
    answer = Answer.about(game, ada.id, answer="no", note="knee surgery")
    repository.answers.create(answer, actor=lena.actor)
    invitation = Invitation.about(
        made.id, email="ada@club.example", invited_by=lena.sub, token_hash="x", expires_at=now()
    )
    repository.invitations.create(invitation, actor=lena.actor)
    return made


def tell(*arguments):
    told = StringIO()
    call_command("tracker", "purge", *arguments, stdout=told)
    return told.getvalue()


def test_until_then_everything_is_there(lena, team):
    teams.delete(lena, team.id, seen_version=team.version)
    purged = purge(moment=now() + IN_TIME)
    assert (purged.teams, purged.people) == ([], [])
    assert teams.restore(lena, team.id).description == "Lena's garden, Mondays"


def test_a_team_keeps_its_figures_and_the_places_of_its_people(lena, team):
    own = repository.teams.roster(team.id).of_person(lena.sub)
    home_run(team, own, actor=lena)
    teams.delete(lena, team.id, seen_version=team.version)
    assert purge(moment=now() + LATER).teams == ["Feldkamp Falcons"]
    assert repository.memberships.of_team(team.id) == []
    assert repository.invitations.of_team(team.id) == []
    games = repository.games.of_team(team.id).items
    assert [repository.games.story(game.id).answers for game in games] == [[], []]
    players = repository.teams.roster(team.id).players
    names = {player.name for player in players}
    assert names == {"Former player", "Lena Example"}
    assert [home_runs_of(player) for player in players] == [(1, 1), (1, 1)]
    assert own.id in [player.id for player in repository.players.of_person(lena.sub)]
    stored = repository.teams.of(team.id)
    assert (stored.name, stored.description) == ("Feldkamp Falcons", None)
    with pytest.raises(NotFound):
        teams.restore(lena, team.id)


def test_what_was_purged_is_not_purged_again(lena, team):
    teams.delete(lena, team.id, seen_version=team.version)
    purge(moment=now() + LATER)
    version = repository.teams.of(team.id).version
    assert purge(moment=now() + LATER).teams == []
    assert repository.teams.of(team.id).version == version


def test_what_a_crash_has_left_is_finished_by_the_next_run(lena, team, monkeypatch):
    teams.delete(lena, team.id, seen_version=team.version)
    monkeypatch.setattr(repository.invitations, "of_team", lambda _team: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        purge(moment=now() + LATER)
    monkeypatch.undo()
    assert purge(moment=now() + LATER).teams == ["Feldkamp Falcons"]
    assert repository.invitations.of_team(team.id) == []


def test_a_person_is_taken_off_every_roster_and_has_no_name_there(lena, team):
    noor = person("Noor")
    own = repository.players.of_person(noor.sub)
    home_run(repository.teams.of(own[0].team_id), own[0], actor=noor)
    version = repository.profiles.of(noor.sub).version
    people.ask_to_delete(noor, noor.sub, seen_version=version)
    assert purge(moment=now() + IN_TIME).people == []
    purged = purge(moment=now() + LATER)
    assert (purged.people, purged.teams) == (["Noor Example"], ["Default"])
    assert repository.players.of_person(noor.sub) == []
    (player,) = repository.teams.roster(own[0].team_id).players
    assert (player.name, player.is_ghost, home_runs_of(player)) == ("Former player", True, (1, 1))
    belonging = repository.profiles.belonging(noor.sub)
    assert (belonging.profile, belonging.memberships) == (None, [])


def test_what_a_person_said_about_games_of_others_goes_with_them(lena, team):
    noor = person("Noor")
    join(noor, team, actor=lena)
    own = ghost(team, "Noor", 8, actor=lena, is_ghost=False, user_id=noor.sub)
    (game,) = repository.games.of_team(team.id).items
    said = Answer.about(game, own.id, answer="no", note="I am ill")
    repository.answers.create(said, actor=noor.actor)
    people.ask_to_delete(noor, noor.sub, seen_version=repository.profiles.of(noor.sub).version)
    purge(moment=now() + LATER)
    notes = [each.note for each in repository.games.story(game.id, strong=True).answers]
    assert notes == ["knee surgery"]
    key = repository.answers.key_of(said)
    assert [entry.verb for entry in history.entries("availability", key).items] == ["create"]


def test_who_comes_back_begins_anew():
    noor = person("Noor")
    people.ask_to_delete(noor, noor.sub, seen_version=repository.profiles.of(noor.sub).version)
    purge(moment=now() + LATER)
    people.open_profile(noor)
    belonging = repository.profiles.belonging(noor.sub)
    assert belonging.profile.name == "Noor Example"
    (membership,) = belonging.memberships
    assert repository.teams.of(membership.team_id).status == "active"


def test_who_has_come_to_own_a_team_meanwhile_stays(lena):
    noor = person("Noor")
    people.ask_to_delete(noor, noor.sub, seen_version=repository.profiles.of(noor.sub).version)
    team_of(noor, "Owls")
    purged = purge(moment=now() + LATER)
    assert purged.refused == ["Noor Example: still owns Owls"]
    assert repository.profiles.of(noor.sub).name == "Noor Example"


def test_the_command_tells_what_it_does_and_a_dry_run_what_it_would_do(lena, team):
    assert tell() == "Nothing was due.\n"
    deleted = teams.delete(lena, team.id, seen_version=team.version)
    repository.teams.update(deleted, {"deleted_at": now() - LATER}, actor=lena.actor)
    told = "Feldkamp Falcons: team purged; its figures stay.\n"
    assert tell("--dry-run") == told
    assert repository.memberships.of_team(team.id)
    assert tell() == told
    assert not repository.memberships.of_team(team.id)
