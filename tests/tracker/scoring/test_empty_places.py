"""A batter leaves the order without a substitute, and a line-up has as few batters as the season allows."""

import pytest

from core.dynamo.errors import Invalid
from core.dynamo.metering import metered
from tests.tracker.club import batting_order, browser_of, ghost, nine
from tests.tracker.scorebook import Played
from tests.tracker.scoring.scoring_page import HTMX, address, signed_in, text
from tests.tracker.season import season_of
from tracker import repository
from tracker.games.models import Game
from tracker.games.services import games
from tracker.roster.models import Player
from tracker.rules import box_scores, lineups
from tracker.rules import season_rules as rules
from tracker.rules.lineups import BadLineup
from tracker.rules.positions import IN_A_LINE_UP, ON_A_ROSTER
from tracker.rules.replay import AN_OUT, Appearance, Replacement, Rules, replay
from tracker.scoring.services import lineup, scoring

ORDER = ("Ada", "Bea", "Cem")


# --- What follows from it -----------------------------------------------------------------------------------


def told(*plays, rules=None, left=()):
    """Of three batters; each play is a place and a result."""
    written = [
        Appearance(number, slot, ORDER[slot - 1], result)
        for number, (slot, result) in enumerate(plays, start=1)
    ]
    return replay(written, rules or Rules(), slots=3, replacements=left)


def test_an_empty_place_is_skipped():
    left = [Replacement(1, "Bea", slot=2)]
    assert told((1, "1B"), left=left).next_slot == 3
    assert told((1, "1B"), (3, "K"), (1, "K"), left=left).next_slot == 3
    # Who comes in later bats there again.
    back = [*left, Replacement(3, "Bea", "Zoe", 2)]
    assert told((1, "1B"), (3, "K"), (1, "K"), left=back).next_slot == 2


def test_where_the_league_says_so_it_is_an_out_that_is_nobodys():
    league = Rules(empty_place=AN_OUT)
    left = [Replacement(1, "Bea", slot=2)]
    assert told((1, "1B"), rules=league, left=left).next_slot == 2
    box = told((1, "1B"), (2, "EP"), (3, "K"), (1, "K"), rules=league, left=left)
    assert (box.inning, box.outs, box.next_slot) == (2, 0, 2)
    assert (box.putouts, box.empty_outs, box.left_on_base, box.imbalance) == (3, 1, 1, 0)
    assert (box.team.plate_appearances, "Bea" in box.lines, box.problems) == (3, False, ())


def test_the_tie_breaker_places_who_batted_last_not_who_left():
    league = Rules(empty_place=AN_OUT, tie_breaker_from=2)
    left = [Replacement(1, "Bea", slot=2)]
    box = told((1, "K"), (3, "K"), (1, "BB"), (2, "EP"), rules=league, left=left)
    assert box.on_base == {2: "Ada"}


# --- Writing it down ----------------------------------------------------------------------------------------


@pytest.fixture
def played(db):
    return Played()


@pytest.fixture
def with_outs(db):
    return Played(league=Rules(empty_place=AN_OUT))


def leave(played, place):
    return lineup.leave(played.owner, played.id, place)


def test_the_next_batter_follows_who_left_and_their_figures_stay(played):
    played.record("HR")
    played.record("K")
    leave(played, 2)
    for result in ("1B", "K", "1B", "1B", "1B", "K", "K"):
        played.record(result)
    assert played.record("2B").player_id == played.batter(1).id
    assert played.record("K").player_id == played.batter(3).id
    assert played.box().lines[played.batter(2).id] == {"strikeouts": 1}
    with pytest.raises(Invalid):
        played.record("1B", player=played.batter(2).id)


def test_the_batter_who_is_up_can_leave(played):
    leave(played, 1)
    assert played.record("1B").player_id == played.batter(2).id


def test_undo_before_it_lets_the_batter_have_the_turn_and_redo_takes_it_again(played):
    played.record("1B")
    second = played.record("K")
    leave(played, 3)
    scoring.undo(played.owner, played.id, second.id)
    story = played.story()
    assert box_scores.empty_slots(story.game, story.at_bats, len(story.at_bats)) == set()
    scoring.redo(played.owner, played.id, second.id)
    assert played.record("1B").player_id == played.batter(4).id


def test_it_is_taken_back_like_a_substitution_and_somebody_can_still_come_in(played):
    zoe = ghost(played.team, "Zoe", 10, actor=played.owner)
    played.record("1B")
    leave(played, 2)
    lineup.take_back(played.owner, played.id)
    leave(played, 2)
    played.record("K")
    lineup.substitute(played.owner, played.id, 2, zoe.id)
    for _turn in range(7):
        played.record("K")
    assert played.record("2B").player_id == zoe.id


def test_who_left_can_come_back_once(played):
    played.record("1B")
    leave(played, 2)
    played.record("K")
    lineup.substitute(played.owner, played.id, 2, played.batter(2).id)
    played.record("K")
    leave(played, 2)
    played.record("K")
    with pytest.raises(BadLineup):
        lineup.substitute(played.owner, played.id, 2, played.batter(2).id)


