"""The next play of a game by the API: based on what was read, stored once, undone and done again."""

import pytest

from core.dynamo.idempotency import IdempotencyRow
from core.dynamo.metering import metered
from tests.api.programs import pointers
from tests.api.tracker.conftest import OWNER
from tests.racing import at_once
from tests.tracker import club
from tests.tracker.scorebook import Played
from tracker import repository
from tracker.games.services import games
from tracker.people import services as people
from tracker.scoring.limits import RECORDING
from tracker.scoring.services import lineup


@pytest.fixture
def played(team):
    return Played(OWNER, team=team)


def address(game, more="/atbats"):
    return f"/api/v1/tracker/games/{game.id}{more}"


def situation(program, game):
    return program.get(address(game, "/situation")).json()


def record(program, game, result, *, key="", **fields):
    """The next play over the situation as it is."""
    shown = situation(program, game)
    sent = {"result": result, "seen": shown["seen"], "situation": shown["situation"]} | fields
    return program.post(address(game), sent, **({"idempotency_key": key} if key else {}))


def test_a_play_has_the_fields_of_the_document(played, scorekeeper):
    told = record(scorekeeper, played, "1B", hitLocation={"x": 0.25, "y": 0.5}, hitType="line_drive")
    assert told.status_code == 201
    assert told.json() == {
        "atBatId": told.json()["atBatId"],
        "gameId": played.id,
        "teamId": played.team.id,
        "playerId": played.batter(1).id,
        "number": 1,
        "result": "1B",
        "inning": 1,
        "outs": 0,
        "battingOrder": 1,
        "hitLocation": {"x": 0.25, "y": 0.5},
        "hitType": "line_drive",
        "rbis": None,
        "runners": None,
        "chargedTo": None,
        "scoredBy": "official-sub",
        **{name: told.json()[name] for name in ("createdAt", "updatedAt", "version")},
    }
    assert told["Location"] == address(played, f"/atbats/{told.json()['atBatId']}")
    got = scorekeeper.get(told["Location"])
    assert (got.json(), got["ETag"]) == (told.json(), told["ETag"])
    assert played.box().pa_count == 1


def test_the_situation_tells_who_bats_and_what_the_next_play_is_based_on(played, player, owner):
    record(owner, played, "2B")
    told = situation(player, played)
    assert told == {
        "gameId": played.id,
        "status": "IN_PROGRESS",
        "seen": 1,
        "situation": told["situation"],
        "inning": 1,
        "outs": 0,
        "bases": {"1": None, "2": played.batter(1).id, "3": None},
        "batter": played.batter(2).id,
        "onDeck": played.batter(3).id,
        "nextPlace": 2,
        "isPlaceEmpty": False,
        "order": [each.id for each in played.players],
        "teamScore": 0,
        "opponentScore": 0,
        "runsByInning": [0],
        "opponentByInning": [],
        "hasEnded": False,
        "last": played.story().at_bats[0].id,
        "redoable": None,
    }


def test_a_play_that_is_sent_again_is_stored_once(played, owner):
    shown = situation(owner, played)
    sent = {"result": "HR", "seen": 0, "situation": shown["situation"]}
    first, again = (owner.post(address(played), sent, idempotency_key="play") for _time in range(2))
    assert (first.status_code, again.status_code, again.json()) == (201, 200, first.json())
    assert first["Location"] == again["Location"]
    assert played.results() == ["HR"]
    other = owner.post(address(played), sent | {"rbis": 2}, idempotency_key="play")
    assert (other.status_code, played.results()) == (422, ["HR"])


def test_a_play_is_found_by_its_key_also_after_a_day(played, owner):
    sent = {"result": "HR", "seen": 0}
    first = owner.post(address(played), sent, idempotency_key="play")
    forget_receipts()
    again = owner.post(address(played), sent, idempotency_key="play")
    assert (again.status_code, again.json()) == (200, first.json())
    assert owner.post(address(played), {"result": "K", "seen": 0}, idempotency_key="play").status_code == 409
    assert played.results() == ["HR"]


