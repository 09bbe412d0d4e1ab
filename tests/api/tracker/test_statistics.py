"""Statistics by the API: of a game, a team, a player and oneself, as the pages compute them."""

import csv
import io
from datetime import timedelta

import pytest

from core.dynamo.metering import metered
from tests.api.programs import pointers
from tests.api.tracker.conftest import OWNER
from tests.tracker.season import OPENING_DAY, played, season_of
from tracker import repository

TRACKER = "/api/v1/tracker"
# The columns of the files of pages by the keys of the API.
TITLES = {"avg": "AVG", "hr": "HR", "rbi": "RBI", "ops": "OPS", "pa": "PA", "r": "R", "obp": "OBP"}


def table(program, address):
    """The file of a page: rows by their first column."""
    answer = program.client.get(address)
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    return {next(iter(row.values())): row for row in rows}


def as_in_file(figures):
    return {TITLES[key]: "" if figures[key] is None else str(figures[key]) for key in TITLES}


@pytest.fixture
def games(team, players):
    """Two games of a season and one without."""
    season = season_of(team, actor=OWNER)
    return season, [
        played(
            team, players, ["1B", "HR", "K", "K", "K"], actor=OWNER, season_id=season.id, opponent_score=1
        ),
        played(
            team,
            players,
            ["BB", "2B", "K", "K", "K"],
            actor=OWNER,
            season_id=season.id,
            opponent_score=4,
            scheduled_start=OPENING_DAY + timedelta(days=7),
        ),
        played(team, players, ["3B"], actor=OWNER, scheduled_start=OPENING_DAY + timedelta(days=14)),
    ]


def test_the_box_score_of_a_game_is_that_of_its_page(games, team, players, player):
    game = games[1][0]
    told = player.get(f"{TRACKER}/games/{game.id}/box-score").json()
    assert (told["gameId"], told["teamId"], told["status"], told["isHome"]) == (
        game.id,
        team.id,
        "FINAL",
        False,
    )
    assert (told["runs"], told["opponentScore"], told["leftOnBase"], told["putouts"]) == (2, 1, 0, 3)
    assert told["innings"] == [{"inning": 1, "team": 2, "opponent": None}]
    assert [(each["name"], each["battingOrder"], each["isSubstitute"]) for each in told["batting"]][:2] == [
        ("Ada", 1, False),
        ("Bea", 2, False),
    ]
    bea = told["batting"][1]["figures"]
    assert (bea["avg"], bea["hr"], bea["rbi"], bea["r"], bea["slg"]) == (1.0, 1, 2, 1, 4.0)
    assert (told["batting"][8]["figures"]["avg"], told["team"]["h"], told["team"]["so"]) == (None, 2, 3)
    play = told["plays"][1]
    assert play == {
        "atBatId": play["atBatId"],
        "playerId": players[1].id,
        "result": "HR",
        "countedAs": "HR",
        "inning": 1,
        "outsBefore": 0,
        "outs": 0,
        "runs": 2,
        "runsBattedIn": 2,
        "scored": [players[0].id, players[1].id],
    }
    assert (told["problems"], told["figuresStand"]) == ([], True)


def test_what_does_not_fit_in_the_record_is_told(team, players, player):
    game = played(team, players, ["SF"], actor=OWNER)
    (problem,) = player.get(f"{TRACKER}/games/{game.id}/box-score").json()["problems"]
    assert (problem["inning"], "sacrifice" in problem["text"]) == (1, True)


def test_the_figures_of_a_team_in_a_season_are_those_of_its_page(games, team, players, player):
    season = games[0]
    address = f"{TRACKER}/teams/{team.id}/statistics"
    told = player.get(f"{address}?season={season.id}").json()
    assert (told["season"], told["record"], told["games"]) == (
        season.id,
        {"wins": 1, "losses": 1, "ties": 0, "share": 0.5},
        2,
    )
    page = table(player, f"/tracker/teams/{team.id}/statistics/?season={season.id}&as=csv")
    for each in told["players"]:
        row = page[each["name"]]
        assert {name: row[name] for name in TITLES.values()} == as_in_file(each["figures"])
        assert row["G"] == str(each["games"])
    assert {name: page["Team"][name] for name in TITLES.values()} == as_in_file(told["figures"])
    # The highest average first; these two have the same.
    assert {each["playerId"] for each in told["players"][:2]} == {players[0].id, players[1].id}
    assert told["leaders"]["hr"] == [{"rank": 1, "playerId": players[1].id, "value": 1}]


