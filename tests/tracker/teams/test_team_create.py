"""A team is made with its owner and the owner's place on the roster, all or nothing, and once."""

import pytest

from core.dynamo.metering import metered
from tests.tracker.club import browser_of, person
from tracker import repository

pytestmark = pytest.mark.usefixtures("db")
NEW = "/tracker/teams/new/"


def made_by(user):
    memberships = repository.profiles.belonging(user.sub).memberships
    found = repository.teams.with_ids([each.team_id for each in memberships]).values()
    return [team for team in found if team.name != "Default"]


@pytest.mark.parametrize("team_type", ["MANAGED", "PERSONAL"])
def test_a_team_has_its_owner_and_the_owners_player(team_type):
    lena = person("Lena")
    answer = browser_of(lena).post(NEW, {"team_type": team_type, "name": "Falcons", "description": ""})
    (team,) = made_by(lena)
    assert (answer.status_code, answer["Location"]) == (302, f"/tracker/teams/{team.id}/")
    assert (team.team_type, team.owner_id, team.status) == (team_type, lena.sub, "active")
    assert repository.memberships.of(lena.sub, team.id).role == "owner"
    (player,) = repository.teams.roster(team.id).players
    assert (player.name, player.user_id, player.is_ghost) == ("Lena Example", lena.sub, False)


def test_sent_twice_it_is_one_team():
    lena = person("Lena")
    browser = browser_of(lena)
    sent = {"team_type": "MANAGED", "name": "Falcons", "once": "one-key"}
    first, second = browser.post(NEW, sent), browser.post(NEW, sent)
    (team,) = made_by(lena)
    assert first["Location"] == second["Location"] == f"/tracker/teams/{team.id}/"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("  Feldkamp   Falcons ", "Feldkamp Falcons"),
        ("Ål & Øl-Klub 1. FC", "Ål & Øl-Klub 1. FC"),
        ("O'Neill's", "O'Neill's"),
        ("Кедры", "Кедры"),
        ("x" * 50, "x" * 50),
    ],
)
def test_a_name_has_letters_of_any_language_and_one_space_between_words(typed, stored):
    lena = person("Lena")
    browser_of(lena).post(NEW, {"team_type": "MANAGED", "name": typed})
    assert [team.name for team in made_by(lena)] == [stored]


@pytest.mark.parametrize("typed", ["", "  ab ", "x" * 51, "<b>Falcons</b>", "Falcons!", "---", "😀😀😀"])
def test_any_other_name_is_refused_at_its_field(typed):
    lena = person("Lena")
    answer = browser_of(lena).post(NEW, {"team_type": "MANAGED", "name": typed})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    assert made_by(lena) == []


@pytest.mark.parametrize("team_type", ["", "managed", "CLUB"])
def test_another_kind_of_team_is_refused(team_type):
    lena = person("Lena")
    answer = browser_of(lena).post(NEW, {"team_type": team_type, "name": "Falcons"})
    assert (answer.status_code, made_by(lena)) == (422, [])


def test_making_one_costs_three_requests():
    browser = browser_of(person("Lena"))
    with metered() as meter:
        browser.post(NEW, {"team_type": "MANAGED", "name": "Falcons"})
    assert meter.requests == 3
