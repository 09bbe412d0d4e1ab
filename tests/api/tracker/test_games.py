"""Games by the API: plan, list, change, delete, their states, and who is coming."""

from datetime import timedelta

import pytest

from core.dynamo import metering
from core.dynamo.attributes import to_iso
from tests.api.programs import Program, pointers
from tests.api.tracker.conftest import OWNER
from tests.racing import at_once
from tests.tracker import club
from tests.tracker.scorebook import Played
from tests.tracker.season import OPENING_DAY, season_of
from tracker import repository
from tracker.games.services import games
from tracker.people import services as people

GAMES = "/api/v1/tracker/games"
START = "2026-05-09T13:00:00.000Z"


def of_team(team, more=""):
    return f"/api/v1/tracker/teams/{team.id}/games{more}"


def address(game, more=""):
    return f"{GAMES}/{game.id}{more}"


def planned(team, **fields):
    return games.create(OWNER, team.id, {"opponent_name": "Rivertown Rockets", **fields})


def test_a_game_is_planned_once_however_often_it_is_sent(team, scorekeeper):
    season = season_of(team, actor=OWNER)
    sent = {
        "teamId": team.id,
        "scheduledStart": "2026-05-09T15:00:00+02:00",
        "opponentName": "Rivertown Rockets",
        "location": "Field 3",
        "seasonId": season.id,
        "isHome": True,
    }
    first, again = (scorekeeper.post(GAMES, sent, idempotency_key="game") for _time in range(2))
    told = first.json()
    assert (first.status_code, again.status_code, again.json()) == (201, 200, told)
    assert told == sent | {
        "gameId": told["gameId"],
        "status": "SCHEDULED",
        "scheduledStart": START,
        "teamScore": 0,
        "opponentScore": 0,
        "opponentByInning": [],
        "lineup": [],
        "substitutions": [],
        "rules": None,
        "startedAt": None,
        "forfeitedTo": None,
        **{name: told[name] for name in ("createdAt", "updatedAt", "version")},
    }
    assert first["Location"] == f"{GAMES}/{told['gameId']}"
    got = scorekeeper.get(first["Location"])
    assert (got.json(), got["ETag"]) == (told, f'"{told["version"]}"')
    assert scorekeeper.get(first["Location"], if_none_match=got["ETag"]).status_code == 304
    assert scorekeeper.get(first["Location"] + "?fields=status,isHome").json() == {
        "status": "SCHEDULED",
        "isHome": True,
    }


def test_without_a_team_it_is_a_game_of_ones_own(owner):
    people.open_profile(OWNER)
    made = owner.post(GAMES, {"opponentName": "Rivals"})
    (own,) = owner.get("/api/v1/tracker/teams").json()
    assert (made.status_code, made.json()["teamId"], own["name"]) == (201, own["teamId"], "Default")


def test_whoever_has_no_team_of_that_name_is_told_to_name_one(program):
    answer = program("guest").post(GAMES, {"opponentName": "Rivals"})
    assert (answer.status_code, pointers(answer)) == (400, ["/body/teamId"])


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"scheduledStart": "tomorrow"}, "/body/scheduledStart"),
        ({"scheduledStart": "2026-05-09T15:00:00"}, "/body/scheduledStart"),
        ({"scheduledStart": "9999-12-31T23:59:59Z"}, "/body/scheduledStart"),
        ({"opponentName": "x" * 101}, "/body/opponentName"),
        ({"location": 7}, "/body/location"),
        ({"seasonId": "another"}, "/body/seasonId"),
        ({"status": "FINAL"}, "/body/status"),
        ({"lineup": []}, "/body/lineup"),
        ({"shareToken": "mine"}, "/body/shareToken"),
    ],
)
def test_what_is_wrong_in_a_game_is_named(team, owner, wrong, pointer):
    answer = owner.post(GAMES, {"teamId": team.id} | wrong)
    assert (answer.status_code, pointers(answer)) == (400, [pointer])
    game = planned(team)
    answer = owner.put(address(game), wrong, if_match=f'"{game.version}"')
    assert (answer.status_code, pointers(answer)) == (400, [pointer])


def test_the_games_of_a_team_are_listed_the_latest_first_those_without_a_date_last(team, player):
    season = season_of(team, actor=OWNER)
    undated = planned(team)
    dated = [planned(team, scheduled_start=OPENING_DAY + timedelta(days=day)) for day in range(3)]
    of_season = planned(team, scheduled_start=OPENING_DAY - timedelta(days=1), season_id=season.id)
    order = [*(game.id for game in reversed(dated)), of_season.id, undated.id]
    listed = player.get(of_team(team)).json()
    assert [each["gameId"] for each in listed] == order
    assert listed[0] == player.get(address(dated[2])).json()
    first = player.get(of_team(team, "?limit=3&fields=gameId")).json()
    second = player.get(of_team(team, f"?limit=3&fields=gameId&nextToken={first['nextToken']}")).json()
    assert first["items"] + second["items"] == [{"gameId": each} for each in order]
    assert [each["gameId"] for each in player.get(of_team(team, f"?seasonId={season.id}")).json()] == [
        of_season.id
    ]
    assert player.get(of_team(team, "?strong=true")).json() == listed