def test_a_retry_after_a_day_is_known_whatever_the_situation_is_by_then(played, owner):
    record(owner, played, "1B")
    sent = {"result": "2B", "seen": 1, "runners": [{"from": 1, "to": 4}]}
    first = owner.post(address(played), sent, idempotency_key="play")
    owner.delete(address(played, f"/atbats/{played.story().at_bats[0].id}"))
    forget_receipts()
    again = owner.post(address(played), sent, idempotency_key="play")
    assert (again.status_code, again.json()["atBatId"]) == (200, first.json()["atBatId"])
    assert played.results() == ["2B"]


def forget_receipts():
    for row in IdempotencyRow.scan():
        if row.pk.startswith("IDEM#"):
            row.delete()


def test_a_play_of_many_programs_with_the_same_key_at_the_same_moment_is_stored_once(played, owner):
    sent = {"result": "1B", "seen": 0}
    statuses = at_once(
        lambda _number: owner.post(address(played), sent, idempotency_key="play").status_code, 4
    )
    assert set(statuses) <= {200, 201}
    assert played.results() == ["1B"]


def test_a_play_that_was_taken_back_is_not_stored_again_by_a_retry(played, owner):
    sent = {"result": "HR", "seen": 0}
    made = owner.post(address(played), sent, idempotency_key="play").json()
    owner.post(address(played, "/undo"), {"atBatId": made["atBatId"]})
    assert owner.post(address(played), sent, idempotency_key="play").status_code == 409
    assert played.results() == []


def test_a_play_based_on_an_older_situation_is_refused(played, owner, scorekeeper):
    shown = situation(owner, played)
    record(scorekeeper, played, "1B")
    sent = {"result": "K", "seen": shown["seen"], "situation": shown["situation"]}
    late = owner.post(address(played), sent)
    assert (late.status_code, "Someone else" in late.json()["detail"]) == (409, True)
    # As many plays, but the batter is another one by now.
    shown = situation(owner, played)
    bench = club.ghost(played.team, "Joe", 10, actor=OWNER)
    lineup.substitute(OWNER, played.id, 2, bench.id)
    sent = {"result": "K", "seen": shown["seen"], "situation": shown["situation"]}
    changed = owner.post(address(played), sent)
    told = "Something before this turn has changed"
    assert (changed.status_code, told in changed.json()["detail"]) == (409, True)
    undone = owner.post(address(played), {"result": "K", "seen": 7})
    assert (undone.status_code, "undone" in undone.json()["detail"]) == (409, True)
    assert played.results() == ["1B"]


def test_another_situation_is_told_before_the_fields_that_depend_on_it(played, owner):
    record(owner, played, "2B")
    sent = {"result": "1B", "runners": [{"from": 3, "to": 4}]}
    assert owner.post(address(played), sent | {"seen": 0}).status_code == 409
    assert owner.post(address(played), sent | {"seen": 1}).status_code == 400


def test_of_two_plays_at_the_same_moment_one_is_refused(played, owner, scorekeeper):
    programs = [owner, scorekeeper]
    statuses = at_once(
        lambda number: programs[number].post(address(played), {"result": "K", "seen": 0}).status_code, 2
    )
    assert sorted(statuses) == [201, 409]
    assert played.results() == ["K"]


def test_runners_move_as_is_said_and_else_as_usual(played, owner):
    record(owner, played, "1B"), record(owner, played, "1B")
    runners = [{"from": 2, "to": 4}, {"from": 1, "out": True}]
    made = record(owner, played, "GO", runners=[*runners, {"from": 0, "to": 1}], rbis=0)
    assert made.json()["runners"] == [*runners, {"from": 0, "to": 1}]
    told = situation(owner, played)
    assert (told["outs"], told["teamScore"]) == (1, 1)
    assert told["bases"] == {"1": played.batter(3).id, "2": None, "3": None}
    usual = record(owner, played, "1B").json()
    assert (usual["runners"], situation(owner, played)["bases"]["2"]) == (None, played.batter(3).id)


