"""The page of one play over HTTP: correcting, inserting, taking out and bringing back."""

import re

import pytest

from core.dynamo.items import new_id
from tests.tracker.scoring.scoring_page import HTMX, address, text, turn

pytestmark = pytest.mark.usefixtures("db")


def test_a_play_is_corrected_on_its_page_with_its_history(played, client):
    played.record("3B")
    at_bat = played.record("1B")
    page = client.get(address(played, "", at_bat))
    assert re.search(r'value="1B"[^>]*checked', text(page))
    assert "corrected" not in text(page)
    sent = {"result": "2B", "player": at_bat.player_id, "version": at_bat.seen_version, "rbis": "1"}
    assert client.post(address(played, "", at_bat), sent)["Location"] == address(played)
    stored = played.story().at_bats[1]
    assert (stored.result, stored.rbis) == ("2B", 1)
    history = text(client.get(address(played, "", stored)))
    assert history.count("<strong>Olga Example</strong>") == 2
    again = client.post(address(played, "", at_bat), sent | {"result": "3B"}, headers=HTMX)
    assert again.status_code == 409
    assert "It is now: Double, #2 Bea." in text(again)
    assert re.search(r'value="3B"[^>]*checked', text(again))


@pytest.mark.parametrize(
    ("before", "result", "words"),
    [
        (("3B", "K", "K"), "SF", "A sacrifice needs fewer than two outs"),
        (("3B", "K", "K"), "SH", "A sacrifice needs fewer than two outs"),
        (("1B",), "SF", "a runner who advances"),
        ((), "SH", "a runner who advances"),
        ((), "DP", "A double play puts out two."),
        ((), "FC", "Without a runner there is no fielder"),
    ],
)
def test_a_result_that_cannot_be_is_refused(played, client, before, result, words):
    for each in before:
        played.record(each)
    batter = played.batter(len(before) + 1).id
    sent = {"seen": len(before), "result": result, "player": batter}
    answer = client.post(address(played, "record"), sent)
    assert answer.status_code == 422
    assert words in text(answer)
    assert played.results() == list(before)


def test_no_run_counts_when_the_batter_makes_the_third_out(played, client):
    for each in ("3B", "K", "K"):
        played.record(each)
    sent = {"seen": 3, "result": "GO", "player": played.batter(4).id, "runner_3": "4"}
    answer = client.post(address(played, "record"), sent)
    assert answer.status_code == 422
    assert "No run counts" in text(answer)
    assert played.box().runs == 0


def test_no_run_counts_in_a_double_play_that_ends_the_inning(played, client):
    for each in ("3B", "BB", "K"):
        played.record(each)
    answer = client.post(address(played, "record"), turn(played, "DP", runner_3="4"))
    assert answer.status_code == 422
    assert "No run counts" in text(answer)
    assert played.results() == ["3B", "BB", "K"]
    # What came home before is recorded first.
    client.post(address(played, "record"), turn(played, "RUN", runner_3="4"))
    sent = turn(played, "DP", player=played.batter(4).id)
    assert client.post(address(played, "record"), sent).status_code == 302
    box = played.box()
    assert (box.runs, box.putouts, box.problems) == (1, 3, 0)


def test_no_more_runs_are_batted_in_than_come_home(played, client):
    sent = {"seen": 0, "result": "GO", "player": played.batter(1).id, "rbis": "4"}
    answer = client.post(address(played, "record"), sent)
    assert answer.status_code == 422
    assert "There cannot be more RBI than runs." in text(answer)


def test_ones_own_run_is_batted_in_by_a_home_run_only(played, client):
    answer = client.post(address(played, "record"), turn(played, "1B", runner_0="4", rbis="1"))
    assert answer.status_code == 422
    assert "There cannot be more RBI than runs. Only a home run" in text(answer)
    client.post(address(played, "record"), turn(played, "1B", runner_0="4"))
    client.post(address(played, "record"), turn(played, "HR", rbis="1"))
    lines = played.box().lines
    assert lines[played.batter(1).id] == {"singles": 1, "runs": 1}
    assert lines[played.batter(2).id] == {"home_runs": 1, "runs": 1, "runs_batted_in": 1}


def test_a_forgotten_turn_is_inserted_before_another(played, client):
    at_bat = played.record("1B")
    page = client.get(address(played, "before", at_bat))
    assert "Missed turn" in text(page)
    sent = {"result": "BB", "player": played.batter(9).id, "once": new_id()}
    for _attempt in range(2):
        assert client.post(address(played, "before", at_bat), sent).status_code == 302
    assert played.results() == ["BB", "1B"]


def test_a_play_is_taken_out_and_brought_back(played, client):
    at_bat = played.record("1B")
    sent = {"version": at_bat.seen_version, "once": new_id()}
    assert [client.post(address(played, "remove", at_bat), sent).status_code for _try in range(2)] == [
        302
    ] * 2
    assert played.results() == []
    client.post(address(played, "restore", at_bat))
    assert played.results() == ["1B"]


def test_what_does_not_exist_is_not_found(played, client):
    assert client.get(f"/tracker/games/{played.id}/plays/none/").status_code == 404
    assert client.post(f"/tracker/games/{played.id}/plays/none/restore/").status_code == 404
    assert client.get("/tracker/games/none/score/").status_code == 404