def test_a_list_of_a_hundred_games_costs_three_requests_and_a_strong_one_four(team, player):
    """The session, team and membership, the games; and again from the table."""
    for _number in range(100):
        planned(team)
    for more, requests in (("", 3), ("&fields=gameId", 3), ("&strong=true", 4)):
        with metering.metered() as meter:
            assert len(player.get(of_team(team, f"?limit=100{more}")).json()["items"]) == 100
        assert meter.requests == requests


def test_with_a_token_of_cognito_a_list_of_a_hundred_games_costs_two_requests(team, token_of):
    for _number in range(100):
        planned(team)
    player = Program(token=token_of("other-member"))
    player.get(of_team(team, "?limit=1"))
    with metering.metered() as meter:
        assert len(player.get(of_team(team, "?limit=100")).json()["items"]) == 100
    assert meter.requests == 2


def test_what_is_left_out_of_a_change_stays_and_null_removes(team, scorekeeper):
    game = planned(team, scheduled_start=OPENING_DAY, location="Field 3")
    changed = scorekeeper.put(address(game), {"isHome": True}, if_match=f'"{game.version}"')
    told = changed.json()
    assert (told["isHome"], told["location"]) == (True, "Field 3")
    assert told["scheduledStart"] == to_iso(OPENING_DAY)
    emptied = scorekeeper.put(
        address(game), {"scheduledStart": None, "location": None}, if_match=changed["ETag"]
    ).json()
    assert (emptied["scheduledStart"], emptied["location"]) == (None, None)
    assert emptied["opponentName"] == "Rivertown Rockets"
    late = scorekeeper.put(address(game), {"location": "Field 4"}, if_match=changed["ETag"])
    assert late.status_code == 412
    assert scorekeeper.put(address(game), {"location": "Field 4"}).status_code == 428


def test_a_game_can_be_sent_back_as_it_was_read_and_scores_are_not_made_up(team, owner):
    game = planned(team)
    told = owner.get(address(game)).json()
    sent = {name: told[name] for name in ("opponentName", "location", "teamScore", "opponentScore", "isHome")}
    assert owner.put(address(game), sent, if_match=f'"{game.version}"').json() == told
    answer = owner.put(address(game), {"teamScore": 7}, if_match=f'"{game.version}"')
    assert (answer.status_code, pointers(answer)) == (400, ["/body/teamScore"])


def test_of_two_changes_of_a_game_at_the_same_moment_one_is_refused(team, owner, manager):
    game, programs = planned(team), [owner, manager]
    statuses = at_once(
        lambda number: (
            programs[number]
            .put(address(game), {"location": f"Field {number}"}, if_match=f'"{game.version}"')
            .status_code
        ),
        2,
    )
    assert sorted(statuses) == [200, 412]


def test_players_read_games_and_change_none(team, player):
    game = planned(team)
    assert player.get(address(game)).status_code == 200
    for refused in (
        player.post(GAMES, {"teamId": team.id}),
        player.put(address(game), {"location": "Field 4"}, if_match=f'"{game.version}"'),
        player.delete(address(game)),
        player.post(address(game, "/status"), {"status": "POSTPONED"}),
        player.post(address(game, "/forfeit"), {"winner": "own"}),
        player.put(address(game, "/share"), {"shared": True}),
    ):
        assert refused.status_code == 403


def test_a_game_is_deleted_and_restored(team, owner):
    game = planned(team)
    assert owner.delete(address(game), if_match='"1"').status_code == 412
    assert owner.delete(address(game), if_match=f'"{game.version}"').status_code == 204
    assert owner.get(address(game)).status_code == 404
    assert owner.delete(address(game)).status_code == 404
    for _time in range(2):
        back = owner.post(address(game, "/restore"), idempotency_key="back")
        assert (back.status_code, back.json()["opponentName"]) == (200, "Rivertown Rockets")
    assert owner.post(address(game, "/restore")).status_code == 404


def test_a_game_with_plays_is_deleted_only_if_that_is_confirmed(team, owner):
    played = Played(OWNER, team=team)
    played.record("1B")
    assert owner.delete(address(played)).status_code == 409
    assert owner.delete(address(played, "?confirmed=true")).status_code == 204
    assert owner.post(address(played, "/restore")).status_code == 200
    assert played.results() == ["1B"]


# --- States -------------------------------------------------------------------------------------------------


