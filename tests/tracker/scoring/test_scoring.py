"""Writing down plate appearances: each with the box score in one transaction, none lost, none doubled."""

from datetime import timedelta

import pytest

from core.dynamo import idempotency
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, Invalid
from core.dynamo.idempotency import IdempotencyRow
from core.dynamo.metering import metered
from tests.racing import at_once
from tests.tracker.club import SCOREKEEPER, ghost, join, person
from tests.tracker.scorebook import Played, once
from tests.tracker.scoring.scored import at_bats_of, line, substitute
from tracker import repository
from tracker.games.models import FINAL
from tracker.games.services import games
from tracker.rules import batting, box_scores
from tracker.rules.batting import Line
from tracker.rules.box_scores import lines_in
from tracker.rules.replay import Rules
from tracker.scoring import game_writing, presenters
from tracker.scoring.models import AtBat
from tracker.scoring.rules import NotLive, Overtaken
from tracker.scoring.services import scoring

pytestmark = pytest.mark.usefixtures("db")


# --- Recording ---------------------------------------------------------------------------------------------


def test_a_plate_appearance_comes_with_its_box_score_the_teams_score_and_the_players_count(played):
    played.record("3B")
    at_bat = played.record("1B", hit_location={"x": 0.25, "y": 0.5}, hit_type="line_drive")
    box, game = played.box(), played.story().game
    assert (at_bat.number, at_bat.batting_order, at_bat.inning, at_bat.outs) == (2, 2, 1, 0)
    assert (at_bat.scored_by, at_bat.hit_location, at_bat.hit_type) == (
        played.owner.sub,
        {"x": 0.25, "y": 0.5},
        "line_drive",
    )
    assert (box.pa_count, box.runs, game.team_score) == (2, 1, 1)
    assert (line(played, 1).triples, line(played, 1).runs, line(played, 2).runs_batted_in) == (1, 1, 1)
    assert [at_bats_of(played, number) for number in (1, 2, 3)] == [1, 1, 0]


def test_it_is_two_strong_reads_and_one_transaction(played):
    fields = {"result": "1B", "player_id": played.batter(1).id}
    with metered() as usage:
        scoring.record(played.owner, played.id, fields, seen=0, once=once(played.owner))
    assert usage.requests == 3


def test_the_inning_and_the_outs_are_those_of_the_moment(played):
    at_bats = [played.record(result) for result in ("K", "1B", "DP", "BB")]
    assert [(each.inning, each.outs) for each in at_bats] == [(1, 0), (1, 1), (1, 1), (2, 0)]


@pytest.mark.parametrize("result", batting.RESULTS)
def test_every_result_of_the_list_can_be_recorded(played, result):
    played.record(result)
    assert played.results() == [result]
    assert line(played, 1).plate_appearances == 1


def test_another_result_is_refused(played):
    with pytest.raises(Invalid):
        played.record("SAC")
    assert played.results() == []


def test_who_is_not_in_the_line_up_cannot_bat_and_who_is_may_bat_out_of_turn(played):
    bench = ghost(played.team, "Jon", 10, actor=played.owner)
    with pytest.raises(Invalid):
        played.record("1B", player=bench.id)
    at_bat = played.record("1B", player=played.batter(5).id)
    assert at_bat.batting_order == 5
    assert played.record("1B").player_id == played.batter(6).id


def test_a_substitute_bats_in_the_place_and_stays_when_the_one_before_is_taken_back(played):
    jon = ghost(played.team, "Jon", 10, actor=played.owner)
    first = played.record("1B")
    substitute(played, 2, jon, after=1)
    scoring.undo(played.owner, played.id, first.id)
    played.record("2B")
    at_bat = played.record("BB")
    assert (at_bat.player_id, at_bat.batting_order) == (jon.id, 2)
    with pytest.raises(Invalid):
        played.record("1B", player=played.batter(2).id)


