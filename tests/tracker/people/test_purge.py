"""After thirty days what was deleted is gone for good: what is personal, never a figure."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from core.dynamo import history
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound
from core.dynamo.support_table import unpack
from tests.tracker.club import cast, ghost, home_run, home_runs_of, join, person, team_of
from tracker import repository
from tracker.games.models import Answer
from tracker.people import services as people
from tracker.people.purge import purge
from tracker.teams.models import Invitation
from tracker.teams.services import teams

pytestmark = pytest.mark.usefixtures("db")
IN_TIME, LATER = timedelta(days=29, hours=23), timedelta(days=30)


@pytest.fixture
def team(lena):
    """With everything that is personal: members, a ghost, an invitation, an answer with a note."""
    made = team_of(lena, description="Lena's garden, Mondays")
    cast(lena, made)
    ada = ghost(made, "Ada", 7, actor=lena, last_name="Lovelace")
    game = home_run(made, ada, actor=lena)
    answer = Answer.about(game.id, ada.id, team_id=game.team_id, answer="no", note="knee surgery")
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
    said = Answer.about(game.id, own.id, team_id=game.team_id, answer="no", note="I am ill")
    repository.answers.create(said, actor=noor.actor)
    people.ask_to_delete(noor, noor.sub, seen_version=repository.profiles.of(noor.sub).version)
    purge(moment=now() + LATER)
    notes = [each.note for each in repository.games.story(game.id, strong=True).answers]
    assert notes == ["knee surgery"]
    key = repository.answers.key_of(said)
    assert [entry.verb for entry in history.entries("availability", key).items] == ["create"]


def remembered(repo, item):
    """Everything that the history of a record tells in words."""
    told = [
        (entry.label, entry.actor_name, str(unpack(entry.before)))
        for entry in history.entries(repo.entity, repo.key_of(item), limit=100).items
    ]
    assert told
    return " ".join(word for words in told for word in words)


def test_the_histories_of_what_was_a_persons_no_longer_name_them(lena, team):
    noor = person("Noor")
    membership = join(noor, team, actor=noor)
    own = ghost(team, "Noor", 8, actor=noor, last_name="Noether", is_ghost=False, user_id=noor.sub)
    own = repository.players.update(own, {"first_name": "Noora"}, actor=noor.actor)
    profile = people.own_profile(noor)
    edited = {"phone_number": "0151", "first_name": "Noora"}
    people.edit_profile(noor, noor.sub, edited, seen_version=profile.seen_version)
    (game,) = repository.games.of_team(team.id).items
    said = Answer.about(game.id, own.id, team_id=game.team_id, answer="no", note="Noor is ill")
    said = repository.answers.create(said, actor=noor.actor)
    said = repository.answers.update(said, {"note": ""}, actor=noor.actor)
    sent = Invitation.about(team.id, email=noor.email, invited_by=lena.sub, token_hash="y", expires_at=now())
    sent = repository.invitations.create(sent, actor=lena.actor)
    kept = (
        (repository.profiles, profile),
        (repository.players, own),
        (repository.memberships, membership),
        (repository.answers, said),
        (repository.invitations, sent),
    )
    assert all("noor" in remembered(*each).lower() for each in kept)
    people.ask_to_delete(noor, noor.sub, seen_version=repository.profiles.of(noor.sub).version)
    assert purge(moment=now() + LATER).people == ["Noora Example"]
    for each in kept:
        told = remembered(*each)
        assert [word for word in ("noor", "Noether", "0151", "ill") if word.lower() in told.lower()] == []
    key = repository.players.key_of(own)
    entries = history.entries("player", key).items
    assert [(entry.verb, entry.label, entry.actor_name) for entry in entries] == [
        ("purge", "Former player", "Fieldhouse"),
        ("update", "Former player", "Former member"),
        ("create", "Former player", "Former member"),
    ]
    assert {"firstName", "userId"} <= set(entries[0].fields)


def test_the_histories_of_a_purged_team_no_longer_name_its_ghosts_and_whom_it_invited(lena, team):
    ada = next(each for each in repository.teams.roster(team.id).players if each.is_ghost)
    (invitation,) = repository.invitations.of_team(team.id)
    assert "Lovelace" in remembered(repository.players, ada)
    assert "ada@club.example" in remembered(repository.invitations, invitation)
    teams.delete(lena, team.id, seen_version=team.version)
    purge(moment=now() + LATER)
    assert "Lovelace" not in remembered(repository.players, ada)
    assert "ada@" not in remembered(repository.invitations, invitation)
    # Who wrote it is still there, and still has a name.
    assert "Lena Example" in remembered(repository.players, ada)


def test_what_a_crash_has_left_of_a_history_is_forgotten_by_the_next_run(monkeypatch):
    noor = person("Noor")
    profile = people.own_profile(noor)
    (own,) = repository.players.of_person(noor.sub)
    people.ask_to_delete(noor, noor.sub, seen_version=profile.version)
    for crash in ("players", "profiles"):
        verb = "update" if crash == "players" else "delete"
        monkeypatch.setattr(getattr(repository, crash), verb, lambda *_all, **_named: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            purge(moment=now() + LATER)
        monkeypatch.undo()
    assert purge(moment=now() + LATER).people == ["Noor Example"]
    assert "Noor" not in remembered(repository.players, own)
    assert "Noor" not in remembered(repository.profiles, profile)


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