@pytest.mark.parametrize(("season", "count"), [("all", 3), ("-", 1), ("", 2), ("another", 2)])
def test_without_a_season_it_is_the_current_one(games, team, player, season, count):
    told = player.get(f"{TRACKER}/teams/{team.id}/statistics?season={season}").json()
    assert told["games"] == count


def test_players_with_few_plate_appearances_are_left_out_if_wished(games, team, player):
    address = f"{TRACKER}/teams/{team.id}/statistics?season=all"
    assert len(player.get(address).json()["players"]) == 9
    assert len(player.get(f"{address}&least=3").json()["players"]) == 1
    answer = player.get(f"{address}&least=-1")
    assert (answer.status_code, pointers(answer)) == (400, ["/query/least"])


def test_the_figures_of_a_player_are_those_of_the_page(games, team, players, player):
    season, (first, second, third) = games
    address = f"{TRACKER}/teams/{team.id}/players/{players[0].id}/statistics"
    told = player.get(address).json()
    assert [each["gameId"] for each in told["log"]] == [third.id, second.id, first.id]
    assert told["log"][2] == {
        "gameId": first.id,
        "teamId": team.id,
        "seasonId": season.id,
        "status": "FINAL",
        "scheduledStart": "2026-05-02T13:00:00.000Z",
        "opponentName": "Rivertown Rockets",
        "isHome": False,
        "teamScore": 2,
        "opponentScore": 1,
        "figures": told["log"][2]["figures"],
    }
    page = table(player, f"/tracker/teams/{team.id}/players/{players[0].id}/?list=seasons&as=csv")
    assert {name: page["Total"][name] for name in TITLES.values()} == as_in_file(told["figures"])
    assert [(each["seasonId"], each["games"]) for each in told["seasons"]] == [(None, 1), (season.id, 2)]
    assert player.get(f"{address}?season={season.id}").json()["games"] == 2
    assert player.get(address.replace(players[0].id, "nobody")).status_code == 404


def test_ones_own_figures_are_of_all_teams(games, team, players, player):
    repository.players.update(
        repository.players.of(team.id, players[0].id, strong=True),
        {"is_ghost": False, "user_id": "other-member-sub"},
        actor=OWNER.actor,
    )
    address = f"{TRACKER}/users/me/statistics"
    told = player.get(address).json()
    page = table(player, "/tracker/me/statistics/?list=teams&as=csv")
    assert {name: page["Total"][name] for name in TITLES.values()} == as_in_file(told["figures"])
    assert (told["games"], told["figures"]["3b"], told["figures"]["bb"]) == (3, 1, 1)
    assert player.get(f"{address}?of={games[0].id}").json()["games"] == 2
    assert player.get(f"{address}?of={team.id}&from=2026-05-09&to=2026-05-10").json()["games"] == 1
    answer = player.get(f"{address}?from=May")
    assert (answer.status_code, pointers(answer)) == (400, ["/query/from"])


def test_whoever_never_played_has_no_figures(team, player):
    told = player.get(f"{TRACKER}/users/me/statistics").json()
    assert (told["games"], told["log"], told["seasons"], told["figures"]["avg"]) == (0, [], [], None)


def test_statistics_cost_four_requests_however_many_games_there_are(games, team, players, owner):
    """The session, team and membership, the roster, the box scores; of a game its record."""
    for address in (
        f"teams/{team.id}/statistics?season=all",
        f"teams/{team.id}/players/{players[0].id}/statistics",
        f"games/{games[1][0].id}/box-score",
    ):
        with metered() as meter:
            assert owner.get(f"{TRACKER}/{address}").status_code == 200
        assert meter.requests == 4
