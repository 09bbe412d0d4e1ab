"""The scoring screen over HTTP: what it shows, what recording answers and costs, and who may use it."""

import re

import pytest

from core.dynamo.items import new_id
from core.dynamo.metering import metered
from tests.tracker.club import cast
from tests.tracker.scorebook import Played
from tests.tracker.scoring.scoring_page import HTMX, address, signed_in, text, turn
from tracker.games.models import FINAL
from tracker.rules import box_scores
from tracker.rules.replay import Rules
from tracker.scoring import game_writing
from tracker.scoring.services import scoring

pytestmark = pytest.mark.usefixtures("db")


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
        assert "Choose someone who is neither batting nor on base." in text(answer)
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
    assert "An inning has only three outs." in text(answer)


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
    opened = game_writing.allowed(played.owner, played.id, "manage_games")
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
    opened = game_writing.allowed(played.owner, played.id, "manage_games")
    game_writing.write(opened, {"status": FINAL}, verb="finish")
    page = client.get(address(played))
    assert [base.runner for base in page.context["bases"]] == ["", "", ""]
    assert f'id="inning">{half}<' in text(page)


def test_the_board_of_a_final_game_shows_who_was_left_on_base(played, client):
    played.record("2B")
    opened = game_writing.allowed(played.owner, played.id, "manage_games")
    game_writing.write(opened, {"status": FINAL}, verb="finish")
    assert [base.runner for base in client.get(address(played)).context["bases"]] == ["", "#1 Ada", ""]


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
