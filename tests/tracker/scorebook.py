"""Games that are being played, for the tests of scoring."""

from datetime import UTC, datetime

from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import new_id
from tests.tracker.club import nine, person, team_of
from tracker import repository
from tracker.games.models import IN_PROGRESS, Game
from tracker.rules import box_scores, season_rules
from tracker.rules.replay import Rules
from tracker.scoring import game_writing
from tracker.scoring.services import scoring

START = datetime(2026, 5, 9, 13, 0, tzinfo=UTC)


class Played:
    """A live game of nine ghosts, numbers 1 to 9 in that order."""

    def __init__(self, owner=None, *, team=None, league=None, **fields):
        self.owner = owner or person("Olga")
        self.team = team or team_of(self.owner)
        self.players = nine(self.team, actor=self.owner)
        self.game = started(self.owner, self.team, self.players, league=league, **fields)

    @property
    def id(self):
        return self.game.id

    def story(self):
        return repository.games.story(self.id, strong=True)

    def box(self):
        """What is stored, which must always be what the plate appearances come to."""
        story = self.story()
        kept = repository.boxes.get(self.team.id, story.game.season_id, self.id, strong=True)
        told = box_scores.stored_box(story.game, story.at_bats, revision=int(kept.revision))
        assert told.serialize() == kept.serialize()
        return kept

    def batter(self, number):
        return self.players[number - 1]

    def record(self, result, *, by=None, seen=None, once=None, player=None, **fields):
        """The next turn, of the player whose turn it is."""
        story = self.story()
        count = len(story.at_bats)
        slot = box_scores.box_of(story.game, story.at_bats).next_slot
        batter = player or box_scores.batter_of(story.game, slot, story.at_bats, count)
        told = {"result": result, "player_id": batter, **fields}
        seen = count if seen is None else seen
        return scoring.record(by or self.owner, self.id, told, seen=seen, once=once).at_bat

    def results(self):
        return [each.result for each in self.story().at_bats]


def started(owner, team, players, *, league=None, **fields):
    """A game in progress with its box score, as the service of games leaves it."""
    lineup = [
        {"playerId": player.id, "battingOrder": order, "position": ""}
        for order, player in enumerate(players, start=1)
    ]
    game = Game.about(
        new_id(),
        team_id=team.id,
        scheduled_start=START,
        lineup=lineup,
        rules=season_rules.stored(league or Rules()),
        **{"opponent_name": "Rivertown Rockets", **fields},
    )
    repository.games.create(game, actor=owner.actor)
    opened = game_writing.allowed(owner, game.id, "manage_games")
    return game_writing.write(opened, {"status": IN_PROGRESS}, verb="start")


def once(user, key=None, *, route="POST /record/", payload=None):
    return IdempotencyKey(sub=user.sub, route=route, key=key or new_id(), payload=payload or {})
