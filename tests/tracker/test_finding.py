"""Ctrl+K finds somebody's own teams and who plays for them, and nothing of other teams."""

import pytest

from dynamo.metering import metered
from tests.tracker.club import browser_of, ghost, person, team_of
from tracker.services import teams

pytestmark = pytest.mark.usefixtures("db")


def found(user, text):
    page = browser_of(user).get("/search", {"q": text})
    return [
        (str(hit.title), str(hit.kind), hit.address)
        for group in page.context["groups"]
        if group.id == "records"
        for hit in group.hits
    ]


def test_teams_and_players_are_found_by_the_beginning_of_their_words(lena):
    team = team_of(lena, "Feldkamp Falcons")
    ada = ghost(team, "Ada", 7, actor=lena, last_name="Løvelace")
    assert found(lena, "falc") == [("Feldkamp Falcons", "Softball team", f"/tracker/teams/{team.id}/")]
    address = f"/tracker/teams/{team.id}/players/{ada.id}/"
    assert found(lena, "love ad") == [("Ada Løvelace", "Feldkamp Falcons", address)]


def test_what_is_in_other_teams_is_not_found(lena):
    team = team_of(lena, "Feldkamp Falcons")
    ghost(team, "Ada", actor=lena)
    assert [found(person("Noor"), text) for text in ("falcons", "ada")] == [[], []]
    assert found(person("Amara", groups=["admin"]), "ada") == []


def test_what_is_in_a_deleted_team_is_not_found(lena):
    team = team_of(lena, "Feldkamp Falcons")
    ghost(team, "Ada", actor=lena)
    teams.delete(lena, team.id, seen_version=team.version)
    assert [found(lena, text) for text in ("falcons", "ada")] == [[], []]


def test_it_costs_two_requests_and_one_for_each_team_with_others(lena):
    browser = browser_of(lena)
    before = requests(browser)
    team_of(lena, "Falcons")
    team_of(lena, "Owls")
    team_of(lena, "Monday League", team_type="PERSONAL")
    assert requests(browser) == before + 2


def requests(browser):
    with metered() as meter:
        browser.get("/search", {"q": "zz"})
    return meter.requests
