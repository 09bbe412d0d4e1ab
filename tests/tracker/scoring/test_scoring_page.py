"""The scoring screen over HTTP: what it shows, what recording answers and costs, and who may use it."""

import re

import pytest
from django.conf import settings
from django.test import Client

from core.dynamo.items import new_id
from core.dynamo.metering import metered
from tests.cast import session_of
from tests.tracker.club import SCOREKEEPER, cast, ghost, join, person, team_of
from tests.tracker.scorebook import Played, started
from tracker import repository
from tracker.games.models import FINAL
from tracker.rules import box_scores
from tracker.rules.replay import Rules
from tracker.scoring import game_writing
from tracker.scoring.services import lineup, scoring

pytestmark = pytest.mark.usefixtures("db")
HTMX = {"HX-Request": "true"}


def signed_in(user):
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session_of(user).session_key)
    return client


@pytest.fixture
def played():
    return Played()


@pytest.fixture
def client(played):
    return signed_in(played.owner)


def address(played, place="score", at_bat=None):
    plays = f"plays/{at_bat.id}/" if at_bat else ""
    return f"/tracker/games/{played.id}/{plays}{place}{'/' if place else ''}"


def turn(played, result, **fields):
    """What the form sends for the next turn as the page shows it now."""
    count = len(played.story().at_bats)
    batter = played.batter(count % 9 + 1).id
    return {"result": result, "player": batter, "seen": count, "once": new_id()} | fields


def text(response):
    return re.sub(r"\s+", " ", response.content.decode())


# --- Showing and recording ---------------------------------------------------------------------------------


def test_the_page_shows_the_batter_the_inning_the_outs_the_bases_and_the_score(played, client):
    for result in ("1B", "HR", "2B", "K"):
        played.record(result)
    with metered() as usage:
        page = client.get(address(played))
    assert usage.requests == 4
    shown = text(page)
    assert '<span class="visually-hidden">At bat:</span> #5 Eva' in shown
    assert "next: #6 Fin" in shown
    assert (page.context["box"].inning, page.context["box"].outs, page.context["box"].runs) == (1, 1, 2)
    assert [(base.number, base.runner) for base in page.context["bases"]] == [(1, ""), (2, "#3 Cem"), (3, "")]
    assert "</span> 2 : 0</p>" in shown


def test_recording_costs_five_requests_and_one_transaction(played, client):
    client.get(address(played))
    with metered() as usage:
        answer = client.post(address(played, "record"), turn(played, "1B"))
    assert (answer.status_code, answer["Location"]) == (302, address(played))
    assert usage.requests == 5 + 1  # the test itself reads what the form shows
    assert played.results() == ["1B"]


def test_htmx_gets_the_next_turn_with_one_request_more_for_the_names(played, client):
    sent = turn(played, "1B")
    with metered() as usage:
        answer = client.post(address(played, "record"), sent, headers=HTMX)
    assert usage.requests == 6
    assert answer.status_code == 200
    assert answer.content.strip().startswith(b"<article")
    assert "</span> #2 Bea</h2>" in text(answer)
    assert 'id="batter" tabindex="-1" data-focus' in text(answer)


def test_a_tap_on_the_field_without_scripts_tells_the_place_in_pixels(played, client):
    client.post(address(played, "record"), turn(played, "1B", **{"at.x": "80", "at.y": "160"}))
    client.post(address(played, "record"), turn(played, "2B", **{"at.x": "0", "at.y": "0"}))
    client.post(address(played, "record"), turn(played, "K", hit_x="0.5", hit_y="0.5"))
    client.post(
        address(played, "record"), turn(played, "FO", hit_x="0.5", hit_y="0.125", hit_type="fly_ball")
    )
    assert [each.hit_location for each in played.story().at_bats] == [
        {"x": 0.25, "y": 0.5},
        None,
        None,
        {"x": 0.5, "y": 0.125},
    ]


