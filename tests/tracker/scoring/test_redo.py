"""Redo: what was undone is written down again, step by step, until something else is recorded."""

import re

import pytest

from core.dynamo.metering import metered
from tests.tracker.club import SCOREKEEPER, ghost, join, person
from tests.tracker.scorebook import Played, once
from tests.tracker.scoring.scoring_page import HTMX, address, signed_in, text, turn
from tracker import repository
from tracker.scoring.rules import Overtaken
from tracker.scoring.services import lineup, scoring


@pytest.fixture
def played(db):
    return Played()


@pytest.fixture
def client(played):
    return signed_in(played.owner)


def undo(played, times=1):
    for _time in range(times):
        scoring.undo(played.owner, played.id, played.story().at_bats[-1].id)


def redo(played, times=1):
    for _time in range(times):
        scoring.redo(played.owner, played.id, played.story().game.undone[-1]["atBatId"])


def test_several_steps_go_back_and_forth_and_every_figure_with_them(played):
    for result in ("1B", "2B", "HR", "K"):
        played.record(result)
    before = played.box()
    numbers = [each.number for each in played.story().at_bats]
    undo(played, 4)
    assert (played.results(), played.box().runs, played.story().game.team_score) == ([], 0, 0)
    redo(played, 2)
    assert played.results() == ["1B", "2B"]
    undo(played)
    redo(played, 3)
    assert (played.results(), played.box().lines) == (["1B", "2B", "HR", "K"], before.lines)
    assert ([each.number for each in played.story().at_bats], played.story().game.undone) == (numbers, None)


def test_what_is_recorded_instead_ends_it(played):
    wrong = played.record("1B")
    undo(played)
    played.record("K")
    assert played.story().game.undone is None
    with pytest.raises(Overtaken):
        scoring.redo(played.owner, played.id, wrong.id)
    assert played.results() == ["K"]


def test_an_earlier_play_can_be_corrected_between_undo_and_redo(played):
    first = played.record("1B")
    for result in ("BB", "K"):
        played.record(result)
    undo(played, 2)
    told = {"result": "3B", "player_id": first.player_id}
    scoring.correct(played.owner, played.id, first.id, told, seen_version=first.seen_version)
    redo(played, 2)
    assert played.results() == ["3B", "BB", "K"]
    assert played.box().on_base == 2


def test_it_is_sent_twice_and_done_once_also_when_somebody_else_was_faster(played):
    sam = person("Sam")
    join(sam, played.team, SCOREKEEPER, actor=played.owner)
    one = played.record("1B")
    undo(played)
    sent = once(played.owner, route="POST /redo/")
    for _time in range(2):
        scoring.redo(played.owner, played.id, one.id, once=sent)
    scoring.redo(sam, played.id, one.id)
    assert played.results() == ["1B"]
    undo(played)
    scoring.redo(played.owner, played.id, one.id, once=sent)
    assert played.results() == []


def test_only_the_last_one_that_was_undone_is_next(played):
    first = played.record("1B")
    played.record("K")
    undo(played, 2)
    with pytest.raises(Overtaken):
        scoring.redo(played.owner, played.id, played.story().game.undone[0]["atBatId"])
    redo(played)
    assert [each.id for each in played.story().at_bats] == [first.id]


def test_who_came_in_after_a_play_is_in_again_with_it(played):
    zoe = ghost(played.team, "Zoe", 10, actor=played.owner)
    played.record("1B")
    lineup.substitute(played.owner, played.id, 2, zoe.id)
    undo(played)
    redo(played)
    assert played.record("2B").player_id == zoe.id


def test_one_that_is_brought_back_otherwise_is_no_longer_to_be_redone(played):
    one = played.record("1B")
    undo(played)
    scoring.restore(played.owner, played.id, one.id)
    assert (played.results(), played.story().game.undone) == (["1B"], None)


def test_the_screen_has_a_button_for_it_and_no_toast(played, client):
    played.record("1B")
    played.record("HR")
    assert 'id="redo"' not in text(client.get(address(played)))
    for _time in range(2):
        last = played.story().at_bats[-1].id
        page = client.post(address(played, "undo"), {"at_bat": last}, headers=HTMX)
        assert "HX-Trigger" not in page.headers
    assert "<span>Redo: Single, #1 Ada</span>" in text(page)
    for label in ("Redo: Single, #1 Ada", "Redo: Home run, #2 Bea"):
        assert label in text(page)
        at_bat = re.search(r'id="redo-form".*?name="at_bat" value="([^"]+)"', text(page))[1]
        page = client.post(address(played, "redo"), {"at_bat": at_bat}, headers=HTMX)
    assert ('id="redo"' in text(page), played.results()) == (False, ["1B", "HR"])


def test_without_scripts_it_leads_back_to_the_screen(played, client):
    one = played.record("1B")
    undo(played)
    assert client.get(address(played, "redo"))["Location"] == address(played)
    assert client.post(address(played, "redo"), {"at_bat": one.id})["Location"] == address(played)
    assert played.results() == ["1B"]


def test_recording_after_undo_is_still_one_transaction(played, client):
    played.record("1B")
    undo(played)
    sent = turn(played, "2B")
    with metered() as usage:
        client.post(address(played, "record"), sent)
    assert (usage.requests, played.results()) == (5, ["2B"])


def test_who_may_not_score_redoes_nothing(played):
    one = played.record("1B")
    undo(played)
    assert signed_in(person("Eve")).post(address(played, "redo"), {"at_bat": one.id}).status_code == 404
    assert played.results() == []


def test_the_count_of_the_player_follows(played):
    played.record("1B")
    for expected, step in ((0, undo), (1, redo), (0, undo)):
        step(played)
        assert (
            int(repository.players.of(played.team.id, played.batter(1).id, strong=True).at_bats or 0)
            == expected
        )
