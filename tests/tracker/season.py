"""Games that were played, stored without the way through every form: for the tests of figures."""

import random
from datetime import UTC, datetime, timedelta

from core.dynamo import transactions
from core.dynamo.items import new_id
from tests.tracker.club import nine
from tracker import repository
from tracker.games.models import FINAL, Game, Season
from tracker.rules import box_scores, season_rules
from tracker.rules.batting import RESULTS
from tracker.rules.replay import Rules
from tracker.scoring.models import AtBat
from tracker.statistics import appearances as counting

OPENING_DAY = datetime(2026, 5, 2, 13, 0, tzinfo=UTC)
# With history beside each, so many fit into one transaction.
AT_ONCE = 40


def season_of(team, name="Spring", *, actor, **fields):
    return repository.seasons.create(Season.about(team.id, name=name, **fields), actor=actor.actor)


def told(team, players, results, *, game_id="", **fields):
    """A game with its plate appearances, not stored; each result may be a pair with further fields."""
    lineup = [
        {"playerId": player.id, "battingOrder": order, "position": ""}
        for order, player in enumerate(players, start=1)
    ]
    planned = {"status": FINAL, "scheduled_start": OPENING_DAY, "opponent_name": "Rivertown Rockets"}
    planned |= {"rules": season_rules.stored(Rules()), "lineup": lineup, **fields}
    game = Game.about(game_id or new_id(), team_id=team.id, **planned)
    at_bats = []
    for number, each in enumerate(results, start=1):
        result, special = each if isinstance(each, tuple) else (each, {})
        slot = (number - 1) % len(players) + 1
        given = {"player_id": players[slot - 1].id, "batting_order": slot, "number": number, **special}
        at_bats.append(AtBat.in_game(game, result=result, **given))
    return game, at_bats


def played(team, players, results, *, actor, **fields):
    """The same, stored: the game, every plate appearance and the box score."""
    game, at_bats = told(team, players, results, **fields)
    if box_scores.follows(game, at_bats):
        game.team_score = box_scores.box_of(game, at_bats).runs
    repository.games.create(game, actor=actor.actor)
    stored = []
    for first in range(0, len(at_bats), AT_ONCE):
        transaction = transactions.Transaction()
        for at_bat in at_bats[first : first + AT_ONCE]:
            stored.append(repository.at_bats.create(at_bat, actor=actor.actor, transaction=transaction))
        counting.count(transaction, stored[first:], 1, refused=lambda _stored: LookupError())
        transaction.commit()
    put_boxes([box_scores.stored_box(game, stored, revision=1)])
    return game


def whole_season(team, season, *, actor, games=60, appearances=40, seed=7):
    """The box scores of a season, and the results by player they are made of."""
    chance = random.Random(seed)
    players = nine(team, actor=actor)
    results = {player.id: [] for player in players}
    made = []
    for number in range(games):
        drawn = [chance.choice(RESULTS) for _turn in range(appearances)]
        places = [{"x": round(chance.random(), 3), "y": round(chance.random(), 3)} for _turn in drawn]
        game, at_bats = told(
            team,
            players,
            [(result, {"hit_location": place}) for result, place in zip(drawn, places, strict=True)],
            season_id=season.id,
            opponent_score=chance.randrange(12),
            scheduled_start=OPENING_DAY + timedelta(days=2 * number),
            is_home=number % 2 == 0,
        )
        for at_bat in at_bats:
            results[at_bat.player_id].append(at_bat.result)
        made.append(box_scores.stored_box(game, at_bats, revision=1))
    put_boxes(made)
    return players, results, made


def put_boxes(made):
    for first in range(0, len(made), AT_ONCE):
        transactions.commit(*map(transactions.put, made[first : first + AT_ONCE]))