def test_a_strikeout_of_a_substitute_with_two_strikes_belongs_to_the_first_batter(played):
    jon = ghost(played.team, "Jon", 10, actor=played.owner)
    substitute(played, 1, jon, after=0)
    with pytest.raises(Invalid):
        played.record("K", charged_to=played.batter(3).id)
    played.record("K", charged_to=played.batter(1).id)
    assert line(played, 1).strikeouts == 1
    assert lines_in(played.box())[jon.id] == Line()
    counts = [
        repository.players.of(played.team.id, each.id, strong=True).at_bats
        for each in (jon, played.batter(1))
    ]
    assert counts == [1, 1]


def test_only_a_strikeout_is_charged_to_somebody_else(played):
    jon = ghost(played.team, "Jon", 10, actor=played.owner)
    substitute(played, 1, jon, after=0)
    assert played.record("1B", charged_to=played.batter(1).id).charged_to is None


def test_nothing_new_is_recorded_in_a_game_that_is_not_being_played(played):
    opened = game_writing.allowed(played.owner, played.id, "manage_games")
    game_writing.write(opened, {"status": FINAL}, verb="finish")
    with pytest.raises(NotLive):
        played.record("1B")
    assert played.results() == []


# --- Sent again --------------------------------------------------------------------------------------------


def test_a_request_that_is_sent_again_is_stored_once(played):
    sent = once(played.owner)
    first = played.record("HR", once=sent)
    again = played.record("HR", once=sent, seen=0, player=first.player_id)
    assert again.id == first.id
    assert (played.results(), played.story().game.team_score, at_bats_of(played, 1)) == (["HR"], 1, 1)


def test_also_when_its_row_has_expired_and_others_have_gone_on(played, monkeypatch):
    sent = once(played.owner)
    first = played.record("1B", once=sent)
    played.record("K")
    monkeypatch.setattr(IdempotencyRow.expires_at, "default", None)
    later = idempotency.now() + timedelta(days=3)
    monkeypatch.setattr(idempotency, "now", lambda: later)
    assert played.record("1B", once=sent, seen=0, player=first.player_id).id == first.id
    assert played.results() == ["1B", "K"]


def test_one_that_was_taken_back_does_not_come_back_when_its_request_is_sent_again(played):
    sent = once(played.owner)
    first = played.record("1B", once=sent)
    scoring.undo(played.owner, played.id, first.id)
    played.record("1B", once=sent, seen=0, player=first.player_id)
    assert played.results() == []


@pytest.fixture
def days_later(monkeypatch):
    """The rows of all requests so far have expired."""

    def pass_days():
        monkeypatch.setattr(idempotency, "now", lambda: now() + timedelta(days=3))

    return pass_days


def test_also_not_days_later_whoever_sends_it(played, days_later):
    """Nothing but the game itself remembers it by then."""
    first, second = once(played.owner), once(played.owner)
    gone = played.record("HR", once=first)
    scoring.undo(played.owner, played.id, gone.id, once=once(played.owner, route="POST /undo/"))
    days_later()
    played.record("HR", seen=0, player=played.batter(1).id, once=first)
    assert (played.results(), played.box().runs, at_bats_of(played, 1)) == ([], 0, 0)
    assert played.record("K", once=second).result == "K"


def test_one_that_was_forgotten_and_taken_out_again_is_not_put_in_days_later(played, days_later):
    last = played.record("1B")
    told, request = {"result": "K", "player_id": played.batter(9).id}, once(played.owner)
    put_in = scoring.insert(played.owner, played.id, last.id, told, once=request).at_bat
    scoring.remove(played.owner, played.id, put_in.id, seen_version=put_in.seen_version)
    days_later()
    scoring.insert(played.owner, played.id, last.id, told, once=request)
    assert played.results() == ["1B"]


