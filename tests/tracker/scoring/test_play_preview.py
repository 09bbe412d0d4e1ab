"""Before a play is stored, one line says what will be: made by the rules that store it."""

import random
import re
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.dynamo.metering import metered
from tests.tracker import season
from tests.tracker.club import person
from tests.tracker.scorebook import Played
from tests.tracker.scoring.scoring_page import HTMX, address, signed_in, text, turn
from tracker.games.repository import GameStory
from tracker.rules import box_scores, results
from tracker.scoring import presenters
from tracker.scoring.forms.plays import PlayForm
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.models import AtBat
from tracker.scoring.presenters import Situation
from tracker.scoring.services import scoring

ORDER = [SimpleNamespace(id=f"player {number}") for number in range(1, 10)]
TEAM = SimpleNamespace(id="team")
ENDS = ["", "", "1", "2", "3", "4", "out"]


def opened_after(before):
    """A game with these results, not stored."""
    game, at_bats = season.told(TEAM, ORDER, before, game_id="game", status="IN_PROGRESS")
    return OpenGame(None, GameStory(game, at_bats, []), None)


def form_after(opened, **said):
    at_bats = opened.story.at_bats
    situation = Situation(opened.game, at_bats, len(at_bats))
    return PlayForm(situation, {"player": situation.batter, **said})


def line_after(before, **said):
    opened = opened_after(before)
    form = form_after(opened, **said)
    assert form.is_valid(), form.errors
    return presenters.summary(*scoring.preview(opened, form.fields_of()), str)


@pytest.mark.parametrize(
    ("before", "said", "line"),
    [
        ((), {"result": "1B"}, "Batter → 1st. 0 outs."),
        (("1B",), {"result": "FC"}, "Out: runner from 1st. Batter → 1st. 1 out."),
        (
            ("BB", "BB"),
            {"result": "FC", "runner_2": "out"},
            "Out: runner from 2nd. 1st → 2nd, batter → 1st. 1 out.",
        ),
        (("BB", "BB"), {"result": "DP"}, "Out: runner from 1st, batter. 2nd → 3rd. 2 outs."),
        (("3B", "K"), {"result": "SF"}, "Out: batter. Home: runner from 3rd. 1 RBI. 2 outs."),
        (
            ("3B", "K"),
            {"result": "SF", "ran_3": "player 9"},
            "Out: batter. Home: runner from 3rd. player 9 runs from 3rd. 1 RBI. 2 outs.",
        ),
        (
            ("1B", "K", "K"),
            {"result": "RUN", "runner_1": "out"},
            "Out: runner from 1st. 3 outs. The half-inning is over.",
        ),
        (("K", "K"), {"result": "GO"}, "Out: batter. 3 outs. The half-inning is over."),
        (("1B", "2B"), {"result": "HR"}, "Home: runner from 3rd, runner from 2nd, batter. 3 RBI. 0 outs."),
        (("2B",), {"result": "E", "runner_2": "4"}, "Home: runner from 2nd. Batter → 1st. 0 outs."),
    ],
)
def test_the_line_says_who_is_out_who_comes_home_who_moves_and_how_many_are_out(before, said, line):
    assert line_after(before, **said) == line


@given(
    st.lists(st.sampled_from([*results.AT_BAT]), max_size=14),
    st.sampled_from([*results.WITH_RUNNERS]),
    st.lists(st.sampled_from(ENDS), min_size=4, max_size=4),
    st.sampled_from(["", "0", "1", "2"]),
)
def test_the_line_is_what_the_stored_play_comes_to(before, result, ends, rbis):
    opened = opened_after(before)
    said = {f"runner_{start}": end for start, end in enumerate(ends)} | {"rbis": rbis}
    form = form_after(opened, result=result, **said)
    if not form.is_valid():
        return
    fields = form.fields_of()
    line = presenters.summary(*scoring.preview(opened, fields), str)

    at_bats, game = opened.story.at_bats, opened.game
    written = {"player_id": fields["player_id"], "batting_order": len(before) % 9 + 1, "result": result}
    told = (
        {name: fields[name] for name in ("rbis", "runners")}
        if result != "RUN"
        else {"runners": fields["runners"]}
    )
    at_bat = AtBat.in_game(game, number=len(before) + 1, **written, **told)
    box = box_scores.box_of(game, [*at_bats, AtBat.from_raw_data(at_bat.serialize())])
    assert line == presenters.summary(box.plays[-1], box, str)


@given(st.lists(st.sampled_from([*results.AT_BAT]), max_size=14))
def test_the_line_of_each_result_is_that_of_its_form_or_says_why_it_is_refused(before):
    opened = opened_after(before)
    lines = dict(form_after(opened).summaries())
    on_base = box_scores.box_of(opened.game, opened.story.at_bats).on_base
    assert set(lines) == set(results.WITH_RUNNERS if on_base else results.AT_BAT)
    for result, line in lines.items():
        form = form_after(opened, result=result)
        if form.is_valid():
            assert line == presenters.summary(*scoring.preview(opened, form.fields_of()), str)
        else:
            assert line == next(iter(form.errors.values()))[0]


# --- The scoring screen -------------------------------------------------------------------------------------


@pytest.fixture
def played(db):
    return Played()


@pytest.fixture
def client(played):
    return signed_in(played.owner)


def stored_line(played):
    story = played.story()
    box = box_scores.box_of(story.game, story.at_bats)
    return presenters.summary(box.plays[-1], box, presenters.names_of(played.players))


