"""A half-inning ends before three outs: by the run limit of the season, or as the scorekeeper says."""

import pytest

from core.dynamo.errors import Invalid
from core.dynamo.metering import metered
from tests.tracker.club import browser_of
from tests.tracker.rules.test_replay import appearances
from tests.tracker.scorebook import Played, once
from tests.tracker.scoring.scoring_page import HTMX, address, signed_in, text, turn
from tracker import repository
from tracker.rules import box_scores
from tracker.rules.batting import Line
from tracker.rules.replay import Appearance, Rules, replay
from tracker.rules.runners import FIRST, SECOND
from tracker.scoring.rules import Overtaken
from tracker.scoring.services import scoring

END = "END"


def told(*results, rules=None):
    """END is with the batter who is at bat then."""
    plays, turns = [], 0
    for number, result in enumerate(results, start=1):
        (appearance,) = appearances(*["K"] * turns, result)[-1:]
        plays.append(Appearance(number, appearance.slot, appearance.player, result))
        turns += result != END
    return replay(plays, rules or Rules(), slots=9)


# --- What follows from it -----------------------------------------------------------------------------------


def test_whoever_is_on_base_is_left_there_and_the_batter_leads_off():
    box = told("1B", "K", "BB", END)
    assert (box.inning, box.outs, box.on_base, box.next_slot) == (2, 0, {}, 4)
    assert (box.left_on_base, box.putouts, box.imbalance, box.problems) == (2, 1, 0, ())
    assert (box.team.plate_appearances, len(box.lines)) == (3, 3)
    assert told("1B", "K", "BB", END, "HR").runs_by_inning == (0, 1)


def test_the_tie_breaker_places_who_batted_last():
    assert told("K", "K", END, rules=Rules(tie_breaker_from=2)).on_base == {SECOND: "Bea"}


def test_the_run_limit_ends_the_half_inning_with_the_run_that_reaches_it():
    box = told("HR", "HR", "1B", "K", rules=Rules(run_limit=2))
    assert (box.runs_by_inning, box.inning, box.outs, box.on_base) == ((2, 0), 2, 1, {FIRST: "Cem"})
    assert (box.left_on_base, box.putouts, box.imbalance, box.problems) == (0, 1, 0, ())


def test_runs_above_the_limit_do_not_count_and_are_left_on_base():
    box = told("1B", "1B", "1B", "HR", rules=Rules(run_limit=2))
    assert (box.runs, box.left_on_base, box.putouts, box.imbalance) == (2, 2, 0, 0)
    assert [box.lines[name].runs for name in ("Ada", "Bea", "Cem", "Dov")] == [1, 1, 0, 0]
    assert box.lines["Dov"] == Line(home_runs=1, runs_batted_in=2)
    assert (box.plays[-1].scored, box.problems) == (("Ada", "Bea"), ())


def test_without_a_limit_everybody_scores():
    assert told("1B", "1B", "1B", "HR").runs == 4


def test_a_game_with_ended_half_innings_has_every_figure():
    """Inning 1: 2 runs by the limit. Inning 2: ended with one on. Inning 3: three outs."""
    box = told("2B", "HR", "BB", "1B", END, "K", "GO", "3B", "FO", rules=Rules(run_limit=2))
    assert box.runs_by_inning == (2, 0, 0, 0)
    assert (box.left_on_base, box.putouts, box.next_slot, box.imbalance) == (3, 3, 9, 0)
    assert box.lines == {
        "Ada": Line(doubles=1, runs=1),
        "Bea": Line(home_runs=1, runs=1, runs_batted_in=2),
        "Cem": Line(walks=1),
        "Dov": Line(singles=1),
        "Eva": Line(strikeouts=1),
        "Fin": Line(outs_in_play=1),
        "Gil": Line(triples=1),
        "Hal": Line(outs_in_play=1),
    }


# --- Writing it down ----------------------------------------------------------------------------------------


@pytest.fixture
def played(db):
    return Played()


@pytest.fixture
def client(played):
    return signed_in(played.owner)


def end(played, **fields):
    seen = len(played.results())
    return scoring.record(played.owner, played.id, {"result": END}, seen=seen, **fields).at_bat


