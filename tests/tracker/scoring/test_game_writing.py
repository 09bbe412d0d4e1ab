"""Every write of a game changes the game and its box score together."""

import pytest

from core.dynamo.errors import Conflict, NotFound
from core.dynamo.metering import metered
from core.dynamo.transactions import Transaction
from tests.tracker import club
from tracker import repository
from tracker.games.models import Game, Season
from tracker.rules import box_scores
from tracker.scoring import game_writing
from tracker.scoring.models import AtBat

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def game(owner, team):
    players = club.nine(team, actor=owner)
    lineup = [
        {"playerId": player.id, "battingOrder": order, "position": ""}
        for order, player in enumerate(players, start=1)
    ]
    game = Game.about("g-1", team_id=team.id, lineup=lineup, status="IN_PROGRESS")
    return repository.games.create(game, actor=owner.actor)


def homer(opened, number=1):
    first = opened.game.lineup[0]["playerId"]
    return AtBat.in_game(opened.game, player_id=first, number=number, result="HR", batting_order=1)


def test_the_score_and_the_box_follow_from_plate_appearances_in_one_transaction(owner, game):
    with metered() as spent:
        opened = game_writing.allowed(owner, game.id, "manage_atbats")
        assert spent.requests == 2
        transaction = Transaction()
        hit = homer(opened)
        repository.at_bats.create(hit, actor=owner.actor, transaction=transaction)
        written = game_writing.write(
            opened, {"team_score": 99}, verb="record", at_bats=[hit], transaction=transaction
        )
        transaction.commit()
        assert spent.requests == 3
    assert written.team_score == 1
    box = repository.boxes.get(game.team_id, None, game.id)
    assert (box.revision, box.pa_count, box.runs, box.lines[hit.player_id]["home_runs"]) == (1, 1, 1, 1)
    opened = game_writing.allowed(owner, game.id, "manage_atbats")
    stored = box_scores.stored_box(opened.game, opened.story.at_bats, revision=1)
    assert stored.serialize() == box.serialize()


def test_without_plate_appearances_the_entered_score_counts(owner, game):
    opened = game_writing.allowed(owner, game.id, "manage_games")
    game_writing.write(opened, {"team_score": 7, "opponent_score": 3}, verb="update")
    box = repository.boxes.get(game.team_id, None, game.id)
    assert (box.runs, box.opponent_score) == (7, 3)


def test_a_game_that_goes_to_another_season_takes_its_box_with_it(owner, team, game):
    season = repository.seasons.create(Season.about(team.id, "s-1", name="Spring"), actor=owner.actor)
    game_writing.write(
        game_writing.allowed(owner, game.id, "manage_games"), {"location": "Here"}, verb="update"
    )
    game_writing.write(
        game_writing.allowed(owner, game.id, "manage_games"), {"season_id": season.id}, verb="update"
    )
    assert repository.boxes.get(team.id, None, game.id) is None
    assert repository.boxes.get(team.id, season.id, game.id).revision == 2


def test_who_has_not_seen_the_last_write_is_refused(owner, game):
    early = game_writing.allowed(owner, game.id, "manage_games")
    game_writing.write(game_writing.allowed(owner, game.id, "manage_games"), {"location": "A"}, verb="update")
    with pytest.raises(Conflict):
        game_writing.write(early, {"opponent_name": "B"}, verb="update")
    late = game_writing.allowed(owner, game.id, "manage_games")
    game_writing.write(game_writing.allowed(owner, game.id, "manage_games"), {}, verb="update")
    with pytest.raises(Conflict):
        game_writing.write(late, {}, verb="update")


def test_a_game_without_a_box_that_is_deleted_meanwhile_gets_none(owner, game):
    opened = game_writing.allowed(owner, game.id, "manage_games")
    repository.games.delete(opened.game, actor=owner.actor)
    with pytest.raises((Conflict, NotFound)):
        game_writing.write(opened, {}, verb="update")
    assert repository.boxes.of_team(game.team_id) == []
