"""How the games of the demo come into the table: planned, played and ended, whatever is there already."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from core.accounts.user import User
from core.dynamo.errors import AlreadyExists, NotFound
from core.dynamo.transactions import Transaction
from tracker import lineups, repository
from tracker.demo.innings import Played, Turn, stored_moves
from tracker.lineups import Entry
from tracker.models import FINAL, IN_PROGRESS, SCHEDULED, AtBat, Game, Player
from tracker.positions import IN_A_LINE_UP
from tracker.services import counting, game_writing, games, lineup, scoring

# With their history and the counters of their batters they fit into one transaction.
AT_ONCE = 35
BETWEEN_TURNS = timedelta(seconds=85)


@dataclass(frozen=True)
class Substitution:
    slot: int
    player_id: str
    after: int


def id_of(*parts: object) -> str:
    """The same record has the same id in every load."""
    return str(uuid5(NAMESPACE_URL, "/".join(map(str, ("softball", *parts)))))


def planned(user: User, team_id: str, game_id: str, **fields: Any) -> Game:
    """The game as it is stored, made now if it is not there."""
    with suppress(AlreadyExists):
        return games.create(user, team_id, fields, game_id=game_id)
    return repository.games.of(game_id, strong=True)


def begin(user: User, game: Game, order: Sequence[Entry]) -> Game:
    if game.status == SCHEDULED and order and not game.lineup:
        game = lineup.save(user, game.id, order)
    return games.move(user, game.id, IN_PROGRESS) if game.status == SCHEDULED else game


def tell(user: User, game_id: str, story: Played, *, change: Substitution | None = None) -> None:
    """Write a game down to where it is told; the next load goes on where this one stopped."""
    stop = change.after if change else len(story.turns)
    _write_down(user, game_id, story.turns[:stop])
    if change is not None:
        if not repository.games.of(game_id, strong=True).substitutions:
            lineup.substitute(user, game_id, change.slot, change.player_id)
        _write_down(user, game_id, story.turns)
    opened = game_writing.opened(user, game_id, scoring.VERB)
    if list(opened.game.opponent_by_inning) != story.opponent:
        fields = {"opponent_by_inning": story.opponent, "opponent_score": sum(story.opponent)}
        game_writing.write(opened, fields, verb="opponent")


def _write_down(user: User, game_id: str, turns: Sequence[Turn]) -> None:
    """Many at once, as `scoring.record` would have written them down one by one."""
    while True:
        opened = game_writing.opened(user, game_id, scoring.VERB)
        told = opened.story.at_bats
        coming = turns[len(told) : len(told) + AT_ONCE]
        if not coming:
            return
        transaction = Transaction()
        written = [
            repository.at_bats.create(
                _at_bat(opened.game, turn, user), actor=user.actor, verb="record", transaction=transaction
            )
            for turn in coming
        ]
        counting.count(transaction, written, 1, refused=lambda _stored: NotFound())
        game_writing.write(opened, {}, verb="score", at_bats=[*told, *written], transaction=transaction)
        transaction.commit()


def _at_bat(game: Game, turn: Turn, scorer: User) -> AtBat:
    appearance = turn.appearance
    return AtBat.about(
        game,
        id_of("turn", game.id, appearance.number),
        number=int(appearance.number),
        inning=turn.inning,
        outs=turn.outs,
        batting_order=appearance.slot,
        player_id=appearance.player,
        result=appearance.result,
        rbis=appearance.runs_batted_in,
        runners=stored_moves(appearance),
        hit_location=turn.hit_location,
        hit_type=turn.hit_type,
        scored_by=scorer.sub,
        created_at=_moment(game, appearance.number),
    )


def _moment(game: Game, number: float) -> datetime:
    start: datetime = game.scheduled_start
    return start + BETWEEN_TURNS * number


def end(user: User, game_id: str, **scores: int) -> None:
    if repository.games.of(game_id, strong=True).status != FINAL:
        games.move(user, game_id, FINAL, fields=scores)


def order_of(players: Sequence[Player]) -> list[Entry]:
    """Everybody at the own position, in this order."""
    positions = {
        player.id: next((each for each in player.positions or () if each in IN_A_LINE_UP), "")
        for player in players
    }
    return lineups.entries([player.id for player in players], positions)
