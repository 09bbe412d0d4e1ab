"""Corrections of a recorded play by the API: change, insert before, take out, bring back."""

import pytest

from tests.api.programs import pointers
from tests.api.tracker.conftest import OWNER
from tests.racing import at_once
from tests.tracker.scorebook import Played
from tracker.games.services import games


@pytest.fixture
def played(team):
    return Played(OWNER, team=team)


def address(game, at_bat, more=""):
    return f"/api/v1/tracker/games/{game.id}/atbats/{at_bat.id}{more}"


def put(program, game, at_bat, sent, **headers):
    return program.put(address(game, at_bat), sent, **{"if_match": f'"{at_bat.version}"', **headers})


def test_what_is_left_out_of_a_correction_stays_and_null_is_as_usual(played, scorekeeper):
    played.record("1B")
    hit = played.record(
        "2B", rbis=1, hit_type="line_drive", runners=[{"from": 1, "to": 4}, {"from": 0, "to": 2}]
    )
    changed = put(scorekeeper, played, hit, {"hitLocation": {"x": 0.5, "y": 0.125}})
    told = changed.json()
    assert (told["result"], told["rbis"], told["hitType"]) == ("2B", 1, "line_drive")
    assert told["runners"] == [{"from": 1, "to": 4}, {"from": 0, "to": 2}]
    assert told["hitLocation"] == {"x": 0.5, "y": 0.125}
    usual = scorekeeper.put(
        address(played, hit), {"runners": None, "rbis": None, "hitType": None}, if_match=changed["ETag"]
    ).json()
    assert (usual["runners"], usual["rbis"], usual["hitType"]) == (None, None, None)
    assert played.box().runs == 0


def test_another_result_moves_runners_as_is_usual_for_it(played, owner):
    _first, _second, choice = (played.record(result) for result in ("1B", "1B", "FC"))
    assert (choice.runners, played.box().putouts) == (None, 1)
    changed = put(owner, played, choice, {"result": "1B"})
    assert (changed.status_code, changed.json()["runners"]) == (200, None)
    assert (played.box().putouts, played.box().on_base) == (0, 3)


def test_a_play_can_be_sent_back_as_it_was_read(played, owner):
    played.record("1B")
    hit = played.record("2B", runners=[{"from": 1, "to": 4}, {"from": 0, "to": 2}])
    told = owner.get(address(played, hit)).json()
    names = ("result", "playerId", "hitLocation", "hitType", "rbis", "runners", "chargedTo")
    sent = {name: told[name] for name in names}
    assert put(owner, played, hit, sent).json() == told


def test_a_correction_of_an_older_version_is_refused(played, owner, scorekeeper):
    hit = played.record("1B")
    assert put(owner, played, hit, {"result": "E"}).status_code == 200
    assert put(scorekeeper, played, hit, {"result": "K"}).status_code == 412
    assert scorekeeper.put(address(played, hit), {"result": "K"}).status_code == 428
    assert scorekeeper.delete(address(played, hit), if_match=f'"{hit.version}"').status_code == 412
    assert played.results() == ["E"]


def test_of_two_corrections_at_the_same_moment_one_is_refused(played, owner, scorekeeper):
    hit, programs = played.record("1B"), [owner, scorekeeper]
    statuses = at_once(
        lambda number: put(programs[number], played, hit, {"result": ("E", "K")[number]}).status_code, 2
    )
    assert sorted(statuses) == [200, 412]


def test_a_correction_that_is_sent_again_is_answered_and_not_done_again(played, owner):
    hit = played.record("1B")
    first, again = (put(owner, played, hit, {"result": "E"}, idempotency_key="fix") for _time in range(2))
    assert (first.status_code, again.status_code, again.json()) == (200, 200, first.json())
    assert put(owner, played, hit, {"result": "K"}, idempotency_key="fix").status_code == 422


def test_what_is_wrong_in_a_correction_is_named(played, owner):
    hit = played.record("1B")
    for wrong, pointer in (
        ({"result": "SF"}, "/body/result"),
        ({"rbis": 2}, "/body/rbis"),
        ({"playerId": "nobody"}, "/body/playerId"),
        ({"runners": [{"from": 3, "to": 4}]}, "/body/runners/0"),
        ({"inning": 4}, "/body/inning"),
    ):
        answer = put(owner, played, hit, wrong)
        assert (answer.status_code, pointers(answer)) == (400, [pointer])
    assert played.results() == ["1B"]


def test_the_end_of_a_half_inning_has_nothing_to_correct(played, owner):
    played.record("1B")
    assert put(owner, played, played.record("END"), {"result": "K"}).status_code == 409


def test_a_forgotten_play_is_inserted_once_and_everything_after_it_is_counted_again(played, scorekeeper):
    played.record("K"), played.record("K")
    last = played.record("1B", player=played.batter(4).id)
    sent = {"result": "K", "playerId": played.batter(3).id}
    before = address(played, last, "/before")
    first, again = (scorekeeper.post(before, sent, idempotency_key="forgotten") for _time in range(2))
    assert (first.status_code, again.status_code, again.json()) == (201, 200, first.json())
    assert (first.json()["inning"], first.json()["outs"], first.json()["number"]) == (1, 2, 2.5)
    assert played.results() == ["K", "K", "K", "1B"]
    assert scorekeeper.get(address(played, last)).json()["inning"] == 2
    missing = scorekeeper.post(before.replace(last.id, "nothing"), sent)
    assert missing.status_code == 404


def test_a_play_is_taken_out_and_brought_back(played, scorekeeper):
    played.record("1B")
    hit = played.record("HR")
    assert scorekeeper.delete(address(played, hit), if_match=f'"{hit.version}"').status_code == 204
    assert (played.results(), played.box().runs) == (["1B"], 0)
    assert scorekeeper.delete(address(played, hit)).status_code == 404
    assert scorekeeper.get(address(played, hit)).status_code == 404
    for _time in range(2):
        back = scorekeeper.post(address(played, hit, "/restore"), idempotency_key="back")
        assert (back.status_code, back.json()["result"]) == (200, "HR")
    assert (played.results(), played.box().runs) == (["1B", "HR"], 2)


def test_corrections_are_possible_in_a_final_game_and_not_for_players(played, owner, player):
    hit = played.record("1B")
    games.move(OWNER, played.id, "FINAL", fields={"opponent_score": 0})
    for refused in (
        put(player, played, hit, {"result": "E"}),
        player.delete(address(played, hit)),
        player.post(address(played, hit, "/before"), {"result": "K"}),
        player.post(address(played, hit, "/restore")),
    ):
        assert refused.status_code == 403
    assert put(owner, played, hit, {"result": "E"}).status_code == 200