def summary_in(answer):
    found = re.search(
        r'id="summary"[^>]*><span class="visually-hidden">[^<]*</span>([^<]+)</p>', text(answer)
    )
    return found[1] if found else None


def test_the_page_brings_a_line_for_each_result_that_is_chosen_alone(played, client):
    played.record("BB")
    played.record("BB")
    shown = text(client.get(address(played)))
    assert '<p data-result="FC">Out: runner from 1st. 2nd → 3rd, batter → 1st. 1 out.</p>' in shown
    assert '<p data-result="RUN">Say which runner moved or was put out.</p>' in shown
    assert summary_in(client.get(address(played))) is None


def test_other_choices_are_asked_of_the_server_which_writes_nothing(played, client):
    played.record("1B")
    sent = turn(played, "1B", runner_1="3")
    with metered() as usage:
        answer = client.post(f"{address(played)}preview/", sent, headers=HTMX)
    assert (answer.status_code, usage.requests) == (200, 4)
    assert summary_in(answer) == "1st → 3rd, batter → 1st. 0 outs."
    assert played.results() == ["1B"]
    refused = client.post(f"{address(played)}preview/", sent | {"runner_1": "1"}, headers=HTMX)
    assert summary_in(refused) == "Two runners cannot be on the same base."
    assert 'class="score-summary problem"' in text(refused)


@pytest.mark.parametrize("seed", range(3))
def test_what_was_shown_is_what_is_stored_whatever_is_chosen(played, client, seed):
    chance = random.Random(seed)
    for _turn in range(25):
        page = client.get(address(played)).context
        starts = page["form"].starts
        said = {f"runner_{start}": chance.choice(ENDS) for start in starts if chance.random() < 0.4}
        sent = {
            "result": chance.choice([value for value, _title in page["form"].fields["result"].choices]),
            "player": page["situation"].batter,
            "seen": page["seen"],
            **said,
        }
        line = summary_in(client.post(f"{address(played)}preview/", sent, headers=HTMX))
        answer = client.post(address(played, "record"), sent, headers=HTMX)
        if answer.status_code == 200:
            assert line.replace("&#x27;", "'") == stored_line(played)
        else:
            assert (answer.status_code, line in text(answer)) == (422, True)
    assert len(played.results()) > 5


def test_without_scripts_special_choices_are_confirmed_and_the_usual_two_taps_are_not(played, client):
    assert client.post(address(played, "record"), turn(played, "1B", shown="")).status_code == 302
    sent = turn(played, "1B", runner_1="3", shown="")
    asked = client.post(address(played, "record"), sent)
    assert (asked.status_code, played.results()) == (200, ["1B"])
    assert summary_in(asked) == "1st → 3rd, batter → 1st. 0 outs."
    assert re.search(r'name="runner_1"[^>]*>.*?<option value="3" selected>', text(asked))
    shown = re.search(r'name="shown" value="([^"]*)"', text(asked))[1]
    once = re.search(r'name="once" value="([^"]*)"', text(asked))[1]
    assert client.post(address(played, "record"), sent | {"shown": shown, "once": once}).status_code == 302
    assert (played.results(), stored_line(played)) == (["1B", "1B"], shown)


def test_other_choices_than_those_that_were_confirmed_are_shown_again(played, client):
    played.record("1B")
    sent = turn(played, "1B", runner_1="3", shown="")
    shown = re.search(r'name="shown" value="([^"]*)"', text(client.post(address(played, "record"), sent)))[1]
    again = client.post(address(played, "record"), turn(played, "1B", runner_1="out", shown=shown))
    assert summary_in(again) == "Out: runner from 1st. Batter → 1st. 1 out."
    assert played.results() == ["1B"]


def test_a_correction_says_what_is_stored_and_what_will_be(played, client):
    played.record("1B")
    at_bat = played.record("1B")
    page = client.get(address(played, "", at_bat))
    assert summary_in(page) == "1st → 2nd, batter → 1st. 0 outs."
    sent = {"result": "DP", "player": at_bat.player_id, "version": at_bat.seen_version, "runner_1": "out"}
    preview = client.post(address(played, "preview", at_bat), sent, headers=HTMX)
    assert summary_in(preview) == "Out: runner from 1st, batter. 2 outs."
    asked = client.post(address(played, "", at_bat), sent | {"shown": ""})
    assert (asked.status_code, played.results()) == (200, ["1B", "1B"])
    assert client.post(address(played, "", at_bat), sent | {"shown": summary_in(asked)}).status_code == 302
    assert stored_line(played) == summary_in(asked)


def test_a_forgotten_turn_is_shown_before_it_is_inserted(played, client):
    played.record("1B")
    later = played.record("K")
    sent = {"result": "2B", "player": played.batter(2).id, "runner_1": "4"}
    preview = client.post(address(played, "before/preview", later), sent, headers=HTMX)
    assert summary_in(preview) == "Home: runner from 1st. Batter → 2nd. 1 RBI. 0 outs."


def test_who_may_not_score_sees_no_line(played):
    stranger = signed_in(person("Stranger"))
    played.record("1B")
    at_bat = played.story().at_bats[0]
    for place, of in (("score/preview", None), ("preview", at_bat), ("before/preview", at_bat)):
        assert stranger.post(address(played, place, of), {"result": "1B"}).status_code == 404