def test_somebody_runs_for_a_runner(played, owner):
    record(owner, played, "2B")
    bench = club.ghost(played.team, "Joe", 10, actor=OWNER)
    made = record(owner, played, "RUN", runners=[{"from": 2, "playerId": bench.id}])
    assert (made.status_code, made.json()["result"]) == (201, "RUN")
    assert situation(owner, played)["bases"]["2"] == bench.id


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"result": "XX"}, ["/body/result"]),
        ({"result": None}, ["/body/result"]),
        ({"result": "SF"}, ["/body/result"]),
        ({"playerId": "nobody"}, ["/body/playerId"]),
        ({"rbis": 5}, ["/body/rbis"]),
        ({"rbis": 3}, ["/body/rbis"]),
        ({"hitType": "lob"}, ["/body/hitType"]),
        ({"hitLocation": {"x": 2, "y": 0}}, ["/body/hitLocation/x"]),
        ({"hitLocation": {"x": 0.5}}, ["/body/hitLocation/y"]),
        ({"runners": [{"from": 2, "to": 4}]}, ["/body/runners/0"]),
        ({"runners": [{"from": 1, "to": 4}, {"from": 1, "to": 3}]}, ["/body/runners/1"]),
        ({"runners": [{"from": 1}]}, ["/body/runners/0"]),
        ({"runners": [{"from": 1, "to": 2, "out": True}]}, ["/body/runners/0"]),
        ({"runners": [{"from": 0, "to": 1, "playerId": "someone"}]}, ["/body/runners/0/playerId"]),
        ({"runners": [{"from": 1, "to": 0}]}, ["/body/runners/0"]),
        ({"chargedTo": "someone"}, ["/body/chargedTo"]),
        ({"seen": -1}, ["/body/seen"]),
        ({"inning": 3}, ["/body/inning"]),
        ({"scoredBy": "eve"}, ["/body/scoredBy"]),
    ],
)
def test_what_is_wrong_in_a_play_is_named(played, owner, wrong, expected):
    played.record("BB")
    answer = owner.post(address(played), {"result": "1B", "seen": 1} | wrong)
    assert (answer.status_code, pointers(answer)) == (400, expected)
    assert played.results() == ["BB"]


def test_the_seen_plays_have_to_be_named(played, owner):
    answer = owner.post(address(played), {"result": "1B"})
    assert (answer.status_code, pointers(answer)) == (400, ["/body/seen"])


def test_a_half_inning_is_ended_and_an_empty_place_is_an_out(played, owner):
    record(owner, played, "1B")
    answer = record(owner, played, "END", rbis=1)
    assert (answer.status_code, pointers(answer)) == (400, ["/body/rbis"])
    assert record(owner, played, "END").status_code == 201
    assert situation(owner, played)["inning"] == 2
    assert record(owner, played, "EP").status_code == 409


def test_players_and_games_that_are_not_played_record_nothing(played, player, owner, team):
    assert player.post(address(played), {"result": "1B", "seen": 0}).status_code == 403
    games.move(OWNER, played.id, "FINAL", fields={"opponent_score": 0, "team_score": 0})
    answer = owner.post(address(played), {"result": "1B", "seen": 0})
    assert (answer.status_code, "not in progress" in answer.json()["detail"]) == (409, True)


def test_the_last_play_is_undone_and_done_again(played, owner, scorekeeper):
    first, second = (record(owner, played, result).json()["atBatId"] for result in ("1B", "K"))
    undo, redo = address(played, "/undo"), address(played, "/redo")
    assert scorekeeper.post(undo, {"atBatId": first}).status_code == 409
    for _time in range(2):
        told = scorekeeper.post(undo, {"atBatId": second}, idempotency_key="undo")
        assert (told.status_code, told.json()["last"], told.json()["redoable"]) == (200, first, second)
    assert played.results() == ["1B"]
    for _time in range(2):
        told = scorekeeper.post(redo, {"atBatId": second}, idempotency_key="redo")
        assert (told.status_code, told.json()["last"], told.json()["redoable"]) == (200, second, None)
    assert played.results() == ["1B", "K"]
    assert scorekeeper.post(redo, {"atBatId": first}).status_code == 200
    assert scorekeeper.post(redo, {"atBatId": "nothing"}).status_code == 409