def test_days_later_neither_undo_nor_bringing_back_is_done_a_second_time(played, days_later):
    """Whoever was the last to decide has decided."""
    back, taken = (once(played.owner, route=f"POST /{verb}/") for verb in ("restore", "undo"))
    one = played.record("1B")
    scoring.undo(played.owner, played.id, one.id, once=taken)
    scoring.restore(played.owner, played.id, one.id, once=back)
    days_later()
    scoring.undo(played.owner, played.id, one.id, once=taken)
    assert played.results() == ["1B"]
    one = played.story().at_bats[0]
    scoring.remove(played.owner, played.id, one.id, seen_version=one.seen_version, once=taken)
    assert played.results() == ["1B"]
    scoring.undo(played.owner, played.id, one.id, once=once(played.owner, route="POST /undo/"))
    scoring.restore(played.owner, played.id, one.id, once=back)
    assert (played.results(), at_bats_of(played, 1)) == ([], 0)
    scoring.restore(played.owner, played.id, one.id, once=once(played.owner, route="POST /restore/"))
    assert (played.results(), at_bats_of(played, 1)) == (["1B"], 1)


def test_whoever_changes_the_entry_after_a_lost_answer_is_told_what_was_written_down(played):
    sent = once(played.owner)
    first = played.record("1B", once=sent)
    with pytest.raises(Overtaken) as told:
        played.record("2B", once=sent, seen=0, player=first.player_id)
    assert [each.id for each in told.value.current] == [first.id]
    assert played.results() == ["1B"]


def test_the_key_of_another_person_is_another_request(played):
    other = person("Sam")
    join(other, played.team, SCOREKEEPER, actor=played.owner)
    played.record("1B", once=once(played.owner, "same"))
    played.record("2B", by=other, once=once(other, "same"))
    assert played.results() == ["1B", "2B"]


# --- Two scorekeepers --------------------------------------------------------------------------------------


def test_of_two_scorekeepers_who_record_the_same_turn_the_second_is_told_what_the_first_wrote(played):
    other = person("Sam")
    join(other, played.team, SCOREKEEPER, actor=played.owner)
    mine = played.record("1B")
    with pytest.raises(Overtaken) as told:
        played.record("2B", by=other, seen=0, player=played.batter(1).id)
    assert [(each.id, each.scored_by) for each in told.value.current] == [(mine.id, played.owner.sub)]


def test_twelve_who_record_the_same_turn_at_once_store_one(played):
    fields = {"result": "2B", "player_id": played.batter(1).id}
    answers = at_once(
        lambda _number: scoring.record(played.owner, played.id, fields, seen=0, once=once(played.owner)), 12
    )
    assert [type(answer) for answer in answers].count(Overtaken) == 11
    assert (played.results(), played.box().pa_count, at_bats_of(played, 1)) == (["2B"], 1, 1)


def test_recording_correcting_and_taking_out_at_once_leave_a_box_that_equals_a_replay(played):
    stored = [played.record(result) for result in ("1B", "2B", "K", "BB", "1B", "GO")]

    def work(number):
        at_bat = stored[number % 4]
        if number < 4:
            told = {"result": "HR", "player_id": at_bat.player_id}
            return scoring.correct(played.owner, played.id, at_bat.id, told, seen_version=at_bat.seen_version)
        if number == 4:
            return scoring.remove(played.owner, played.id, stored[4].id, seen_version=stored[4].seen_version)
        if number == 5:
            return scoring.set_opponent_runs(played.owner, played.id, 1, 3, seen_runs=None)
        told = {"result": "1B", "player_id": played.batter(7).id}
        return scoring.record(played.owner, played.id, told, seen=6 if number == 6 else 5)

    answers = at_once(work, 8)
    refused = [answer for answer in answers if isinstance(answer, Exception)]
    assert all(isinstance(each, Conflict) for each in refused)
    kept = played.box()
    assert kept.pa_count == len(played.results())
    assert played.story().game.team_score == kept.runs
    assert sum(at_bats_of(played, number) for number in range(1, 10)) == kept.pa_count


# --- The opponent ------------------------------------------------------------------------------------------


