"""A game is forfeited: one run for each inning of a regulation game to none, and the clock of a season."""

from datetime import timedelta

import pytest

from core.dynamo.attributes import now
from tests.tracker.club import batting_order, browser_of, cast, nine, team_of
from tests.tracker.scorebook import Played
from tests.tracker.scoring.scoring_page import address, signed_in, text
from tests.tracker.season import season_of
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS, SCHEDULED
from tracker.games.services import games
from tracker.games.services.games import Impossible, NotByHand
from tracker.rules import box_scores, season_rules
from tracker.rules.game_end import is_regulation
from tracker.rules.game_states import OPPONENT, OWN
from tracker.rules.replay import Box, Rules
from tracker.scoring import game_writing
from tracker.scoring.services import lineup, scoring
from tracker.statistics import rebuild, totals


@pytest.fixture
def played(db):
    return Played()


def scores(game):
    return int(game.team_score), int(game.opponent_score)


@pytest.mark.parametrize(("winner", "score"), [(OWN, (7, 0)), (OPPONENT, (0, 7))])
def test_the_winner_has_a_run_for_each_inning_of_a_regulation_game(played, winner, score):
    played.record("HR")
    scoring.set_opponent_runs(played.owner, played.id, 1, 4, seen_runs=None)
    game = games.forfeit(played.owner, played.id, winner=winner)
    assert (game.status, game.forfeited_to, scores(game)) == (FINAL, winner, score)
    box = played.box()
    assert (int(box.runs), int(box.opponent_score)) == score


def test_the_season_says_how_many_innings_that_is_also_before_the_game_has_begun(owner, team):
    season = season_of(team, actor=owner, rules=season_rules.stored(Rules(innings=6)))
    game = games.create(owner, team.id, {"season_id": season.id})
    game = games.forfeit(owner, game.id, winner=OWN)
    assert (game.status, scores(game)) == (FINAL, (6, 0))
    assert totals.record(repository.boxes.of_season(team.id, season.id)).wins == 1


def test_before_five_innings_nobodys_figures_count_and_what_was_written_down_stays(played):
    played.record("HR")
    played.record("1B", hit_location={"x": 0.5, "y": 0.5})
    games.forfeit(played.owner, played.id, winner=OWN)
    box = played.box()
    assert (box.lines, box.also_played, box.balls) == ({}, None, None)
    assert played.results() == ["HR", "1B"]


def five_innings(played):
    for inning in range(1, 6):
        scoring.set_opponent_runs(played.owner, played.id, inning, 0, seen_runs=None)
        for _out in range(3):
            played.record("K")


def test_after_five_innings_they_count_and_a_correction_can_change_that(played):
    five_innings(played)
    games.forfeit(played.owner, played.id, winner=OPPONENT)
    assert played.box().lines[played.batter(1).id] == {"strikeouts": 2}
    last = played.story().at_bats[-1]
    told = {"result": "1B", "player_id": last.player_id}
    scoring.correct(played.owner, played.id, last.id, told, seen_version=last.seen_version)
    assert (played.box().lines, scores(played.story().game)) == ({}, (0, 7))


@pytest.mark.parametrize(
    ("ours", "theirs", "is_home", "is_one"),
    [
        ([0] * 5, [0] * 5, False, True),
        ([0] * 4, [0] * 5, False, False),
        ([0] * 5, [0] * 4, False, False),
        ([0] * 5, [1, 0, 0, 0], False, True),
        ([1, 0, 0, 0], [0] * 5, True, True),
        ([0] * 4, [0] * 5, True, False),
        ([9, 0, 0, 0], [0] * 4, True, False),
    ],
)
def test_a_regulation_game_has_five_innings_or_half_of_one_less_if_the_home_team_leads(
    ours, theirs, is_home, is_one
):
    box = Box(inning=len(ours) + 1, runs_by_inning=(*ours, 0))
    assert is_regulation(box, theirs, Rules(), is_home=is_home) is is_one


def test_a_season_with_fewer_innings_needs_no_more_of_them():
    box = Box(inning=4, runs_by_inning=(0, 0, 0, 0))
    assert is_regulation(box, [0] * 3, Rules(innings=3), is_home=False)


def test_a_correction_changes_the_box_score_and_not_the_score(played):
    first = played.record("1B")
    games.forfeit(played.owner, played.id, winner=OWN)
    told = {"result": "HR", "player_id": first.player_id}
    scoring.correct(played.owner, played.id, first.id, told, seen_version=first.seen_version)
    scoring.set_opponent_runs(played.owner, played.id, 1, 9, seen_runs=None)
    assert scores(played.story().game) == (7, 0)
    assert played.box().runs == 7


def test_nobody_types_another_score(played):
    games.forfeit(played.owner, played.id, winner=OWN)
    for name in ("team_score", "opponent_score"):
        with pytest.raises(NotByHand):
            games.edit(played.owner, played.id, {name: 3})
    page = browser_of(played.owner).get(f"/tracker/games/{played.id}/edit/")
    assert not {"team_score", "opponent_score"} & set(page.context["form"].fields)