def test_runners_are_stored_only_when_they_did_something_else_than_usual(played, client):
    client.post(address(played, "record"), turn(played, "1B"))
    client.post(address(played, "record"), turn(played, "1B", runner_1="2", runner_0="1"))
    client.post(address(played, "record"), turn(played, "1B", runner_2="4", rbis="0"))
    stored = played.story().at_bats
    assert [each.runners for each in stored] == [
        None,
        None,
        [{"from": 2, "to": 4}, {"from": 1, "to": 2}, {"from": 0, "to": 1}],
    ]
    assert played.story().game.team_score == 1
    assert stored[2].rbis == 0


def test_a_runner_for_a_runner_scores_the_run(played, client):
    client.post(address(played, "record"), turn(played, "3B"))
    client.post(address(played, "record"), turn(played, "1B", ran_3=played.batter(9).id))
    assert played.box().lines[played.batter(9).id] == {"runs": 1}


def test_who_bats_or_is_on_another_base_runs_for_nobody(played, client):
    played.record("3B")
    played.record("BB")
    ada, bea, cem, hal = (played.batter(number).id for number in (1, 2, 3, 8))
    for fields in ({"ran_3": bea}, {"ran_3": cem}, {"ran_1": ada}, {"ran_3": hal, "ran_1": hal}):
        answer = client.post(address(played, "record"), turn(played, "1B", runner_1="3", **fields))
        assert answer.status_code == 422
        assert "Choose somebody who neither bats nor is on base." in text(answer)
        assert set(answer.context["form"].errors) <= {"ran_3", "ran_1"}
    assert played.results() == ["3B", "BB"]
    offered = answer.context["form"].fields["ran_3"].choices
    assert not {ada, bea} & {value for value, _name in offered}
    client.post(address(played, "record"), turn(played, "1B", runner_1="3", ran_3=hal))
    assert played.box().lines[hal] == {"runs": 1}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"result": ""}, "Choose a result."),
        ({"result": "SAC"}, "Choose a result."),
        ({"runner_1": "1"}, "Two runners cannot be on the same base."),
        ({"rbis": "5"}, "Select a valid choice."),
        ({"player": "nobody"}, "Select a valid choice."),
        ({"hit_x": "2"}, ""),
    ],
)
def test_what_cannot_be_is_refused_over_what_was_typed(played, client, fields, said):
    played.record("1B")
    answer = client.post(
        address(played, "record"), turn(played, "1B", hit_type="bunt") | fields, headers=HTMX
    )
    assert answer.status_code == 422
    assert said in text(answer)
    assert '<option value="bunt" selected>' in text(answer)
    assert played.results() == ["1B"]


def test_nobody_makes_four_outs(played, client):
    for result in ("K", "K", "1B"):
        played.record(result)
    answer = client.post(address(played, "record"), turn(played, "DP"))
    assert played.results()[-1] == "1B"
    assert "An inning has three outs only." in text(answer)


def outs_of(played):
    """Who is out in the last play, as it counts: where each of them stood, the batter at 0."""
    story = played.story()
    play = box_scores.box_of(story.game, story.at_bats).plays[-1]
    return sorted(move.start for _runner, move in play.moved if move.out)


@pytest.mark.parametrize(
    ("before", "result", "said", "out", "bases"),
    [
        # A fielder's choice: who is named as out is so instead of who usually is.
        (("BB", "BB"), "FC", {}, [1], [1, 3]),
        (("BB", "BB"), "FC", {"runner_1": "out"}, [1], [1, 3]),
        (("BB", "BB"), "FC", {"runner_2": "out"}, [2], [1, 2]),
        (("BB", "BB", "BB"), "FC", {}, [3], [1, 2, 3]),
        (("BB", "BB", "BB"), "FC", {"runner_1": "out", "runner_3": "3", "runner_2": "2"}, [1], [1, 2, 3]),
        (("3B", "BB"), "FC", {"runner_3": "out"}, [3], [1, 2]),
        (("1B",), "FC", {"runner_0": "out"}, [0], [2]),
        # Said to be safe, nobody else can be out.
        (("1B",), "FC", {"runner_1": "2"}, [], [1, 2]),
        # A double play is two outs.
        (("BB", "BB"), "DP", {}, [0, 1], [3]),
        (("BB", "BB"), "DP", {"runner_2": "out"}, [0, 2], [2]),
        (("BB", "BB"), "DP", {"runner_2": "out", "runner_1": "out"}, [1, 2], [1]),
        (("BB", "BB"), "DP", {"runner_0": "1"}, [1, 2], [1]),
        (("2B",), "DP", {"runner_0": "out"}, [0, 2], []),
        # Three named are three.
        (("BB", "BB"), "DP", {"runner_2": "out", "runner_1": "out", "runner_0": "out"}, [0, 1, 2], []),
    ],
)
def test_whoever_is_named_as_out_is_out_and_nobody_beside_them(
    played, client, before, result, said, out, bases
):
    for each in before:
        played.record(each)
    assert client.post(address(played, "record"), turn(played, result, **said)).status_code == 302
    story = played.story()
    box = box_scores.box_of(story.game, story.at_bats)
    assert (outs_of(played), sorted(box.on_base)) == (out, bases)
    assert (box.runs, box.imbalance, box.problems) == (0, 0, ())