def test_the_opponents_runs_are_written_down_inning_by_inning(played):
    for inning, runs in ((1, 2), (2, 0), (3, 1)):
        scoring.set_opponent_runs(played.owner, played.id, inning, runs, seen_runs=None)
    scoring.set_opponent_runs(played.owner, played.id, 1, 3, seen_runs=2)
    game = played.story().game
    assert (game.opponent_by_inning, game.opponent_score, played.box().opponent_score) == ([3, 0, 1], 4, 4)
    scoring.set_opponent_runs(played.owner, played.id, 3, None, seen_runs=1)
    assert played.story().game.opponent_by_inning == [3, 0]


def test_one_run_that_two_scorekeepers_saw_counts_once_and_another_count_is_refused(played):
    scoring.set_opponent_runs(played.owner, played.id, 1, 1, seen_runs=None)
    for _scorekeeper in range(2):
        scoring.set_opponent_runs(played.owner, played.id, 1, 2, seen_runs=1)
    with pytest.raises(Overtaken):
        scoring.set_opponent_runs(played.owner, played.id, 1, 4, seen_runs=1)
    assert played.story().game.opponent_by_inning == [2]


@pytest.mark.parametrize(("inning", "runs"), [(2, 1), (0, 1), (1, 100), (1, -1)])
def test_runs_that_cannot_be_are_refused(played, inning, runs):
    with pytest.raises(Invalid):
        scoring.set_opponent_runs(played.owner, played.id, inning, runs, seen_runs=None)


# --- Order -------------------------------------------------------------------------------------------------


def test_the_order_of_posting_changes_no_figure():
    results = ["1B", "2B", "K", "BB", "HR", "GO", "E", "FC", "SF"]
    straight = Played(league=Rules(tie_breaker_from=2, home_run_limit=0))
    for result in results:
        straight.record(result)
    other = Played(person("Pia"), league=Rules(tie_breaker_from=2, home_run_limit=0))
    known = {}
    for place in (8, 0, 4, 2, 6, 7, 1, 5, 3):
        told = {"result": results[place], "player_id": other.batter(place + 1).id}
        later = min((each for each in known if each > place), default=None)
        if later is None:
            written = scoring.record(other.owner, other.id, told, seen=len(known))
        else:
            written = scoring.insert(other.owner, other.id, known[later].id, told)
        known[place] = written.at_bat

    def figures(played):
        box = played.box()
        lines = lines_in(box)
        return (
            box.runs_by_inning,
            box.left_on_base,
            box.putouts,
            [lines.get(player.id) for player in played.players],
        )

    assert figures(other) == figures(straight)
    assert isinstance(known[0], AtBat)


def test_the_opponent_scores_only_in_a_game_that_has_begun(played):
    other = games.create(played.owner, played.team.id, {"opponent_name": "Owls"})
    with pytest.raises(NotLive):
        scoring.set_opponent_runs(played.owner, other.id, 1, 5, seen_runs=None)


def test_turns_put_in_at_one_place_never_share_a_number(played):
    played.record("1B")
    last = played.record("K")
    walk = {"result": "BB", "player_id": played.batter(2).id}

    def put_in(times):
        for _time in range(times):
            scoring.insert(played.owner, played.id, last.id, walk)

    with pytest.raises(Invalid, match="Too many turns were inserted here"):
        put_in(60)
    numbers = [each.number for each in played.story().at_bats]
    assert len(numbers) == len(set(numbers)) > 40


def test_a_game_of_seven_innings_leaves_nobody_placed_and_shows_seven_innings():
    played = Played(league=Rules(tie_breaker_from=8))
    for _turn in range(21):
        played.record("K")
    games.move(played.owner, played.id, FINAL, fields={"opponent_score": 3})
    story = played.story()
    box = box_scores.box_of(story.game, story.at_bats)
    assert (box_scores.left_on_base(story.game, box), played.box().left_on_base) == (0, 0)
    assert len(presenters.line_score(story.game, box)) == 7


def test_who_stands_on_base_when_the_game_ends_was_left_there():
    played = Played()
    played.record("1B")
    games.move(played.owner, played.id, FINAL, fields={"opponent_score": 0})
    assert played.box().left_on_base == 1
