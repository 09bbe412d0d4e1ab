"""Correcting, taking back and bringing back plate appearances, also after the game."""

import pytest

from core.dynamo import history
from core.dynamo.errors import NotFound
from tests.tracker.club import ghost
from tests.tracker.scorebook import once
from tests.tracker.scoring.scored import at_bats_of, line, substitute
from tracker import repository
from tracker.games.models import FINAL
from tracker.rules import box_scores
from tracker.scoring import game_writing
from tracker.scoring.rules import Changed, Overtaken
from tracker.scoring.services import scoring

pytestmark = pytest.mark.usefixtures("db")


# --- Corrections -------------------------------------------------------------------------------------------


def corrected(played, at_bat, result, **fields):
    told = {"result": result, "player_id": at_bat.player_id, **fields}
    return scoring.correct(played.owner, played.id, at_bat.id, told, seen_version=at_bat.seen_version).at_bat


def test_a_correction_is_possible_after_the_game_and_changes_everything_that_follows(played):
    at_bats = [played.record(result) for result in ("1B", "K", "K", "K")]
    opened = game_writing.allowed(played.owner, played.id, "manage_games")
    game_writing.write(opened, {"status": FINAL}, verb="finish")
    corrected(played, at_bats[1], "HR", rbis=1)
    box, game = played.box(), played.story().game
    assert (box.runs_by_inning, box.putouts, game.team_score) == ([2], 2, 2)
    assert (line(played, 2).home_runs, line(played, 2).runs_batted_in) == (1, 1)
    entries = history.entries("at-bat", repository.at_bats.key_of(at_bats[1]), strong=True).items
    assert [(entry.verb, entry.actor_name) for entry in entries] == [
        ("correct", played.owner.name),
        ("record", played.owner.name),
    ]


def test_all_that_was_told_can_be_corrected_and_taken_away(played):
    played.record("1B")
    at_bat = played.record("1B")
    moves = [{"from": 1, "to": 3}, {"from": 0, "out": True}]
    told = {"hit_location": {"x": 0.1, "y": 0.9}, "hit_type": "bunt", "rbis": 0, "runners": moves}
    fuller = corrected(played, at_bat, "1B", **told)
    assert {name: getattr(fuller, name) for name in told} == told
    assert played.box().putouts == 1
    plain = corrected(played, fuller, "1B")
    assert {name: getattr(plain, name) for name in told} == dict.fromkeys(told)


def test_another_batter_takes_the_count_with_the_figures(played):
    at_bat = played.record("1B")
    told = {"result": "1B", "player_id": played.batter(3).id}
    scoring.correct(played.owner, played.id, at_bat.id, told, seen_version=at_bat.seen_version)
    assert [at_bats_of(played, number) for number in (1, 3)] == [0, 1]
    assert played.record("K").player_id == played.batter(4).id


def test_a_correction_of_something_that_was_corrected_meanwhile_shows_it(played):
    at_bat = played.record("1B")
    newer = corrected(played, at_bat, "2B")
    with pytest.raises(Changed) as told:
        corrected(played, at_bat, "3B")
    assert (told.value.current.result, told.value.current.version) == ("2B", newer.version)


def test_a_correction_that_is_sent_again_is_done_once(played):
    at_bat = played.record("1B")
    told = {"result": "2B", "player_id": at_bat.player_id}
    sent = once(played.owner)
    for _attempt in range(2):
        scoring.correct(played.owner, played.id, at_bat.id, told, seen_version=at_bat.seen_version, once=sent)
    assert len(history.entries("at-bat", repository.at_bats.key_of(at_bat), strong=True).items) == 2


def test_one_that_was_forgotten_stands_between_two_others(played):
    first, second = played.record("1B"), played.record("1B", player=played.batter(3).id)
    told = {"result": "HR", "player_id": played.batter(2).id}
    sent = once(played.owner)
    for _attempt in range(2):
        between = scoring.insert(played.owner, played.id, second.id, told, once=sent).at_bat
    earliest = scoring.insert(played.owner, played.id, first.id, told | {"result": "BB"}).at_bat
    assert played.results() == ["BB", "1B", "HR", "1B"]
    assert 0 < earliest.number < first.number < between.number < second.number
    assert played.story().game.team_score == 3


def test_a_substitution_still_comes_after_the_same_turn_when_one_before_it_was_forgotten(played):
    jon = ghost(played.team, "Jon", 10, actor=played.owner)
    first = played.record("1B")
    played.record("1B")
    substitute(played, 3, jon, after=2)
    scoring.insert(played.owner, played.id, first.id, {"result": "K", "player_id": played.batter(9).id})
    assert played.record("1B").player_id == jon.id
    story = played.story()
    batters = [box_scores.batter_of(story.game, 3, story.at_bats, index) for index in (2, 3)]
    assert batters == [played.batter(3).id, jon.id]


# --- Taking back and bringing back -------------------------------------------------------------------------


def test_undo_goes_back_as_far_as_there_is_something(played):
    results = ("1B", "K", "HR", "GO")
    at_bats = [played.record(result) for result in results]
    for depth, at_bat in enumerate(reversed(at_bats), start=1):
        scoring.undo(played.owner, played.id, at_bat.id)
        assert played.results() == list(results[: 4 - depth])
        played.box()
    assert (played.story().game.team_score, at_bats_of(played, 1)) == (0, 0)


def test_undo_takes_back_what_the_person_saw_and_nothing_else(played):
    seen = played.record("1B")
    newer = played.record("K")
    with pytest.raises(Overtaken) as told:
        scoring.undo(played.owner, played.id, seen.id)
    assert [each.id for each in told.value.current] == [newer.id]
    scoring.undo(played.owner, played.id, newer.id)
    scoring.undo(played.owner, played.id, newer.id)
    assert played.results() == ["1B"]


def test_what_was_taken_back_is_brought_back_to_its_place(played):
    at_bats = [played.record(result) for result in ("1B", "HR", "GO")]
    scoring.remove(played.owner, played.id, at_bats[1].id, seen_version=at_bats[1].seen_version)
    assert (played.results(), played.box().runs) == (["1B", "GO"], 0)
    for _attempt in range(2):
        scoring.restore(played.owner, played.id, at_bats[1].id)
    assert (played.results(), played.box().runs, at_bats_of(played, 2)) == (["1B", "HR", "GO"], 2, 1)


def test_when_its_place_is_taken_it_stands_behind_whoever_has_it(played):
    undone = played.record("HR")
    scoring.undo(played.owner, played.id, undone.id)
    played.record("K", player=played.batter(1).id)
    back = scoring.restore(played.owner, played.id, undone.id).at_bat
    assert (played.results(), back.number) == (["K", "HR"], 2)


def test_what_never_was_cannot_be_brought_back(played):
    with pytest.raises(NotFound):
        scoring.restore(played.owner, played.id, "never")
