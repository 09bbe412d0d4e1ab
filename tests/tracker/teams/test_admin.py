"""The lists of all people, teams and games: for administrators, page by page, and as files."""

import csv
from io import BytesIO, StringIO
from zipfile import ZipFile

import pytest

from core.dynamo.items import new_id
from core.dynamo.metering import metered
from tests.tracker.club import browser_of, person, team_of
from tracker import repository
from tracker.games.models import Game

pytestmark = pytest.mark.usefixtures("db")
LISTS = ("people", "teams", "games")


@pytest.fixture
def amara():
    return person("Amara", groups=["admin"])


def rows(browser, name, more=""):
    answer = browser.get(f"/tracker/all/{name}/?as=csv{more}")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.reader(StringIO(text)))[1:]


def test_only_administrators_see_them(amara):
    for name in LISTS:
        address = f"/tracker/all/{name}/"
        assert browser_of(amara).get(address).status_code == 200
        assert browser_of(person("Lena")).get(address).status_code == 403


def test_people_are_listed_with_how_to_reach_them(amara):
    person("Lena")
    listed = rows(browser_of(amara), "people")
    assert sorted(row[:2] for row in listed) == [
        ["Amara Example", "amara@club.example"],
        ["Lena Example", "lena@club.example"],
    ]


def test_personal_teams_are_hidden_and_of_others_always(amara):
    team_of(person("Lena"), "Falcons")
    browser = browser_of(amara)
    assert [row[0] for row in rows(browser, "teams")] == ["Falcons"]
    assert sorted(row[:3] for row in rows(browser, "teams", "&personal=yes")) == [
        ["Default", "Own stats", "Amara Example"],
        ["Falcons", "Team", "Lena Example"],
    ]


def test_games_are_listed_without_those_that_people_keep_for_themselves(amara):
    lena = person("Lena")
    shared = team_of(lena, "Falcons")
    own = team_of(lena, "Monday League", team_type="PERSONAL")
    for team in (shared, own):
        game = Game.about(
            new_id(), team_id=team.id, opponent_name="Owls", is_home=True, status="FINAL", team_score=7
        )
        repository.games.create(game, actor=lena.actor)
    listed = rows(browser_of(amara), "games")
    assert [(row[0], row[1], row[3], row[4]) for row in listed] == [("Falcons", "Owls", "Final", "7:0")]


def test_a_list_goes_on_where_its_first_page_ends(amara):
    lena = person("Lena")
    for number in range(21):
        team_of(lena, f"Team {number}")
    browser = browser_of(amara)
    first = browser.get("/tracker/all/teams/")
    assert ("Team 20" in first.text, "Team 0<" in first.text) == (True, False)
    after = first.context["next_address"]
    second = browser.get(f"/tracker/all/teams/{after}")
    assert ("Team 20" in second.text, "Team 0<" in second.text) == (False, True)
    assert browser.get("/tracker/all/teams/?after=forged").status_code == 400
    assert len(rows(browser, "teams")) == 21


def test_a_workbook_has_the_same_rows(amara):
    team_of(person("Lena"), "Falcons")
    answer = browser_of(amara).get("/tracker/all/teams/?as=xlsx")
    with ZipFile(BytesIO(b"".join(answer.streaming_content))) as workbook:
        assert b"Falcons" in b"".join(workbook.read(name) for name in workbook.namelist())


def test_a_list_costs_two_requests_and_one_for_the_names(amara):
    lena = person("Lena")
    team = team_of(lena)
    repository.games.create(Game.about(new_id(), team_id=team.id), actor=lena.actor)
    browser = browser_of(amara)
    assert {name: requests(browser, name) for name in LISTS} == {"people": 2, "teams": 3, "games": 3}


def requests(browser, name):
    with metered() as meter:
        browser.get(f"/tracker/all/{name}/")
    return meter.requests
