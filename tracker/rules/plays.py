"""Numbers of plate appearances, and who can have batted in them. Pure functions, no requests."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from math import floor
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Invalid
from tracker.games.models import Game
from tracker.rules import batting
from tracker.rules.box_scores import batters_after, box_of, came_before, empty_slots, order_now
from tracker.rules.runners import Move
from tracker.scoring.models import AtBat

Stored = dict[str, Any]


def place_of(at_bats: Sequence[AtBat], *ids: str) -> int:
    """The index of the first plate appearance with one of these ids; that of the next one without such."""
    return next((index for index, each in enumerate(at_bats) if each.id in ids), len(at_bats))


def number_after(at_bats: Sequence[AtBat]) -> int:
    """The number of the next plate appearance."""
    return floor(at_bats[-1].number) + 1 if at_bats else 1


def number_before(at_bats: Sequence[AtBat], index: int) -> float:
    """A number between the plate appearance at this index and the one before it."""
    earlier, later = float(at_bats[index - 1].number) if index else 0.0, float(at_bats[index].number)
    between = (earlier + later) / 2
    if not earlier < between < later:
        raise Invalid(_("Too many turns were inserted here. Delete some and record them in order."))
    return between


def free_number(at_bats: Sequence[AtBat], wanted: float) -> float:
    """The wanted number, or a free one after the plate appearance that has it now."""
    numbers = [float(each.number) for each in at_bats]
    if wanted not in numbers:
        return wanted
    later = [number for number in numbers if number > wanted]
    return (wanted + min(later)) / 2 if later else wanted + 1


def slots_at(game: Game, at_bats: Sequence[AtBat], index: int) -> dict[str, int]:
    """Slots by player id of those who can bat in the play at this index."""
    empty = empty_slots(game, at_bats, index)
    batters = batters_after(game, came_before(game, at_bats, index))
    return {player: slot for slot, player in batters.items() if slot not in empty}


def slots_for_entry(
    game: Game, at_bats: Sequence[AtBat], index: int, is_correction: bool = False
) -> dict[str, int]:
    """As `slots_at`, for the next play, for an insertion, or for a correction."""
    slots = slots_at(game, at_bats, index)
    if index < len(at_bats):
        # A substitution at this index may be before or after an insertion.
        slots = slots_at(game, at_bats, max(index - 1, 0)) | slots
    if is_correction:
        slots[at_bats[index].player_id] = int(at_bats[index].batting_order)
    return slots


def batters_before(game: Game, at_bats: Sequence[AtBat], index: int, slot: int, player: str) -> list[str]:
    """The players who were in this slot before this player, the last one first."""
    entries = (*(game.lineup or ()), *came_before(game, at_bats, index))
    in_place = [each["playerId"] for each in reversed(entries) if each["battingOrder"] == slot]
    return list(dict.fromkeys(each for each in in_place if each != player))


def situation_hash(game: Game, at_bats: Sequence[AtBat]) -> str:
    """A hash of all that the next entry depends on: batter, bases, outs, order and rules.

    A form that was rendered for the same situation still means the same.
    """
    box = box_of(game, at_bats)
    home_runs = sum(each.result == batting.HOME_RUN for each in at_bats)
    order = order_now(game, at_bats)
    runs = box.runs_by_inning[-1:]
    bases = sorted(box.on_base.items())
    empty = sorted(empty_slots(game, at_bats, len(at_bats)))
    known = (box.inning, box.outs, bases, box.next_slot, order, empty, home_runs, runs, game.rules)
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:32]


def stored_moves(moves: Iterable[Move]) -> list[Stored]:
    """Moves as stored in `AtBat.runners`."""
    return [
        {"from": move.start}
        | ({"out": True} if move.out else {"to": move.end})
        | ({"playerId": move.player} if move.player else {})
        for move in moves
    ]
