"""Line-ups and substitutions by the API."""

import pytest

from tests.api.programs import pointers
from tests.api.tracker.conftest import OWNER
from tests.tracker import club
from tests.tracker.scorebook import Played
from tracker.games.services import games


def address(game, more="/lineup"):
    return f"/api/v1/tracker/games/{game.id}{more}"


def planned(team):
    return games.create(OWNER, team.id, {"opponent_name": "Rivertown Rockets"})


def order(players):
    return {
        "lineup": [
            {"playerId": player.id, "battingOrder": place} for place, player in enumerate(players, start=1)
        ]
    }


def test_a_line_up_is_saved_over_the_version_that_was_read(team, players, scorekeeper):
    game = planned(team)
    sent = order(players)
    sent["lineup"][0]["position"] = "SS"
    saved = scorekeeper.put(address(game), sent, if_match=f'"{game.version}"')
    assert saved.status_code == 200
    assert saved.json()["lineup"] == [{"position": "", **entry} for entry in sent["lineup"]]
    assert saved["ETag"] == f'"{game.version + 1}"'
    assert scorekeeper.put(address(game), {"lineup": []}, if_match=f'"{game.version}"').status_code == 412
    assert scorekeeper.put(address(game), {"lineup": []}).status_code == 428
    assert scorekeeper.put(address(game), {"lineup": []}, if_match=saved["ETag"]).json()["lineup"] == []


def test_a_line_up_that_is_sent_again_is_answered_and_not_saved_again(team, players, owner):
    game = planned(team)
    for _time in range(2):
        saved = owner.put(
            address(game), order(players), if_match=f'"{game.version}"', idempotency_key="order"
        )
        assert (saved.status_code, saved.json()["version"]) == (200, game.version + 1)


def test_what_is_wrong_in_a_line_up_is_named(team, players, owner):
    game = planned(team)
    inactive = club.ghost(team, "Joe", actor=OWNER, status="inactive")
    stranger = club.ghost(club.team_of(OWNER, "Others"), "Zoe", actor=OWNER)

    def refused(lineup, **more):
        answer = owner.put(address(game), {"lineup": lineup, **more}, if_match=f'"{game.version}"')
        assert answer.status_code == 400
        return pointers(answer)

    whole = order(players)["lineup"]
    assert refused(whole[:7]) == ["/body/lineup"]
    assert refused([{**whole[0], "battingOrder": 2}, *whole[1:]]) == ["/body/lineup"]
    assert refused([*whole[:8], {**whole[0], "battingOrder": 9}]) == ["/body/lineup/0"]
    assert refused([*whole[:8], {"playerId": inactive.id, "battingOrder": 9}]) == ["/body/lineup/8"]
    assert refused([*whole[:8], {"playerId": stranger.id, "battingOrder": 9}]) == ["/body/lineup/8"]
    assert refused([*whole[:8], {**whole[8], "position": "GK"}]) == ["/body/lineup/8"]
    assert refused([{**whole[0], "bats": "left"}, *whole[1:]]) == ["/body/lineup/0/bats"]
    assert refused(whole, rules={}) == ["/body/rules"]


def test_places_in_which_somebody_has_batted_stay(team, owner):
    played = Played(OWNER, team=team)
    played.record("1B")
    version = owner.get(address(played, ""))["ETag"]
    swapped = [played.batter(2), played.batter(1), *played.players[2:]]
    answer = owner.put(address(played), order(swapped), if_match=version)
    assert (answer.status_code, pointers(answer)) == (400, ["/body/lineup/1"])
    tail = [*played.players[:7], played.batter(9), played.batter(8)]
    assert owner.put(address(played), order(tail), if_match=version).status_code == 200


def test_a_substitute_comes_in_once_however_often_it_is_sent_and_is_taken_back(team, scorekeeper):
    played = Played(OWNER, team=team)
    bench = club.ghost(team, "Joe", 10, actor=OWNER)
    sent = {"battingOrder": 1, "playerId": bench.id}
    for _time in range(2):
        told = scorekeeper.post(address(played, "/substitutions"), sent, idempotency_key="sub")
        assert told.status_code == 200
        assert told.json()["substitutions"] == [{"battingOrder": 1, "playerId": bench.id, "after": 0}]
    back = scorekeeper.delete(address(played, "/substitutions/last"))
    assert (back.status_code, back.json()["substitutions"]) == (200, [])
    assert scorekeeper.delete(address(played, "/substitutions/last")).status_code == 409


def test_a_batter_leaves_without_a_substitute(team, owner):
    played = Played(OWNER, team=team)
    told = owner.post(address(played, "/substitutions"), {"battingOrder": 9, "playerId": None}).json()
    assert told["substitutions"] == [
        {"battingOrder": 9, "playerId": played.batter(9).id, "after": 0, "left": True}
    ]


@pytest.mark.parametrize(
    ("who", "place", "pointer"),
    [
        ("batter", 2, "/body/playerId"),
        ("inactive", 2, "/body/playerId"),
        ("nobody", 2, "/body/playerId"),
        ("bench", 12, "/body/battingOrder"),
    ],
)
def test_what_is_wrong_in_a_substitution_is_named(team, owner, who, place, pointer):
    played = Played(OWNER, team=team)
    ids = {
        "batter": played.batter(1).id,
        "inactive": club.ghost(team, "Joe", actor=OWNER, status="inactive").id,
        "nobody": "nobody",
        "bench": club.ghost(team, "Kim", actor=OWNER).id,
    }
    sent = {"battingOrder": place, "playerId": ids[who]}
    answer = owner.post(address(played, "/substitutions"), sent)
    assert (answer.status_code, pointers(answer)) == (400, [pointer])


def test_substitutions_are_for_a_game_that_is_played_and_not_made_by_players(team, players, owner, player):
    game = planned(team)
    sent = {"battingOrder": 1, "playerId": players[0].id}
    assert owner.post(address(game, "/substitutions"), sent).status_code == 409
    assert player.post(address(game, "/substitutions"), sent).status_code == 403
    assert player.put(address(game), order(players), if_match=f'"{game.version}"').status_code == 403