def test_reopened_it_has_the_score_that_was_written_down(played):
    played.record("HR")
    scoring.set_opponent_runs(played.owner, played.id, 1, 4, seen_runs=None)
    games.forfeit(played.owner, played.id, winner=OPPONENT)
    game = games.move(played.owner, played.id, IN_PROGRESS)
    assert (game.status, game.forfeited_to, scores(game)) == (IN_PROGRESS, None, (1, 4))
    assert played.box().lines[played.batter(1).id] == {"home_runs": 1, "runs": 1, "runs_batted_in": 1}
    played.record("K")


def test_one_that_had_not_begun_is_to_come_again(owner, team):
    game = games.create(owner, team.id, {})
    games.forfeit(owner, game.id, winner=OWN)
    game = games.move(owner, game.id, IN_PROGRESS)
    assert (game.status, game.rules, scores(game)) == (SCHEDULED, None, (0, 0))
    lineup.save(owner, game.id, batting_order(nine(team, actor=owner)))
    assert games.move(owner, game.id, IN_PROGRESS).status == IN_PROGRESS


def test_a_game_that_is_over_is_not_forfeited(played):
    games.forfeit(played.owner, played.id, winner=OWN)
    with pytest.raises(Impossible):
        games.forfeit(played.owner, played.id, winner=OPPONENT)


def test_the_proof_of_all_box_scores_finds_nothing_to_mend(played):
    played.record("HR")
    games.forfeit(played.owner, played.id, winner=OPPONENT)
    assert rebuild._difference(played.id) is None


def test_it_is_asked_on_a_page_of_its_own_and_said_everywhere(played):
    played.record("HR")
    browser = browser_of(played.owner)
    page = f"/tracker/games/{played.id}/"
    for leads_there in (page, address(played)):
        assert f'href="{page}forfeit/"' in text(browser.get(leads_there))
    assert "7:0 for the winner" in text(browser.get(f"{page}forfeit/"))
    assert browser.post(f"{page}forfeit/", {}).status_code == 422
    assert browser.post(f"{page}forfeit/", {"winner": OWN})["Location"] == page
    shown = text(browser.get(page))
    assert ("Won by forfeit" in shown, 'href="forfeit/"' in shown) == (True, False)
    assert "stats count." in text(browser.get(f"{page}box/"))
    assert browser.get(f"{page}box/").context["balance"].difference == 0
    assert "Won by forfeit" in text(browser.get(f"/tracker/teams/{played.team.id}/games/"))
    assert "forfeited" in text(browser.get(f"{page}history/"))
    assert browser.post(f"{page}forfeit/", {"winner": OPPONENT}).status_code == 409


def test_who_may_not_manage_games_forfeits_nothing(played):
    people = cast(played.owner, played.team)
    for role, status in (("player", 403), ("stranger", 404)):
        answer = browser_of(people[role]).post(f"/tracker/games/{played.id}/forfeit/", {"winner": OWN})
        assert answer.status_code == status
    assert played.story().game.status == IN_PROGRESS


def test_a_personal_team_forfeits_nothing(owner):
    personal = team_of(owner, "Monday League", team_type="PERSONAL")
    game = games.create(owner, personal.id, {})
    answer = browser_of(owner).post(f"/tracker/games/{game.id}/forfeit/", {"winner": OWN})
    assert answer.status_code == 404


# --- The time limit -----------------------------------------------------------------------------------------


def started_ago(minutes, league):
    played = Played(league=league)
    opened = game_writing.allowed(played.owner, played.id, "manage_games")
    started_at = now() - timedelta(minutes=minutes)
    game_writing.write(opened, {"started_at": started_at}, verb="update")
    return text(signed_in(played.owner).get(address(played)))


def test_the_screen_says_until_when_an_inning_may_begin_and_when_that_is_over(db):
    league = Rules(time_limit=60)
    early, late = started_ago(30, league), started_ago(61, league)
    assert ('id="time-limit"' in early, 'id="time-over"' in early) == (True, False)
    assert ('id="time-limit"' in late, 'id="time-over"' in late) == (False, True)
    assert "No new inning can start" in late
    without = started_ago(600, Rules())
    assert ('id="time-limit"' in without, 'id="time-over"' in without) == (False, False)


def test_the_time_counts_from_the_start_of_the_game(owner, team):
    game = games.create(owner, team.id, {})
    lineup.save(owner, game.id, batting_order(nine(team, actor=owner)))
    before = now()
    game = games.move(owner, game.id, IN_PROGRESS)
    assert before <= game.started_at <= now()


def test_a_game_without_a_half_inning_that_was_finished_is_in_balance_when_time_is_up(played):
    for result in ("1B", "K", "BB"):
        played.record(result)
    scoring.record(played.owner, played.id, {"result": "END"}, seen=3)
    games.move(played.owner, played.id, FINAL)
    story = played.story()
    box = box_scores.box_of(story.game, story.at_bats)
    assert (box.imbalance, box_scores.left_on_base(story.game, box), box.putouts) == (0, 2, 1)