@pytest.mark.parametrize("base", [1, 2, 3])
def test_with_two_outs_any_runner_can_be_the_third_in_a_choice(played, client, base):
    for each in ("K", "K", "BB", "BB", "BB"):
        played.record(each)
    sent = turn(played, "FC", **{f"runner_{base}": "out"})
    assert client.post(address(played, "record"), sent).status_code == 302
    assert outs_of(played) == [base]
    box = played.box()
    assert (box.runs, box.left_on_base, box.putouts, box.problems) == (0, 3, 3, 0)


def test_a_choice_that_was_stored_without_moves_stays_what_it_was_when_it_is_corrected(played, client):
    """Then the foremost forced runner was out."""
    for each in ("BB", "BB"):
        played.record(each)
    choice = played.record("FC")
    assert outs_of(played) == [2]
    page = client.get(address(played, "", choice))
    form = page.context["form"]
    said = {f"runner_{start}": form[f"runner_{start}"].value() for start in (0, 1, 2)}
    assert said == {"runner_0": "1", "runner_1": "2", "runner_2": "out"}
    sent = {"result": "FC", "player": choice.player_id, "version": choice.seen_version, "hit_type": "bunt"}
    assert client.post(address(played, "", choice), sent | said).status_code == 302
    assert outs_of(played) == [2]
    assert (played.story().at_bats[-1].runners, played.story().at_bats[-1].hit_type) == (None, "bunt")


def test_a_request_that_is_sent_again_is_answered_as_the_first_also_after_the_game_went_on(played, client):
    sent = turn(played, "1B", runner_0="2")
    answers = [client.post(address(played, "record"), sent)]
    played.record("HR")
    answers.append(client.post(address(played, "record"), sent))
    assert [(answer.status_code, answer["Location"]) for answer in answers] == [(302, address(played))] * 2
    assert played.results() == ["1B", "HR"]


def test_who_comes_second_sees_what_was_recorded_by_whom_and_nothing_is_chosen_for_the_next_batter(played):
    other = person("Sam")
    join(other, played.team, SCOREKEEPER, actor=played.owner)
    sent = turn(played, "2B", hit_type="line_drive", hit_x="0.3", hit_y="0.4")
    played.record("1B")
    answer = signed_in(other).post(address(played, "record"), sent, headers=HTMX)
    shown = text(answer)
    assert answer.status_code == 409
    assert '<strong>Single, #1 Ada</strong> <span class="quiet">written down by Olga Example</span>' in shown
    assert "You had chosen: Double, #1 Ada." in shown
    assert "If that is the same turn, there is nothing left to do." in shown
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
    assert f"You had chosen: Double, #7 {played.batter(7).name}. Nothing of it was written down." in shown
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
    assert "Before this turn, something has changed in the meantime." in shown
    # The batter is the same: what was chosen stays, but not what was told of the runners.
    assert "It is still chosen: record it if it is right." in shown
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
    assert "Somebody else has taken back a play in the meantime." in text(answer)
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
    assert "#10 Kim comes into place 1 again as soon as what was taken back is written down." in text(answer)
    assert "</span> #1 Ada</h2>" in text(answer)


