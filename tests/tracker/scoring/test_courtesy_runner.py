"""A courtesy runner comes from the bench, runs for somebody and leaves the batting order as it is."""

import pytest

from tests.tracker.club import ghost, team_of
from tests.tracker.scorebook import Played
from tests.tracker.scoring.scoring_page import HTMX, address, signed_in, text, turn
from tracker import repository
from tracker.items import INACTIVE
from tracker.rules import box_scores
from tracker.rules.box_scores import lines_in
from tracker.scoring.services import scoring


@pytest.fixture
def played(db):
    return Played()


@pytest.fixture
def client(played):
    return signed_in(played.owner)


@pytest.fixture
def zoe(played):
    return ghost(played.team, "Zoe", 10, actor=played.owner)


def at_bats_of(player):
    return int(repository.players.of(player.team_id, player.id, strong=True).at_bats or 0)


def comes_to_run(played, client, player, base=1):
    """Between turns, before the next batter."""
    batter = client.get(address(played)).context["situation"].batter
    sent = turn(played, "RUN", player=batter, **{f"ran_{base}": player.id})
    return client.post(address(played, "record"), sent, headers=HTMX)


def test_the_bench_is_offered_after_those_in_the_game_without_who_no_longer_plays(played, client, zoe):
    gone = ghost(played.team, "Gus", 11, actor=played.owner, status=INACTIVE)
    played.record("1B")
    offered = [value for value, _name in client.get(address(played)).context["form"].fields["ran_1"].choices]
    assert offered.index(zoe.id) > offered.index(played.batter(9).id)
    assert gone.id not in offered
    assert played.batter(1).id not in offered


def test_who_comes_from_the_bench_stands_on_the_base_scores_and_has_a_row(played, client, zoe):
    played.record("1B")
    answer = comes_to_run(played, client, zoe)
    assert answer.status_code == 200
    assert [base.runner for base in answer.context["bases"]] == ["#10 Zoe", "", ""]
    assert "Undo: Runners: 1st: #10 Zoe" in text(answer)
    assert "#10 Zoe runs on 1st" in text(answer)
    played.record("HR")
    lines = lines_in(played.box())
    assert (lines[zoe.id].runs, lines[played.batter(1).id].runs, at_bats_of(zoe)) == (1, 0, 1)
    story = played.story()
    box = box_scores.box_of(story.game, story.at_bats)
    assert (box.imbalance, box.problems, box.team.plate_appearances) == (0, (), 2)


def test_the_batting_order_stays_and_who_was_run_for_bats_again(played, client, zoe):
    played.record("1B")
    comes_to_run(played, client, zoe)
    for _turn in range(8):
        played.record("BB" if len(played.results()) < 4 else "K")
    assert played.record("2B").player_id == played.batter(1).id


def test_undo_takes_the_runner_off_the_base_and_redo_brings_them_back(played, client, zoe):
    played.record("1B")
    comes_to_run(played, client, zoe)
    for step, runner in ((scoring.undo, played.batter(1).id), (scoring.redo, zoe.id)):
        game = played.story().game
        at_bat = game.undone[-1]["atBatId"] if game.undone else played.story().at_bats[-1].id
        step(played.owner, played.id, at_bat)
        story = played.story()
        assert box_scores.box_of(story.game, story.at_bats).on_base == {1: runner}
        assert at_bats_of(zoe) == (runner == zoe.id)


def test_on_a_turn_a_runner_from_the_bench_is_said_with_the_play(played, client, zoe):
    played.record("3B")
    client.post(address(played, "record"), turn(played, "1B", ran_3=zoe.id))
    assert played.box().lines[zoe.id] == {"runs": 1}


def test_nobody_of_another_team_and_nobody_who_does_not_exist_runs(played, client):
    played.record("1B")
    other = ghost(team_of(played.owner, "Others"), "Uli", 5, actor=played.owner)
    for player in (other.id, "nobody", "x" * 65):
        answer = client.post(address(played, "record"), turn(played, "1B", ran_1=player, runner_1="3"))
        assert answer.status_code == 422
    assert played.results() == ["1B"]


def test_one_runner_is_not_on_two_bases(played, client, zoe):
    played.record("1B")
    comes_to_run(played, client, zoe)
    played.record("BB")
    sent = turn(played, "1B", player=played.batter(3).id, ran_1=zoe.id, seen=3)
    answer = client.post(address(played, "record"), sent)
    assert answer.status_code == 422
    assert "Choose someone who is neither batting nor on base." in text(answer)