def test_who_is_on_base_does_not_leave_and_nobody_leaves_twice(played):
    played.record("1B")
    with pytest.raises(BadLineup, match="on base"):
        leave(played, 1)
    leave(played, 5)
    for place in (5, 0, 10):
        with pytest.raises(BadLineup):
            leave(played, place)


def test_the_last_batter_stays(played):
    for place in range(2, 10):
        leave(played, place)
    with pytest.raises(BadLineup, match="must stay"):
        leave(played, 1)
    for _turn in range(4):
        assert played.record("K").player_id == played.batter(1).id


def test_the_out_for_an_empty_place_is_one_press_and_counts_for_nobody(with_outs):
    played, client = with_outs, signed_in(with_outs.owner)
    played.record("1B")
    leave(played, 2)
    page = client.get(address(played))
    assert "</span> Nobody, place 2</h2>" in text(page)
    assert "Out: nobody bats in place 2. 1 out." in text(page)
    assert 'id="play"' not in text(page)
    sent = {"seen": page.context["seen"], "situation": page.context["situation_hash"]}
    with metered() as usage:
        client.post(address(played, "empty"), sent)
    assert (usage.requests, played.results()) == (5, ["1B", "EP"])
    box = played.box()
    assert (box.putouts, box.empty_outs, box.lines) == (1, 1, {played.batter(1).id: {"singles": 1}})
    assert int(repository.players.of(played.team.id, played.batter(2).id, strong=True).at_bats or 0) == 0
    shown = browser_of(played.owner).get(f"/tracker/games/{played.id}/box/")
    assert (shown.context["balance"].difference, "outs for empty places" in text(shown)) == (0, True)
    again = client.post(address(played, "empty"), {"seen": 2}, headers=HTMX)
    assert (again.status_code, "Someone bats in this place." in text(again)) == (422, True)
    assert played.record("K").player_id == played.batter(3).id


def test_a_turn_of_a_place_that_is_empty_is_refused(with_outs):
    leave(with_outs, 1)
    with pytest.raises(Invalid):
        with_outs.record("1B", player=with_outs.batter(1).id)


def test_it_is_chosen_on_the_page_of_the_line_up(played):
    browser = browser_of(played.owner)
    page = f"/tracker/games/{played.id}/lineup/"
    assert "Nobody: leaves without a substitute" in text(browser.get(page))
    sent = {"slot": 4, "player": "nobody"}
    assert browser.post(f"{page}substitute/", sent).status_code == 302
    assert played.story().game.substitutions == [
        {"battingOrder": 4, "playerId": played.batter(4).id, "after": 0, "left": True}
    ]
    shown = text(browser.get(page))
    assert "4. nobody, Dov left" in shown
    assert "Now nobody" in shown
    assert "nobody" in text(browser.get(f"/tracker/games/{played.id}/"))
    assert "place 4: Dov left" in text(browser.get(f"/tracker/games/{played.id}/history/"))


def test_fewer_batters_than_the_season_asks_for_are_said_on_the_screen(played):
    client = signed_in(played.owner)
    leave(played, 9)
    assert 'id="short"' not in text(client.get(address(played)))
    leave(played, 8)
    assert "Only 7 batters are left. The season's rules require 8." in text(client.get(address(played)))


# --- Line-ups -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fewest", "count", "is_taken"), [(6, 6, True), (6, 5, False), (None, 7, False)])
def test_how_few_a_line_up_has_is_a_rule_of_the_season(owner, team, fewest, count, is_taken):
    league = rules.stored(Rules(fewest_batters=fewest)) if fewest else {}
    season = season_of(team, actor=owner, rules=league)
    game = games.create(owner, team.id, {"season_id": season.id})
    order = batting_order(nine(team, actor=owner)[:count])
    if is_taken:
        lineup.save(owner, game.id, order)
        assert len(games.move(owner, game.id, "IN_PROGRESS").lineup) == count
    else:
        with pytest.raises(BadLineup, match=f"{fewest or 8} to 20"):
            lineup.save(owner, game.id, order)


def test_the_page_says_how_few(owner, team):
    season = season_of(team, actor=owner, rules=rules.stored(Rules(fewest_batters=5)))
    game = games.create(owner, team.id, {"season_id": season.id})
    assert "0 of 5 to 20" in text(browser_of(owner).get(f"/tracker/games/{game.id}/lineup/?from=empty"))


def test_a_game_that_has_begun_keeps_the_number_it_began_with():
    game = Game.about("game", team_id="team", rules=rules.stored(Rules(fewest_batters=9)))
    assert rules.of_game(game, None).fewest_batters == 9


@pytest.mark.parametrize("position", ["DP", "DH", "EH"])
def test_who_only_bats_has_the_same_position_on_rosters_and_in_line_ups(position):
    assert position in IN_A_LINE_UP
    assert position in ON_A_ROSTER
    player = Player.about("team", first_name="Ada", positions=[position])
    assert lineups.usual_position(player) == position