def test_a_page_that_shows_the_newest_is_told_nothing_and_an_older_one_the_news(played, client):
    revision = int(played.box().revision)
    changes = f"{address(played)}changes/?seen="
    assert client.get(f"{changes}{revision}", headers=HTMX).status_code == 204
    played.record("HR")
    news = client.get(f"{changes}{revision}", headers=HTMX)
    assert (news.status_code, "Undo: Home run, #1 Ada" in text(news)) == (200, True)


def test_the_last_one_is_taken_back_and_brought_back(played, client):
    at_bat = played.record("HR")
    answer = client.post(address(played, "undo"), {"at_bat": at_bat.id, "once": new_id()}, headers=HTMX)
    assert (answer.status_code, played.results()) == (200, [])
    assert client.post(address(played, "redo"), {"at_bat": at_bat.id})["Location"] == address(played)
    assert (played.results(), played.box().runs) == (["HR"], 1)


def test_taking_back_what_is_no_longer_the_last_one_is_refused(played, client):
    first = played.record("1B")
    played.record("K")
    answer = client.post(address(played, "undo"), {"at_bat": first.id}, headers=HTMX)
    assert (answer.status_code, played.results()) == (409, ["1B", "K"])


def test_the_opponents_runs_go_up_and_down_and_their_innings_on(played, client):
    def press(**fields):
        return client.post(address(played, "opponent"), fields).status_code

    assert [
        press(inning=1, runs=0),
        press(inning=1, runs=1, was=0),
        press(inning=1, runs=2, was=1),
        press(inning=1, runs=1, was=2),
        press(inning=2, runs=0),
    ] == [302] * 5
    assert played.story().game.opponent_by_inning == [1, 0]
    assert press(inning=2, runs="", was=0) == 302
    assert played.story().game.opponent_by_inning == [1]
    assert [press(inning=1, runs=5, was=4), press(inning=9, runs=1), press(inning="x")] == [409, 422, 422]


def test_their_earlier_innings_can_be_corrected(played, client):
    assert 'id="opponent-earlier"' not in text(client.get(address(played)))
    for inning in (1, 2):
        scoring.set_opponent_runs(played.owner, played.id, inning, inning, seen_runs=None)
    shown = text(client.get(address(played)))
    assert 'id="opponent-runs-1" name="runs" min="0" max="99" required inputmode="numeric" value="1"' in shown
    assert 'id="opponent-runs-2"' not in shown
    sent = {"inning": 1, "was": 1, "runs": 4}
    answer = client.post(address(played, "opponent"), sent, headers=HTMX)
    assert '<details class="score-runners" id="opponent-earlier" open>' in text(answer)
    assert played.story().game.opponent_by_inning == [4, 2]


def test_whoever_opens_an_inning_of_the_opponent_goes_on_with_its_runs(played, client):
    answer = client.post(address(played, "opponent"), {"inning": 1, "runs": 0}, headers=HTMX)
    assert re.search(r'id="opponent-more"[^>]* data-focus', text(answer))
    more = client.post(address(played, "opponent"), {"inning": 1, "was": 0, "runs": 1}, headers=HTMX)
    assert not re.search(r'id="opponent-more"[^>]* data-focus', text(more))


def test_whoever_substitutes_while_scoring_comes_back_to_it(played, client):
    link = re.search(r'id="substitute" href="([^"]+)"', text(client.get(address(played))))[1]
    assert '<input type="hidden" name="back" value="score">' in text(client.get(link))


def test_a_play_that_cannot_have_been_leads_to_the_box_score_that_says_what(played, client):
    played.record("1B")
    assert 'id="problems"' not in text(client.get(address(played)))
    played.record("1B", runners=[{"from": 3, "to": 4}, {"from": 0, "to": 1}])
    shown = text(client.get(address(played)))
    assert f'<a id="to-problems" href="/tracker/games/{played.id}/box/#balance">' in shown
    assert 'id="balance"' in text(client.get(f"/tracker/games/{played.id}/box/"))