def test_a_game_goes_through_its_states(team, players, scorekeeper):
    game = planned(team)

    def move(status, **more):
        return scorekeeper.post(address(game, "/status"), {"status": status, **more})

    without_lineup = move("IN_PROGRESS")
    assert (without_lineup.status_code, "line-up" in without_lineup.json()["detail"]) == (409, True)
    assert move("POSTPONED").json()["status"] == "POSTPONED"
    undated = move("SCHEDULED")
    assert (undated.status_code, pointers(undated)) == (400, ["/body/scheduledStart"])
    told = move("SCHEDULED", scheduledStart="2026-05-16T13:00:00Z").json()
    assert (told["status"], told["scheduledStart"]) == ("SCHEDULED", "2026-05-16T13:00:00.000Z")
    scoreless = move("FINAL")
    assert (scoreless.status_code, pointers(scoreless)) == (
        400,
        ["/body/teamScore", "/body/opponentScore"],
    )
    told = move("FINAL", teamScore=7, opponentScore=3).json()
    assert (told["status"], told["teamScore"], told["opponentScore"]) == ("FINAL", 7, 3)
    assert move("POSTPONED").status_code == 409
    assert move("IN_PROGRESS").status_code == 403
    assert move("OVER").status_code == 400


def test_a_step_that_is_sent_again_is_answered_and_not_taken_again(team, owner):
    game = planned(team)
    for _time in range(2):
        told = owner.post(address(game, "/status"), {"status": "POSTPONED"}, idempotency_key="step")
        assert (told.status_code, told.json()["status"]) == (200, "POSTPONED")
    assert told.json()["version"] == game.version + 1


def test_one_game_of_a_team_is_played_at_a_time(team, owner):
    Played(OWNER, team=team)
    game = planned(team)
    players = repository.teams.roster(team.id).players[:9]
    repository.games.update(game, {"lineup": club.batting_order(players)}, actor=OWNER.actor)
    answer = owner.post(address(game, "/status"), {"status": "IN_PROGRESS"})
    assert (answer.status_code, "Another game" in answer.json()["detail"]) == (409, True)


def test_a_game_is_forfeited_and_open_again(team, owner):
    game = planned(team)
    for _time in range(2):
        told = owner.post(address(game, "/forfeit"), {"winner": "own"}, idempotency_key="forfeit").json()
        assert (told["status"], told["forfeitedTo"], told["teamScore"], told["opponentScore"]) == (
            "FINAL",
            "own",
            7,
            0,
        )
    answer = owner.post(address(game, "/forfeit"), {"winner": "nobody"})
    assert (answer.status_code, pointers(answer)) == (400, ["/body/winner"])
    back = owner.post(address(game, "/status"), {"status": "IN_PROGRESS"}).json()
    assert (back["status"], back["forfeitedTo"], back["teamScore"]) == ("SCHEDULED", None, 0)


def test_a_game_is_shared_by_an_address_that_can_be_taken_back(team, owner, client):
    game = planned(team)
    shared = owner.put(address(game, "/share"), {"shared": True}).json()["address"]
    assert owner.put(address(game, "/share"), {"shared": True}).json()["address"] == shared
    assert client.get(shared).status_code == 200
    assert "share" not in str(owner.get(address(game)).json()).lower()
    assert owner.put(address(game, "/share"), {"shared": False}).json() == {"address": None}
    assert client.get(shared).status_code == 404


# --- Who is coming ------------------------------------------------------------------------------------------


def test_people_answer_for_themselves_and_managers_for_ghosts(team, players, owner, player):
    game, own = planned(team), repository.teams.roster(team.id).of_person(OWNER.sub)
    said = owner.put(address(game, f"/answers/{own.id}"), {"answer": "yes", "note": "By car"})
    assert said.json() == {
        "gameId": game.id,
        "teamId": team.id,
        "playerId": own.id,
        "answer": "yes",
        "note": "By car",
        **{name: said.json()[name] for name in ("createdAt", "updatedAt", "version")},
    }
    changed = owner.put(address(game, f"/answers/{own.id}"), {"answer": "maybe"}).json()
    assert (changed["answer"], changed["note"]) == ("maybe", "By car")
    of_ghost = address(game, f"/answers/{players[0].id}")
    assert owner.put(of_ghost, {"answer": "no"}).status_code == 200
    assert player.put(of_ghost, {"answer": "yes"}).status_code == 403
    listed = player.get(address(game, "/answers")).json()
    assert {each["playerId"]: each["answer"] for each in listed} == {own.id: "maybe", players[0].id: "no"}
    assert player.get(address(game, "/answers?limit=1&fields=answer")).json()["items"][0].keys() == {"answer"}


@pytest.mark.parametrize(
    ("wrong", "status"),
    [({"answer": "perhaps"}, 400), ({"answer": "yes", "note": "x" * 201}, 400), ({}, 400)],
)
def test_a_wrong_answer_is_refused(team, players, owner, wrong, status):
    assert owner.put(address(planned(team), f"/answers/{players[0].id}"), wrong).status_code == status


def test_nobody_answers_for_a_player_of_another_team_or_to_a_final_game(team, players, owner):
    game = planned(team)
    other = club.ghost(club.team_of(OWNER, "Others"), "Zoe", actor=OWNER)
    assert owner.put(address(game, f"/answers/{other.id}"), {"answer": "yes"}).status_code == 404
    games.move(OWNER, game.id, "FINAL", fields={"team_score": 1, "opponent_score": 0})
    assert owner.put(address(game, f"/answers/{players[0].id}"), {"answer": "yes"}).status_code == 409
