"""The figures of a team: one page, four requests."""

import csv
import io
from zipfile import ZipFile

import pytest

from core.dynamo.metering import metered
from tests.tracker import club, season
from tracker.rules.batting import figure_text, line_of

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def address(team):
    return f"/tracker/teams/{team.id}/statistics/"


def table(browser, address):
    """The file of the same figures, by the name of the player."""
    text = b"".join(browser.get(address).streaming_content).decode("utf-8-sig")
    return {row["Player"]: row for row in csv.DictReader(io.StringIO(text))}


def names(page):
    """The players in the order of the table."""
    body = page.text.partition("<tbody>")[2].partition("</tbody>")[0]
    return [part.partition("</a>")[0].rpartition(">")[2] for part in body.split('scope="row"')[1:]]


def test_a_season_of_sixty_games_is_read_in_four_requests(owner, team, address):
    spring = season.season_of(team, actor=owner)
    players, results, _boxes = season.whole_season(team, spring, actor=owner)
    browser = club.browser_of(owner)
    with metered() as spent:
        page = browser.get(f"{address}?season={spring.id}")
    assert (page.status_code, spent.requests) == (200, 4)
    found = table(browser, f"{address}?season={spring.id}&as=csv")
    for player in players:
        line = line_of(results[player.id])
        row = found[player.name]
        assert int(row["PA"]) == line.plate_appearances == len(results[player.id])
        assert [int(row[title]) for title in ("AB", "H", "TB", "SO", "FC", "ROE", "CI")] == [
            line.at_bats,
            line.hits,
            line.total_bases,
            line.strikeouts,
            line.fielders_choices,
            line.errors,
            line.interferences,
        ]
        assert float(row["AVG"]) == float(figure_text(line.average))
        assert figure_text(line.on_base_plus_slugging) in page.text
    assert int(found["Team"]["PA"]) == 2400


def test_a_season_shows_its_own_games_and_all_games_are_one_choice_more(owner, team, address):
    ada = club.ghost(team, "Ada", actor=owner)
    spring, autumn = (season.season_of(team, name, actor=owner) for name in ("Spring", "Autumn"))
    season.played(team, [ada], ["1B"], actor=owner, season_id=spring.id)
    season.played(team, [ada], ["K", "K"], actor=owner, season_id=autumn.id)
    season.played(team, [ada], ["HR"], actor=owner)
    browser = club.browser_of(owner)
    # Unasked, the season whose record the page of the team shows.
    asked = {spring.id: "1.0", autumn.id: "0.0", "-": "1.0", "all": "0.5", "": "0.0"}
    for choice, average in asked.items():
        assert table(browser, f"{address}?season={choice}&as=csv")["Ada"]["AVG"] == average


def test_without_a_choice_it_is_the_season_in_which_we_are(owner, team, address):
    ada = club.ghost(team, "Ada", actor=owner)
    season.season_of(team, "Over", actor=owner, ends_on=season.OPENING_DAY.date())
    now = season.season_of(team, "Now", actor=owner, starts_on=season.OPENING_DAY.date())
    season.played(team, [ada], ["1B", "K"], actor=owner, season_id=now.id)
    season.played(team, [ada], ["K"], actor=owner)
    assert table(club.browser_of(owner), f"{address}?as=csv")["Ada"]["AVG"] == "0.5"


def test_every_column_sorts_both_ways_and_few_plate_appearances_are_left_out(owner, team, address):
    ada, bea, cem = (club.ghost(team, name, actor=owner) for name in ("Ada", "Bea", "Cem"))
    season.played(team, [ada, bea, cem], ["HR", "1B", "K", "K", "1B"], actor=owner)
    browser = club.browser_of(owner)
    assert names(browser.get(address)) == ["Bea", "Ada", "Cem"]
    assert names(browser.get(f"{address}?sort=avg")) == ["Cem", "Ada", "Bea"]
    assert names(browser.get(f"{address}?sort=-hr")) == ["Ada", "Bea", "Cem"]
    few = browser.get(f"{address}?least=2")
    assert names(few) == ["Bea", "Ada"]
    assert "1 player with fewer than 2 plate appearances is hidden." in few.text
    assert names(browser.get(f"{address}?sort=nonsense&least=-1&season=nonsense")) == ["Bea", "Ada", "Cem"]


