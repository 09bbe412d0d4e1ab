"""The box score of a game: line score, batting lines, notes, and whether it is in balance."""

import csv
import io

import pytest

from core.dynamo.metering import metered
from tests.tracker import club, season
from tests.tracker.scorebook import Played, once
from tracker import repository
from tracker.roster.models import Player
from tracker.rules import box_scores
from tracker.rules.replay import Rules
from tracker.rules.season_rules import stored
from tracker.scoring.services import scoring
from tracker.statistics import presenters
from tracker.teams.models import Team

pytestmark = pytest.mark.usefixtures("db")

TEAM = Team.about("t-1", name="Falcons")
NAMES = ("Ada", "Bea", "Cem", "Dov", "Eva", "Fin", "Gil", "Hal", "Ida")
NINE = [Player.about("t-1", name, first_name=name) for name in NAMES]


def told(results, **fields):
    game, at_bats = season.told(TEAM, NINE, results, **fields)
    return game, at_bats, box_scores.box_of(game, at_bats)


def line(side):
    return side.name, side.innings, side.runs


def test_visitors_bat_first_and_a_half_inning_that_was_not_needed_has_an_x():
    game, _at_bats, box = told(["HR", "K", "K", "K"], opponent_by_inning=[0, 0], opponent_score=0)
    innings, (us, them) = presenters.line_score(game, box, runs=1, own_name="Falcons")
    assert (innings, line(us), line(them)) == (
        [1, 2],
        ("Falcons", ["1", ""], 1),
        ("Rivertown Rockets", ["0", "0"], 0),
    )
    game.is_home = True
    _innings, (them, us) = presenters.line_score(game, box, runs=1, own_name="Falcons")
    assert (line(us)[1], line(them)[1]) == (["1", "x"], ["0", "0"])


def test_substitutes_stand_below_whom_they_replaced_and_runners_last():
    came = [{"battingOrder": 2, "playerId": "Zoe", "after": 1}]
    moves = {"runners": [{"from": 1, "to": 4, "playerId": "Run"}, {"from": 0, "to": 1}]}
    game, _at_bats, box = told(["1B", ("1B", moves | {"player_id": "Zoe"})], substitutions=came)
    order = presenters.batters(game, box)
    assert [(each.player_id, each.slot, each.is_substitute) for each in order[:3]] == [
        ("Ada", 1, False),
        ("Bea", 2, False),
        ("Zoe", 2, True),
    ]
    assert (order[-1].player_id, order[-1].slot, order[-1].line.runs) == ("Run", None, 1)


def test_notes_name_who_did_it_and_how_often():
    game, _at_bats, box = told(["2B", "HR", *["K"] * 2, "SF", "E", "CI", "HBP", "DP", "2B"])
    notes = presenters.notes(box, presenters.batters(game, box), str)
    assert [(title, who) for title, _meaning, who in notes] == [
        ("2B", "Ada 2"),
        ("HR", "Bea"),
        ("HBP", "Hal"),
        ("SF", "Eva"),
        ("ROE", "Fin"),
        ("CI", "Gil"),
        ("DP", "1"),
    ]


def test_everybody_who_came_to_bat_is_accounted_for_with_placed_runners():
    rules = stored(Rules(tie_breaker_from=2))
    game, _at_bats, box = told(["K", "K", "K", "BB", "SH", "SF", "CI"], rules=rules)
    balance = presenters.balance(game, box)
    assert [(str(name), count) for name, count in balance.came] == [
        ("AB", 3),
        ("BB", 1),
        ("HBP", 0),
        ("SH", 1),
        ("SF", 1),
        ("CI", 1),
        ("placed runners", 1),
    ]
    assert [(str(name), count) for name, count in balance.went] == [
        ("R", 1),
        ("LOB", 2),
        ("opponents' putouts", 5),
    ]
    assert balance.difference == 0


def test_while_it_is_played_who_is_on_base_is_not_left_there():
    game, _at_bats, box = told(["1B"], status="IN_PROGRESS")
    assert [(str(name), count) for name, count in presenters.balance(game, box).went] == [
        ("R", 0),
        ("LOB", 0),
        ("on base now", 1),
        ("opponents' putouts", 0),
    ]


@pytest.mark.parametrize(
    ("results", "text"),
    [
        (
            [("1B", {"runners": [{"from": 3, "to": 4}, {"from": 0, "to": 1}]})],
            "A runner came from third base, but nobody was there.",
        ),
        (["1B", ("1B", {"runners": [{"from": 0, "to": 1}]})], "Two runners are on first base."),
        (
            ["1B", ("1B", {"runners": [{"from": 1, "to": 2}]})],
            "It is not recorded what happened to the batter.",
        ),
        (["1B", "K", "K", "DP"], "With these outs the inning has more than three."),
    ],
)
def test_what_is_missing_is_said_in_words_with_the_play(results, text):
    _game, at_bats, box = told(results)
    (missing,) = presenters.missing(box, at_bats, str)
    last = at_bats[-1]
    assert (missing.at_bat_id, missing.inning, missing.batter) == (last.id, 1, last.player_id)
    assert missing.text == text