def test_the_runs_of_the_opponent_are_entered_by_inning(played, scorekeeper, owner):
    def put(inning, **sent):
        return scorekeeper.put(address(played, f"/opponent/{inning}"), sent)

    assert put(1, runs=2).json()["opponentByInning"] == [2]
    assert put(2, runs=0).json()["opponentScore"] == 2
    assert put(1, runs=3, was=2).json()["opponentByInning"] == [3, 0]
    assert put(1, runs=5, was=2).status_code == 409
    assert put(5, runs=1).status_code == 409
    assert put(2, runs=None, was=0).json()["opponentByInning"] == [3]
    answer = put(2, runs=100)
    assert (answer.status_code, pointers(answer)) == (400, ["/body/runs"])
    assert scorekeeper.put(address(played, "/opponent/first"), {"runs": 1}).status_code == 404


def test_plays_are_listed_in_their_order_with_the_inning_of_the_replay(played, player):
    ids = [played.record(result).id for result in ("K", "K", "K", "1B")]
    listed = player.get(address(played)).json()
    assert [(each["atBatId"], each["inning"], each["outs"]) for each in listed] == [
        (ids[0], 1, 0),
        (ids[1], 1, 1),
        (ids[2], 1, 2),
        (ids[3], 2, 0),
    ]
    first = player.get(address(played, "/atbats?limit=3&fields=result")).json()
    token = first["nextToken"]
    second = player.get(address(played, f"/atbats?limit=3&fields=result&nextToken={token}")).json()
    assert [each["result"] for each in first["items"] + second["items"]] == ["K", "K", "K", "1B"]
    assert (second["nextToken"], second["items"]) == (None, [{"result": "1B"}])


def test_plays_cost_three_requests_however_many_there_are(played, owner):
    """The session, the game with all that is in it, team and membership."""
    for _number in range(12):
        played.record("1B")
    with metered() as meter:
        assert len(owner.get(address(played, "/atbats?limit=100")).json()["items"]) == 12
    assert meter.requests == 3


def test_a_play_costs_six_requests(played, owner):
    """The session, two limits, the game with all that is in it, its surroundings, the transaction."""
    played.record("1B")
    with metered() as meter:
        assert owner.post(address(played), {"result": "K", "seen": 1}).status_code == 201
    assert meter.requests == 6


def test_whoever_records_too_fast_is_told_when_to_come_back(played, owner, monkeypatch):
    monkeypatch.setattr(RECORDING._store, "_default", type(RECORDING._store._default)(2, 60_000))
    answers = [owner.post(address(played), {"result": "K", "seen": seen}) for seen in range(3)]
    assert [each.status_code for each in answers] == [201, 201, 429]
    assert int(answers[-1]["Retry-After"]) > 0


def test_of_a_personal_team_one_records_ones_own_turns(owner):
    people.open_profile(OWNER)
    made = owner.post("/api/v1/tracker/games", {"opponentName": "Rivals"}).json()
    game = repository.games.of(made["gameId"], strong=True)
    owner.post(address(game, "/status"), {"status": "IN_PROGRESS"})
    own = repository.teams.roster(made["teamId"]).players[0]
    told = owner.post(address(game), {"result": "2B", "seen": 0, "runners": [{"from": 0, "to": 4}]})
    assert (told.status_code, told.json()["playerId"]) == (201, own.id)
    wrong = owner.post(address(game), {"result": "2B", "seen": 1, "runners": [{"from": 1, "to": 4}]})
    assert (wrong.status_code, pointers(wrong)) == (400, ["/body/runners/0"])
    nobody = owner.post(address(game), {"result": "2B", "seen": 1, "playerId": "nobody"})
    assert (nobody.status_code, pointers(nobody)) == (400, ["/body/playerId"])
    of_another = owner.post(address(game), {"result": "K", "seen": 1, "chargedTo": own.id})
    assert (of_another.status_code, pointers(of_another)) == (400, ["/body/chargedTo"])
    shown = situation(owner, game)
    assert (shown["seen"], shown["batter"], shown["bases"]) == (1, None, {"1": None, "2": None, "3": None})
