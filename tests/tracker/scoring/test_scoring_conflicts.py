"""What the scoring screen answers when somebody else changed the game meanwhile."""

import re

import pytest

from core.dynamo.items import new_id
from tests.tracker.club import SCOREKEEPER, ghost, join, person
from tests.tracker.scoring.scoring_page import HTMX, address, signed_in, text, turn
from tracker.scoring.services import lineup, scoring

pytestmark = pytest.mark.usefixtures("db")


def test_who_comes_second_sees_what_was_recorded_by_whom_and_nothing_is_chosen_for_the_next_batter(played):
    other = person("Sam")
    join(other, played.team, SCOREKEEPER, actor=played.owner)
    sent = turn(played, "2B", hit_type="line_drive", hit_x="0.3", hit_y="0.4")
    played.record("1B")
    answer = signed_in(other).post(address(played, "record"), sent, headers=HTMX)
    shown = text(answer)
    assert answer.status_code == 409
    assert '<strong>Single, #1 Ada</strong> <span class="quiet">recorded by Olga Example</span>' in shown
    assert "You had chosen: Double, #1 Ada." in shown
    assert "If that is the same turn, you are done." in shown
    assert not re.search(r'name="result"[^>]*checked', shown)
    assert '<option value="line_drive" selected>' not in shown
    assert 'value="0.3"' not in shown
    assert 'name="seen" value="1"' in shown
    assert "</span> #2 Bea</h2>" in shown
    assert played.results() == ["1B"]


def form_of(page):
    """What the page sends with the next turn."""
    fields = ("seen", "situation")
    found = {name: re.search(rf'name="{name}" value="([^"]*)"', text(page))[1] for name in fields}
    batter = re.search(r'<select name="player".*?<option value="([^"]*)" selected', text(page))
    return found | {"player": batter[1], "once": new_id()}


def test_when_somebody_came_in_for_the_batter_it_is_said_and_the_next_tap_is_theirs(played, client):
    for result in ("1B", "K", "K", "1B", "1B", "BB"):
        played.record(result)
    kim = ghost(played.team, "Kim", 10, actor=played.owner)
    sent = form_of(client.get(address(played))) | {"result": "2B"}
    assert sent["player"] == played.batter(7).id
    lineup.substitute(played.owner, played.id, 7, kim.id)
    answer = client.post(address(played, "record"), sent, headers=HTMX)
    shown = text(answer)
    assert answer.status_code == 409
    assert f"<strong>#10 Kim</strong> came in for #7 {played.batter(7).name}." in shown
    assert f"You had chosen: Double, #7 {played.batter(7).name}. None of it was recorded." in shown
    assert not re.search(r'name="result"[^>]*checked', shown)
    again = form_of(answer) | {"result": "2B"}
    assert again["player"] == kim.id
    assert client.post(address(played, "record"), again).status_code == 302
    assert played.story().at_bats[-1].player_id == kim.id


def test_what_was_told_of_runners_is_not_stored_when_the_bases_are_no_longer_those(played, client):
    triple = played.record("3B")
    sent = form_of(client.get(address(played))) | {"result": "GO", "runner_3": "4", "hit_type": "bunt"}
    scoring.undo(played.owner, played.id, triple.id)
    played.record("2B")
    answer = client.post(address(played, "record"), sent, headers=HTMX)
    shown = text(answer)
    assert (answer.status_code, played.results()) == (409, ["2B"])
    assert "Something before this turn has changed in the meantime." in shown
    # The batter is the same: what was chosen stays, but not what was told of the runners.
    assert "Your choice is still selected. Record it if it is right." in shown
    assert re.search(r'value="GO"[^>]*checked', shown)
    assert '<option value="bunt" selected>' in shown
    assert client.post(address(played, "record"), form_of(answer) | {"result": "GO"}).status_code == 302


def test_a_correction_that_moves_a_runner_is_noticed_too_and_one_that_does_not_is_in_nobodys_way(
    played, client
):
    first = played.record("1B")
    sent = form_of(client.get(address(played))) | {"result": "1B"}

    def correct(at_bat, result, **fields):
        told = {"result": result, "player_id": at_bat.player_id, **fields}
        seen = at_bat.seen_version
        return scoring.correct(played.owner, played.id, at_bat.id, told, seen_version=seen).at_bat

    second = correct(first, "3B")
    assert client.post(address(played, "record"), sent).status_code == 409
    back = correct(second, "1B")
    correct(back, "1B", hit_type="bunt")
    scoring.set_opponent_runs(played.owner, played.id, 1, 4, seen_runs=None)
    assert client.post(address(played, "record"), sent).status_code == 302
    assert played.results() == ["1B", "1B"]


def test_when_the_play_before_was_taken_back_that_is_said(played, client):
    first = played.record("1B")
    sent = form_of(client.get(address(played))) | {"result": "HR"}
    scoring.undo(played.owner, played.id, first.id)
    answer = client.post(address(played, "record"), sent, headers=HTMX)
    assert (answer.status_code, played.results()) == (409, [])
    assert "Someone else has undone a play in the meantime." in text(answer)
    assert form_of(answer)["player"] == played.batter(1).id


def test_what_is_sent_again_is_answered_as_the_first_whatever_has_changed_since(played, client):
    sent = form_of(client.get(address(played))) | {"result": "1B"}
    kim = ghost(played.team, "Kim", 10, actor=played.owner)
    answers = [client.post(address(played, "record"), sent)]
    lineup.substitute(played.owner, played.id, 1, kim.id)
    played.record("HR")
    answers.append(client.post(address(played, "record"), sent))
    assert [answer.status_code for answer in answers] == [302, 302]
    assert played.results() == ["1B", "HR"]


def test_a_substitution_that_waits_for_what_was_taken_back_is_told_with_the_way_to_make_it_now(
    played, client
):
    first = played.record("2B")
    kim = ghost(played.team, "Kim", 10, actor=played.owner)
    lineup.substitute(played.owner, played.id, 1, kim.id)
    assert 'id="waiting"' not in text(client.get(address(played)))
    answer = client.post(address(played, "undo"), {"at_bat": first.id}, headers=HTMX)
    assert "#10 Kim returns to place 1 when the undone play is recorded again." in text(answer)
    assert "</span> #1 Ada</h2>" in text(answer)


def test_a_page_that_shows_the_newest_is_told_nothing_and_an_older_one_the_news(played, client):
    revision = int(played.box().revision)
    changes = f"{address(played)}changes/?seen="
    assert client.get(f"{changes}{revision}", headers=HTMX).status_code == 204
    played.record("HR")
    news = client.get(f"{changes}{revision}", headers=HTMX)
    assert (news.status_code, "Undo: Home run, #1 Ada" in text(news)) == (200, True)