def test_a_game_that_is_over_by_the_rules_says_so_and_one_that_is_final_takes_nothing_new(played, client):
    for inning in range(1, 8):
        scoring.set_opponent_runs(played.owner, played.id, inning, 0, seen_runs=None)
    for _inning in range(7):
        for result in ("HR", "K", "K", "K"):
            played.record(result)
    assert 'id="ended"' in text(client.get(address(played)))
    opened = game_writing.opened(played.owner, played.id, "manage_games")
    game_writing.write(opened, {"status": FINAL}, verb="finish")
    page = text(client.get(address(played)))
    assert 'id="not-live"' in page
    assert 'id="play"' not in page
    assert client.post(address(played, "record"), turn(played, "1B")).status_code == 409


@pytest.mark.parametrize(("is_home", "half"), [(True, "Bottom 2"), (False, "After top 2")])
def test_the_board_of_a_final_game_shows_nobody_placed_in_an_inning_that_was_not_played(is_home, half):
    played = Played(league=Rules(innings=2, tie_breaker_from=3), is_home=is_home)
    client = signed_in(played.owner)
    for _turn in range(6):
        played.record("K")
    assert [base.runner for base in client.get(address(played)).context["bases"]] == ["", "#6 Fin", ""]
    opened = game_writing.opened(played.owner, played.id, "manage_games")
    game_writing.write(opened, {"status": FINAL}, verb="finish")
    page = client.get(address(played))
    assert [base.runner for base in page.context["bases"]] == ["", "", ""]
    assert f'id="inning">{half}<' in text(page)


def test_the_board_of_a_final_game_shows_who_was_left_on_base(played, client):
    played.record("2B")
    opened = game_writing.opened(played.owner, played.id, "manage_games")
    game_writing.write(opened, {"status": FINAL}, verb="finish")
    assert [base.runner for base in client.get(address(played)).context["bases"]] == ["", "#1 Ada", ""]


# --- Correcting --------------------------------------------------------------------------------------------


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
    assert "It now says: Double, #2 Bea." in text(again)
    assert re.search(r'value="3B"[^>]*checked', text(again))


