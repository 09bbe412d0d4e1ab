"""The page of a player: figures by season, splits, game by game, and where the balls went."""

import csv
import io
from datetime import timedelta

import pytest

from core.dynamo.metering import metered
from tests.tracker import club, season
from tests.tracker.scorebook import Played
from tracker import repository
from tracker.rules import season_rules
from tracker.rules.replay import Rules
from tracker.scoring import game_writing
from tracker.scoring.services import scoring
from tracker.statistics.spray import Ball, zones

pytestmark = pytest.mark.usefixtures("db")


def address_of(player, rest=""):
    return f"/tracker/teams/{player.team_id}/players/{player.id}/{rest}"


def rows(user, address):
    text = b"".join(club.browser_of(user).get(address).streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_figures_are_by_season_and_together(owner, team):
    ada = club.ghost(team, "Ada", 7, actor=owner)
    spring, autumn = (season.season_of(team, name, actor=owner) for name in ("Spring", "Autumn"))
    season.played(team, [ada], ["1B"], actor=owner, season_id=spring.id)
    season.played(team, [ada], ["K", "K", "K"], actor=owner, season_id=autumn.id)
    season.played(team, [ada], ["BB"], actor=owner)
    by_season = {
        row["Season"]: (row["G"], row["AVG"]) for row in rows(owner, address_of(ada, "?list=seasons&as=csv"))
    }
    assert by_season == {
        "Spring": ("1", "1.0"),
        "Autumn": ("1", "0.0"),
        "Without a season": ("1", ""),
        "Total": ("3", "0.25"),
    }
    page = club.browser_of(owner).get(address_of(ada)).text
    assert "#7" in page
    assert ".250" in page
    assert [row["AVG"] for row in rows(owner, address_of(ada, f"?season={spring.id}&as=csv"))] == ["1.0"]


def test_the_page_is_four_requests(owner, team):
    ada = club.ghost(team, "Ada", actor=owner)
    season.played(team, [ada], ["1B"], actor=owner)
    browser = club.browser_of(owner)
    with metered() as spent:
        assert browser.get(address_of(ada)).status_code == 200
    assert spent.requests == 4


def test_games_are_listed_and_split(owner, team):
    ada = club.ghost(team, "Ada", actor=owner)
    for number, results in enumerate((["HR"], ["K"], ["1B", "BB"])):
        season.played(
            team,
            [ada],
            results,
            actor=owner,
            scheduled_start=season.OPENING_DAY + timedelta(days=number),
            is_home=number == 1,
            opponent_score=1,
        )
    log = rows(owner, address_of(ada, "?as=csv"))
    assert [(row["Score"], row["PA"]) for row in log] == [("L 0:1", "2"), ("L 0:1", "1"), ("T 1:1", "1")]
    assert [row["Opponent"] for row in log][:2] == ["at Rivertown Rockets", "Rivertown Rockets"]
    split = {row["Part"]: row["OBP"] for row in rows(owner, address_of(ada, "?list=splits&as=csv"))}
    assert split == {"Away": "1.0", "Home": "0.0", "May 2026": "0.75", "Rivertown Rockets": "0.75"}


def test_a_strikeout_of_a_substitute_with_two_strikes_counts_for_the_first_batter():
    game = Played()
    zoe = club.ghost(game.team, "Zoe", 10, actor=game.owner)
    game_writing.write(
        game_writing.allowed(game.owner, game.id, "manage_games"),
        {"substitutions": [{"battingOrder": 1, "playerId": zoe.id, "after": 0}]},
        verb="substitute",
    )
    ada = game.batter(1)
    game.record("K", charged_to=ada.id)
    game.box()
    assert [(row["PA"], row["SO"]) for row in rows(game.owner, address_of(ada, "?as=csv"))] == [("1", "1")]
    assert [(row["PA"], row["SO"]) for row in rows(game.owner, address_of(zoe, "?as=csv"))] == [("0", "0")]


def test_a_home_run_above_the_limit_counts_as_the_league_says(owner, team):
    ada, bea = club.ghost(team, "Ada", actor=owner), club.ghost(team, "Bea", actor=owner)
    kept = season_rules.stored(Rules(home_run_limit=1))
    season.played(team, [ada, bea], ["HR", "HR"], actor=owner, rules=kept)
    assert [(row["HR"], row["AVG"]) for row in rows(owner, address_of(ada, "?as=csv"))] == [("1", "1.0")]
    assert [(row["HR"], row["AVG"]) for row in rows(owner, address_of(bea, "?as=csv"))] == [("0", "0.0")]


@pytest.mark.parametrize(
    ("x", "y", "zone"),
    [
        (0.5, 0.2, "Center field"),
        (0.15, 0.4, "Left field"),
        (0.85, 0.4, "Right field"),
        (0.5, 0.85, "Infield, middle"),
        (0.3, 0.7, "Infield, left side"),
        (0.7, 0.7, "Infield, right side"),
        (0.5, 0.925, "Infield, middle"),
    ],
)
def test_a_tapped_place_has_a_name(x, y, zone):
    (found,) = zones([Ball(x, y, "1B")])
    assert (str(found.name), found.hits, found.others) == (zone, 1, 0)


def test_where_the_balls_went_is_a_picture_with_a_table(owner, team):
    ada = club.ghost(team, "Ada", actor=owner)
    left, center = {"hit_location": {"x": 0.15, "y": 0.4}}, {"hit_location": {"x": 0.5, "y": 0.2}}
    season.played(team, [ada], [("2B", left), ("FO", left), ("HR", center), "K"], actor=owner)
    page = club.browser_of(owner).get(address_of(ada)).text
    assert page.count('class="spray-hit"') == 2
    assert page.count('class="spray-other"') == 1
    assert 'cx="48.0" cy="128.0"' in page
    assert '<th scope="row">Left field</th><td class="number">1</td><td class="number">1</td>' in page


@pytest.mark.parametrize(
    ("above", "drawn"),
    [
        ("OUT", '<path class="spray-other" d="M160.0 64.0m-5-5 10 10m0-10-10 10"><title>OUT</title></path>'),
        ("1B", '<circle class="spray-hit" cx="160.0" cy="64.0" r="6"><title>1B</title></circle>'),
    ],
)
def test_a_home_run_above_the_limit_is_drawn_as_what_the_rules_made_of_it(owner, team, above, drawn):
    own = repository.teams.roster(team.id).of_person(owner.sub)
    far = ("HR", {"hit_location": {"x": 0.5, "y": 0.2}})
    kept = season_rules.stored(Rules(home_run_limit=1, home_run_above_limit=above))
    season.played(team, [own], ["HR", far], actor=owner, rules=kept)
    for address in (address_of(own), "/tracker/me/statistics/"):
        page = club.browser_of(owner).get(address).text
        assert drawn in page
        assert "<title>HR</title>" not in page
        hits = ("1", "0") if above == "1B" else ("0", "1")
        numbers = "".join(f'<td class="number">{count}</td>' for count in hits)
        assert f'<th scope="row">Center field</th>{numbers}' in page


def test_a_correction_moves_what_is_drawn():
    """Without the first home run the second is within the limit."""
    game = Played(league=Rules(home_run_limit=1))
    first = game.record("HR")
    game.record("HR", hit_location={"x": 0.5, "y": 0.2})
    bea = address_of(game.batter(2))
    assert "<title>OUT</title>" in club.browser_of(game.owner).get(bea).text
    told = {"result": "3B", "player_id": first.player_id}
    scoring.correct(game.owner, game.id, first.id, told, seen_version=first.seen_version)
    game.box()
    assert "<title>HR</title>" in club.browser_of(game.owner).get(bea).text


def test_the_turns_of_a_player_are_a_file(owner, team):
    ada = club.ghost(team, "Ada", actor=owner)
    left = {"hit_location": {"x": 0.15, "y": 0.4}, "hit_type": "line_drive"}
    season.played(team, [ada], [("2B", left), "K"], actor=owner)
    turns = rows(owner, address_of(ada, "?list=turns&as=csv"))
    assert [(row["Opponent"], row["Result"], row["x"], row["y"], row["Kind of ball"]) for row in turns] == [
        ("at Rivertown Rockets", "2B", "0.15", "0.4", "line_drive"),
        ("at Rivertown Rockets", "K", "", "", ""),
    ]
    spring = season.season_of(team, actor=owner)
    assert rows(owner, address_of(ada, f"?list=turns&as=csv&season={spring.id}")) == []
    assert "list=turns" in club.browser_of(owner).get(address_of(ada)).text


def test_who_is_not_on_the_roster_is_not_found(owner, team):
    browser = club.browser_of(owner)
    assert browser.get(f"/tracker/teams/{team.id}/players/nobody/").status_code == 404


def test_the_own_page_is_one_tap_from_the_team(owner, team):
    own = repository.teams.roster(team.id).of_person(owner.sub)
    assert address_of(own) in club.browser_of(owner).get(f"/tracker/teams/{team.id}/statistics/").text
    assert "All my teams" in club.browser_of(owner).get(address_of(own)).text
