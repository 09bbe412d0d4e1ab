"""Idempotent helpers that plan, play and end the games of the demo."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

from core.accounts.user import User
from core.dynamo.errors import AlreadyExists
from core.dynamo.example_data import fixed_id
from core.dynamo.transactions import Transaction
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS, SCHEDULED, Game
from tracker.games.services import games
from tracker.roster.models import Player
from tracker.rules import lineups
from tracker.rules.positions import IN_A_LINE_UP
from tracker.scoring import game_writing, rules
from tracker.scoring.models import AtBat
from tracker.scoring.services import lineup
from tracker.statistics import appearances

# The fields of a plate appearance.
Turn = dict[str, Any]
# So many plate appearances, with their history entries and player counters, fit into one transaction.
AT_ONCE = 35
BETWEEN_TURNS = timedelta(seconds=85)
id_of = partial(fixed_id, "softball")


def planned(user: User, team_id: str, game_id: str, **fields: Any) -> Game:
    """The stored game; created if it does not exist."""
    with suppress(AlreadyExists):
        return games.create(user, team_id, fields, game_id=game_id)
    return repository.games.of(game_id, strong=True)


def begin(user: User, game: Game, order: Sequence[lineups.Entry]) -> None:
    if game.status == SCHEDULED:
        if order and not game.lineup:
            lineup.save(user, game.id, order)
        games.move(user, game.id, IN_PROGRESS)


def turns(order: Sequence[str], plays: Iterable[Turn], change: dict[str, Any] | None = None) -> list[Turn]:
    """The plays of a game with their batters, in batting order; `change` is the substitution."""
    written = []
    for index, play in enumerate(plays):
        slot = index % len(order) + 1
        has_changed = change is not None and change["slot"] == slot and index >= change["after"]
        player_id = change["player_id"] if change and has_changed else order[slot - 1]
        written.append(play | {"number": index + 1, "batting_order": slot, "player_id": player_id})
    return written


def write_down(
    user: User,
    game_id: str,
    turns: Sequence[Turn],
    opponent_by_inning: Sequence[int],
    *,
    change: dict[str, Any] | None = None,
) -> None:
    """Record the plays that are not stored yet; an interrupted load is continued by the next one."""
    stop = change["after"] if change else len(turns)
    _write_down(user, game_id, turns[:stop])
    if change is not None:
        if not repository.games.of(game_id, strong=True).substitutions:
            lineup.substitute(user, game_id, change["slot"], change["player_id"])
        _write_down(user, game_id, turns)
    opened = game_writing.allowed(user, game_id, rules.RIGHT)
    if list(opened.game.opponent_by_inning) != opponent_by_inning:
        fields = {"opponent_by_inning": opponent_by_inning, "opponent_score": sum(opponent_by_inning)}
        game_writing.write(opened, fields, verb="opponent")


def _write_down(user: User, game_id: str, turns: Sequence[Turn]) -> None:
    """Record in batches what `scoring.record` would write one by one."""
    while True:
        opened = game_writing.allowed(user, game_id, rules.RIGHT)
        stored = opened.story.at_bats
        batch = turns[len(stored) : len(stored) + AT_ONCE]
        if not batch:
            return
        transaction = Transaction()
        written = [
            repository.at_bats.create(
                _at_bat(opened.game, turn, user), actor=user.actor, verb="record", transaction=transaction
            )
            for turn in batch
        ]
        appearances.count(transaction, written, 1)
        game_writing.write(opened, {}, verb="score", at_bats=[*stored, *written], transaction=transaction)
        transaction.commit()


def _at_bat(game: Game, turn: Turn, scorer: User) -> AtBat:
    return AtBat.in_game(
        game,
        id_of("turn", game.id, turn["number"]),
        scored_by=scorer.sub,
        created_at=game.scheduled_start + BETWEEN_TURNS * turn["number"],
        **turn,
    )


def end(user: User, game_id: str, **scores: int) -> None:
    if repository.games.of(game_id, strong=True).status != FINAL:
        games.move(user, game_id, FINAL, fields=scores)


def order_of(players: Sequence[Player]) -> list[lineups.Entry]:
    """Line-up entries of these players in this order, each at the first position of the roster."""
    positions = {
        player.id: next((each for each in player.positions or () if each in IN_A_LINE_UP), "")
        for player in players
    }
    return lineups.entries([player.id for player in players], positions)