@pytest.mark.parametrize(
    ("before", "result", "words"),
    [
        (("3B", "K", "K"), "SF", "A sacrifice needs fewer than two outs"),
        (("3B", "K", "K"), "SH", "A sacrifice needs fewer than two outs"),
        (("1B",), "SF", "a runner whom it helps"),
        ((), "SH", "a runner whom it helps"),
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
    assert "More runs cannot be batted in than come home." in text(answer)


def test_ones_own_run_is_batted_in_by_a_home_run_only(played, client):
    answer = client.post(address(played, "record"), turn(played, "1B", runner_0="4", rbis="1"))
    assert answer.status_code == 422
    assert "More runs cannot be batted in than come home. The batter" in text(answer)
    client.post(address(played, "record"), turn(played, "1B", runner_0="4"))
    client.post(address(played, "record"), turn(played, "HR", rbis="1"))
    lines = played.box().lines
    assert lines[played.batter(1).id] == {"singles": 1, "runs": 1}
    assert lines[played.batter(2).id] == {"home_runs": 1, "runs": 1, "runs_batted_in": 1}


def test_a_forgotten_turn_is_inserted_before_another(played, client):
    at_bat = played.record("1B")
    page = client.get(address(played, "before", at_bat))
    assert "A forgotten turn" in text(page)
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


# --- Of one person -----------------------------------------------------------------------------------------


def test_a_person_writes_down_the_own_turns_only(db):
    ada = person("Ada")
    team = team_of(ada, "Monday League", team_type="PERSONAL")
    (player,) = repository.teams.roster(team.id, strong=True).players
    game = started(ada, team, [])
    client = signed_in(ada)
    page = text(client.get(f"/tracker/games/{game.id}/score/"))
    assert "Your next turn" in page
    assert 'id="bases"' not in page
    sent = {"player": player.id, "rbis": "", "once": new_id()}
    for seen, fields in enumerate(
        [{"result": "2B", "scored": "on", "rbis": "2"}, {"result": "HR", "scored": "on"}]
    ):
        answer = client.post(
            f"/tracker/games/{game.id}/record/", sent | fields | {"seen": seen, "once": new_id()}
        )
        assert answer.status_code == 302
    box = repository.boxes.get(team.id, None, game.id, strong=True)
    assert box.lines == {player.id: {"doubles": 1, "home_runs": 1, "runs": 2, "runs_batted_in": 3}}
    refused = client.post(
        f"/tracker/games/{game.id}/record/", sent | {"player": "nobody", "result": "K", "seen": 2}
    )
    assert refused.status_code == 422


@pytest.fixture
def own_turn(db):
    """Sends the turn of somebody who writes down only the own; answers the status and the runs batted in."""
    ada = person("Ada")
    team = team_of(ada, "Monday League", team_type="PERSONAL")
    (player,) = repository.teams.roster(team.id, strong=True).players
    game = started(ada, team, [])
    client = signed_in(ada)

    def send(result, rbis):
        sent = {"player": player.id, "seen": 0, "once": new_id(), "result": result, "rbis": rbis}
        answer = client.post(f"/tracker/games/{game.id}/record/", sent)
        lines = repository.boxes.get(team.id, None, game.id, strong=True).lines
        return answer.status_code, (lines or {}).get(player.id, {}).get("runs_batted_in", 0)

    return send


@pytest.mark.parametrize(
    ("result", "rbis", "counted"),
    [
        ("HR", "", 1),
        ("HR", "4", 4),
        ("1B", "", 0),
        ("1B", "3", 3),
        ("SF", "", 1),
        ("SF", "2", 2),
        ("BB", "1", 1),
    ],
)
def test_what_can_be_batted_in_without_knowing_the_runners(own_turn, result, rbis, counted):
    assert own_turn(result, rbis) == (302, counted)


@pytest.mark.parametrize(
    ("result", "rbis"),
    [("HR", "0"), ("1B", "4"), ("3B", "4"), ("SH", "4"), ("SF", "0"), ("BB", "2"), ("CI", "2"), ("K", "1")],
)
def test_what_cannot_be_batted_in_is_refused_without_knowing_the_runners(own_turn, result, rbis):
    assert own_turn(result, rbis) == (422, 0)


@pytest.mark.parametrize(("before", "result"), [((), "HR"), (("3B",), "SF")])
def test_a_home_run_and_a_sacrifice_fly_bat_in_one_at_least(played, client, before, result):
    for each in before:
        played.record(each)
    answer = client.post(address(played, "record"), turn(played, result, rbis="0"))
    assert answer.status_code == 422
    assert "bats in one run at least." in text(answer)


# --- Who may -----------------------------------------------------------------------------------------------

MAY = {"owner": True, "manager": True, "scorekeeper": True, "player": False, "stranger": None}


def test_each_role_gets_what_the_matrix_says_also_when_the_request_is_forged(played):
    people = cast(played.owner, played.team)
    refusals = {True: None, False: 403, None: 404}
    for role, may in MAY.items():
        client = signed_in(people[role])
        at_bat = played.record("1B")
        before = played.results()
        answers = {
            "score": client.get(address(played)),
            "changes": client.get(f"{address(played)}changes/"),
            "record": client.post(address(played, "record"), turn(played, "K")),
            "undo": client.post(address(played, "undo"), {"at_bat": played.story().at_bats[-1].id}),
            "redo": client.post(address(played, "redo"), {"at_bat": at_bat.id}),
            "preview": client.post(f"{address(played)}preview/", turn(played, "K")),
            "opponent": client.post(address(played, "opponent"), {"inning": 1, "runs": 0}),
            "page": client.get(address(played, "", at_bat)),
            "insert page": client.get(address(played, "before", at_bat)),
            "correct": client.post(
                address(played, "", at_bat),
                {"result": "2B", "player": at_bat.player_id, "version": at_bat.seen_version},
            ),
            "insert": client.post(
                address(played, "before", at_bat), {"result": "K", "player": played.batter(9).id}
            ),
        }
        newest = played.story().at_bat(at_bat.id)
        answers["remove"] = client.post(address(played, "remove", at_bat), {"version": newest.seen_version})
        answers["restore"] = client.post(address(played, "restore", at_bat))
        statuses = {name: answer.status_code for name, answer in answers.items()}
        if may:
            assert set(statuses.values()) <= {200, 302}, role
            assert played.results() != before
        else:
            assert statuses == dict.fromkeys(statuses, refusals[may]), role
            assert played.results() == before