def test_a_page_out_of_balance_leads_to_the_play_those_who_may_correct_it(owner, team):
    players = club.nine(team, actor=owner)
    lost = ("1B", {"runners": [{"from": 0, "to": 1}]})
    game = season.played(team, players, ["1B", lost], actor=owner)
    people = club.cast(owner, team)
    pages = {
        role: club.browser_of(people[role]).get(f"/tracker/games/{game.id}/box/").text
        for role in ("scorekeeper", "player")
    }
    for page in pages.values():
        assert "Not in balance" in page
        assert "1 runner is missing." in page
        assert "Inning 1, Bea, 1B:" in page
    story = repository.games.story(game.id)
    assert pages["scorekeeper"].count(f"/tracker/games/{game.id}/plays/{story.at_bats[1].id}/") == 2
    assert "/plays/" not in pages["player"]
    assert "Correct it" in pages["scorekeeper"]
    assert "Correct it" not in pages["player"]


def test_the_page_is_four_requests_and_says_that_it_is_in_balance():
    game = Played()
    for result in ("1B", "HR", "K", "K", "K"):
        game.record(result)
    browser = club.browser_of(game.owner)
    with metered() as spent:
        page = browser.get(f"/tracker/games/{game.id}/box/")
    assert spent.requests == 4
    assert "In balance" in page.text
    assert "AB 5 + BB 0 + HBP 0 + SH 0 + SF 0 + CI 0 = R 2 + LOB 0 + opponents&#x27; putouts 3" in page.text


def test_the_order_of_writing_down_makes_no_difference_to_the_box(owner, team):
    players = club.nine(team, actor=owner)
    game, at_bats = season.told(team, players, ["1B", "HR", "K", "BB", "2B", "K", "K"])
    forwards, backwards = (box_scores.stored_box(game, each, revision=1) for each in (at_bats, at_bats[::-1]))
    assert forwards.serialize() == backwards.serialize()


def test_a_personal_game_has_its_own_turns_and_no_balance(owner):
    (membership,) = repository.profiles.belonging(owner.sub).memberships
    alone = repository.teams.of(membership.team_id)
    own = repository.teams.roster(alone.id).of_person(owner.sub)
    game = season.played(alone, [own], ["HR", "K"], actor=owner, lineup=[], team_score=7, opponent_score=5)
    browser = club.browser_of(owner)
    page = browser.get(f"/tracker/games/{game.id}/box/").text
    assert "<strong>7</strong>" in page
    assert "balance" not in page
    assert browser.get(f"/tracker/games/{game.id}/scorecard/").status_code == 200


def test_plays_are_a_file_with_the_inning_and_outs_that_follow(owner, team):
    players = club.nine(team, actor=owner)
    place = {"hit_location": {"x": 0.25, "y": 0.5}, "hit_type": "fly_ball"}
    game = season.played(team, players, ["1B", ("HR", place), "K", "K", "K", "BB"], actor=owner)
    answer = club.browser_of(owner).get(f"/tracker/games/{game.id}/box/?list=plays&as=csv")
    found = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert [(row["Inning"], row["Outs before"]) for row in found] == [
        ("1", "0"),
        ("1", "0"),
        ("1", "0"),
        ("1", "1"),
        ("1", "2"),
        ("2", "0"),
    ]
    homer = found[1]
    assert (homer["RBI"], homer["Runs"], homer["Scored"]) == ("2", "2", "Ada, Bea")
    assert (homer["x"], homer["y"], homer["Kind of ball"]) == ("0.25", "0.5", "fly_ball")


def test_batting_lines_are_a_file_with_order_name_and_position_apart(owner, team):
    players = club.nine(team, actor=owner)
    zoe = club.ghost(team, "Zoe", 10, actor=owner)
    order = [
        {"playerId": player.id, "battingOrder": place, "position": "SS" if place == 1 else ""}
        for place, player in enumerate(players, start=1)
    ]
    came = [{"battingOrder": 2, "playerId": zoe.id, "after": 1}]
    results = ["2B", ("HR", {"player_id": zoe.id}), "BB"]
    game = season.played(team, players, results, actor=owner, lineup=order, substitutions=came)
    answer = club.browser_of(owner).get(f"/tracker/games/{game.id}/box/?list=batting&as=csv")
    titles, ada, _bea, second, *_others, total = csv.reader(
        io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))
    )
    figures = ["PA", "AB", "R", "H", "2B", "3B", "HR", "RBI", "BB", "SO"]
    assert titles == ["Batting order", "Batter", "Position", *figures]
    assert ada == ["1", "Ada", "SS", "1", "1", "1", "1", "1", "0", "0", "0", "0", "0"]
    assert second == ["2", "Zoe", "", "1", "1", "1", "1", "0", "0", "1", "2", "0", "0"]
    assert total == ["", "Team", "", "3", "2", "2", "2", "1", "0", "1", "2", "1", "0"]


def test_a_game_without_plays_says_so(owner, team):
    players = club.nine(team, actor=owner)
    game = season.played(team, players, [], actor=owner, team_score=3, opponent_score=4)
    page = club.browser_of(owner).get(f"/tracker/games/{game.id}/box/").text
    assert "Nothing recorded" in page
    assert "<strong>3</strong>" in page


def test_a_forgotten_turn_and_one_sent_twice_change_no_figure():
    in_order, late = Played(), Played(club.person("Paula"))
    for result in ("1B", "HR", "K", "2B"):
        in_order.record(result)
    first = late.record("1B", once=once(late.owner, "same"))
    late.record("1B", seen=0, player=first.player_id, once=once(late.owner, "same"))
    strikeout = late.record("K", player=late.batter(3).id)
    late.record("2B")
    forgotten = {"result": "HR", "player_id": late.batter(2).id}
    scoring.insert(late.owner, late.id, strikeout.id, forgotten)
    lines = [[game.box().lines.get(player.id) for player in game.players] for game in (in_order, late)]
    assert lines[0] == lines[1]
    assert in_order.box().runs_by_inning == late.box().runs_by_inning
