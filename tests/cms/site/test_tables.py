"""The tables of all leagues that our teams play in, with as many of the last results as a league is large."""

import re

import pytest

from tests.cast import sign_in
from tests.cms.public import headings, operations, page_of
from tests.cms.sams.server import LEAGUE, NEXT_LEAGUE, OTHERS, OWN, season_of
from tests.cms.sams.test_results import keep_results, keep_team

pytestmark = pytest.mark.usefixtures("db")


def test_each_league_has_its_table_with_our_team_and_its_last_results(client) -> None:
    for league, name, level in [(LEAGUE, "Landesliga", 2), (NEXT_LEAGUE, "Oberliga", 1)]:
        keep_team(league, name)
        keep_results(season_of(league, (OWN, *OTHERS), is_played=True), league=league, name=name, level=level)

    page = page_of(client, "/tables/")

    assert [name for name in headings(page) if "liga" in name] == ["Oberliga", "Landesliga"]
    assert page.count('<tr class="ours">') == 2
    # Eight teams: 8 x 2.3.
    assert page.count('<li class="match">') == 2 * 18
    # A phone shows the tables first: results are folded, and the leagues are listed.
    assert page.count("<details>") == 2
    assert re.findall(r'<a class="chip" href="#league-([^"]*)"', page) == [NEXT_LEAGUE, LEAGUE]


@pytest.mark.parametrize(("teams", "results"), [(2, 2), (3, 6), (4, 9), (5, 11)])
def test_how_many_results_depends_on_how_many_teams_there_are(client, teams: int, results: int) -> None:
    keep_team()
    keep_results(season_of(LEAGUE, (OWN, *OTHERS)[:teams], is_played=True))

    assert page_of(client, "/tables/").count('<li class="match">') == results


def test_without_a_league_it_says_so(client) -> None:
    assert "None of our teams is in a league" in page_of(client, "/tables/")


def test_it_costs_two_requests_however_many_leagues_there_are(client) -> None:
    sign_in(client, "admin")
    costs = []
    for first, last in ((0, 1), (1, 12)):
        for number in range(first, last):
            keep_team(f"league-{number}", f"League {number}")
            keep_results([], league=f"league-{number}", name=f"League {number}")
        costs.append(operations(client, "/tables/"))

    assert costs == [["BatchGetItem", "Query"]] * 2