def test_who_only_ran_or_fielded_has_a_game_and_a_row(owner, team, address):
    ada, bea, cem, rae, zoe, yan = (
        club.ghost(team, name, actor=owner) for name in ("Ada", "Bea", "Cem", "Rae", "Zoe", "Yan")
    )
    caught = ("1B", {"runners": [{"from": 1, "out": True, "playerId": rae.id}, {"from": 0, "to": 1}]})
    came = [
        {"battingOrder": 3, "playerId": zoe.id, "after": 1},
        # Waits for a play that was taken back.
        {"battingOrder": 3, "playerId": yan.id, "after": 9},
    ]
    season.played(team, [ada, bea, cem], ["1B", caught], actor=owner, substitutions=came)
    found = table(club.browser_of(owner), f"{address}?as=csv")
    assert {name: (row["G"], row["PA"], row["H"]) for name, row in found.items()} == {
        "Ada": ("1", "1", "1"),
        "Bea": ("1", "1", "1"),
        "Cem": ("1", "0", "0"),
        "Rae": ("1", "0", "0"),
        "Zoe": ("1", "0", "0"),
        "Team": ("1", "2", "2"),
    }


def test_a_line_up_of_a_game_that_nobody_wrote_down_is_no_game_played(owner, team, address):
    ada = club.ghost(team, "Ada", actor=owner)
    season.played(team, [ada], [], actor=owner, team_score=3)
    assert table(club.browser_of(owner), f"{address}?as=csv") == {}


def test_the_record_leaves_ties_out_of_the_share(owner, team, address):
    ada = club.ghost(team, "Ada", actor=owner)
    for against in (0, 1, 3, 0):
        season.played(team, [ada], ["HR"], actor=owner, opponent_score=against)
    page = club.browser_of(owner).get(address).text
    assert "2-1-1" in page
    assert ".667" in page


def test_files_hold_numbers_and_names_that_are_no_formulas(owner, team, address):
    evil = club.ghost(team, "=1+1", actor=owner)
    season.played(team, [evil], ["BB"], actor=owner, opponent_name="@SUM(A1)", is_home=True)
    browser = club.browser_of(owner)
    row = table(browser, f"{address}?as=csv")["'=1+1"]
    assert (row["AVG"], row["OBP"]) == ("", "1.0")
    games = b"".join(browser.get(f"{address}?list=games&as=csv").streaming_content).decode()
    assert ",'@SUM(A1)," in games
    book = io.BytesIO(b"".join(browser.get(f"{address}?as=xlsx").streaming_content))
    sheet = ZipFile(book).read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet


def test_htmx_gets_the_figures_only(owner, address):
    page = club.browser_of(owner).get(address, headers={"HX-Request": "true"})
    assert "<html" not in page.text
    assert 'id="figures"' in page.text


def test_members_see_it_and_nobody_else(owner, team):
    ada = club.ghost(team, "Ada", actor=owner)
    game = season.played(team, [ada], ["1B"], actor=owner)
    routes = [
        f"/tracker/teams/{team.id}/statistics/",
        f"/tracker/teams/{team.id}/players/{ada.id}/",
        f"/tracker/teams/{team.id}/document.json",
        f"/tracker/games/{game.id}/box/",
        f"/tracker/games/{game.id}/scorecard/",
        f"/tracker/games/{game.id}/document.json",
    ]
    people = club.cast(owner, team) | {"admin": club.person("Admin", groups=("admin",))}
    answers = {
        role: {
            club.browser_of(user).get(f"{route}{end}").status_code
            for route in routes
            for end in ("", "?as=csv")
        }
        for role, user in people.items()
    }
    assert answers == {
        "owner": {200},
        "manager": {200},
        "scorekeeper": {200},
        "player": {200},
        "admin": {200},
        "stranger": {404},
    }
    browser = club.browser_of(owner)
    assert {browser.post(route).status_code for route in routes} == {405}