def test_it_is_stored_once_counts_for_nobody_and_is_undone_and_redone(played):
    played.record("1B")
    sent = once(played.owner, route="POST /half/")
    for _time in range(2):
        ended = scoring.record(played.owner, played.id, {"result": END}, seen=1, once=sent).at_bat
    assert (played.results(), ended.player_id, ended.batting_order) == (["1B", END], played.batter(2).id, 2)
    box = played.box()
    assert (box.runs_by_inning, box.left_on_base, box.on_base) == ([0, 0], 1, 0)
    assert repository.players.of(played.team.id, played.batter(2).id, strong=True).at_bats is None
    scoring.undo(played.owner, played.id, ended.id)
    assert (played.box().on_base, played.box().left_on_base) == (1, 0)
    scoring.redo(played.owner, played.id, ended.id)
    assert played.record("K").player_id == played.batter(2).id
    assert played.box().putouts == 1


def test_an_earlier_correction_keeps_the_end_where_it_is(played):
    first = played.record("K")
    played.record("K")
    end(played)
    fields = {"result": "HR", "player_id": first.player_id}
    scoring.correct(played.owner, played.id, first.id, fields, seen_version=first.seen_version)
    assert (played.box().runs_by_inning, played.box().putouts) == ([1, 0], 1)


def test_a_half_inning_in_which_nobody_batted_is_not_ended(played):
    with pytest.raises(Invalid):
        end(played)
    played.record("1B")
    end(played)
    with pytest.raises(Invalid):
        end(played)
    assert played.results() == ["1B", END]


def test_who_did_not_see_the_last_play_ends_nothing(played):
    played.record("1B")
    played.record("1B")
    with pytest.raises(Overtaken):
        scoring.record(played.owner, played.id, {"result": END}, seen=1)
    assert played.results() == ["1B", "1B"]


def test_the_button_is_there_once_somebody_has_batted(played, client):
    assert 'id="end-half"' not in text(client.get(address(played)))
    played.record("2B")
    page = client.get(address(played))
    assert 'id="end-half"' in text(page)
    sent = {"seen": page.context["seen"], "situation": page.context["situation_hash"]}
    with metered() as usage:
        assert client.post(address(played, "half"), sent)["Location"] == address(played)
    assert usage.requests == 5
    page = client.get(address(played))
    assert 'id="end-half"' not in text(page)
    assert (page.context["box"].inning, page.context["box"].outs) == (2, 0)
    assert "Undo: Half-inning ended" in text(page)
    refused = client.post(address(played, "half"), {"seen": 2}, headers=HTMX)
    assert (refused.status_code, played.results()) == (422, ["2B", END])
    assert "Nobody has batted in this half-inning yet." in text(refused)


def test_its_page_can_only_take_it_out(played, client):
    played.record("2B")
    ended = end(played)
    page = text(client.get(address(played, "", ended)))
    assert ('id="remove"' in page, 'id="play"' in page) == (True, False)
    assert client.post(address(played, "remove", ended), {"version": ended.seen_version}).status_code == 302
    assert (played.results(), played.box().on_base) == (["2B"], 1)


def test_the_box_score_and_the_scorecard_name_it(played):
    played.record("2B")
    end(played)
    browser = browser_of(played.owner)
    page = browser.get(f"/tracker/games/{played.id}/box/")
    assert "Half-inning ended" in text(page)
    assert page.context["balance"].difference == 0
    assert "Inning 1: Half-inning ended" in text(browser.get(f"/tracker/games/{played.id}/scorecard/"))


def test_the_limit_of_the_season_ends_it_on_the_screen_and_the_line_says_so(db):
    played = Played(league=Rules(run_limit=2))
    client = signed_in(played.owner)
    for result in ("1B", "1B", "1B"):
        played.record(result)
    limit = "The run limit is reached: the half-inning is over."
    line = f"Home: runner from 3rd, runner from 2nd. 2 RBI. 0 outs. {limit}"
    assert f'<p data-result="HR">{line}</p>' in text(client.get(address(played)))
    refused = client.post(address(played, "record"), turn(played, "HR", rbis="3"))
    assert refused.status_code == 422
    answer = client.post(address(played, "record"), turn(played, "HR", rbis="2"), headers=HTMX)
    assert (answer.context["box"].inning, played.box().runs, played.box().problems) == (2, 2, 0)


def test_the_limit_is_a_rule_of_the_season(played, client):
    address_of_new = f"/tracker/teams/{played.team.id}/seasons/new/"
    sent = {"name": "Spring", "innings": 7, "run_limit": 5, "home_run_above_limit": "OUT"}
    answer = client.post(address_of_new, sent | {"run_ahead-TOTAL_FORMS": 0})
    assert answer.status_code == 302, text(answer)
    (season,) = repository.teams.roster(played.team.id, strong=True).seasons
    assert season.rules["runLimit"] == 5
    assert box_scores.season_rules.from_stored(season.rules).run_limit == 5
    assert box_scores.season_rules.from_stored({}).run_limit is None
