"""Where a plate appearance stands among the others, and who can have been part of it. Nothing here reads."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from math import floor
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Invalid
from tracker.games.models import Game
from tracker.rules import batting
from tracker.rules.box_scores import box_of, came_before, empty_slots, order_at
from tracker.rules.running import Move
from tracker.scoring.models import AtBat

Stored = dict[str, Any]


def number_after(at_bats: Sequence[AtBat]) -> int:
    """The number of the next one."""
    return floor(at_bats[-1].number) + 1 if at_bats else 1


def number_before(at_bats: Sequence[AtBat], index: int) -> float:
    """A number between the one at this place and the one before it."""
    earlier, later = float(at_bats[index - 1].number) if index else 0.0, float(at_bats[index].number)
    between = (earlier + later) / 2
    if not earlier < between < later:
        raise Invalid(_("Too many were put in at this place. Take some out, and write them down in order."))
    return between


def free_number(at_bats: Sequence[AtBat], wanted: float) -> float:
    """The wanted number, or the next free place behind whoever has it now."""
    numbers = [float(each.number) for each in at_bats]
    if wanted not in numbers:
        return wanted
    later = [number for number in numbers if number > wanted]
    return (wanted + min(later)) / 2 if later else wanted + 1


def in_order(at_bats: Iterable[AtBat]) -> list[AtBat]:
    return sorted(at_bats, key=lambda each: each.number)


def slots_at(game: Game, at_bats: Sequence[AtBat], index: int) -> dict[str, int]:
    """By player: the place in the order of everybody who can bat at this point of the game."""
    empty = empty_slots(game, at_bats, index)
    order = enumerate(order_at(game, at_bats, index), start=1)
    return {player: slot for slot, player in order if slot not in empty}


def slots_around(game: Game, at_bats: Sequence[AtBat], index: int) -> dict[str, int]:
    """The same for one that was forgotten: a substitution at this point may have come before or after it."""
    return slots_at(game, at_bats, max(index - 1, 0)) | slots_at(game, at_bats, index)


def slots_for(game: Game, at_bats: Sequence[AtBat], index: int) -> dict[str, int]:
    """The same for a correction: whoever is written down was there."""
    at_bat = at_bats[index]
    return slots_around(game, at_bats, index) | {at_bat.player_id: int(at_bat.batting_order)}


def slots_for_entry(
    game: Game, at_bats: Sequence[AtBat], index: int, is_correction: bool = False
) -> dict[str, int]:
    """Who can bat in what is written down at this place: a correction, an insertion, or the next one."""
    if is_correction:
        return slots_for(game, at_bats, index)
    if index < len(at_bats):
        return slots_around(game, at_bats, index)
    return slots_at(game, at_bats, index)


def batters_before(game: Game, at_bats: Sequence[AtBat], index: int, slot: int, player: str) -> list[str]:
    """Who batted in a place of the order before this player, the last one first."""
    entries = (*(game.lineup or ()), *came_before(game, at_bats, index))
    in_place = [each["playerId"] for each in reversed(entries) if each["battingOrder"] == slot]
    return list(dict.fromkeys(each for each in in_place if each != player))


def situation(game: Game, at_bats: Sequence[AtBat]) -> str:
    """One text for all that somebody goes by who writes down the next turn: who bats, and what the bases,
    outs and rules make of it. While it is the same, what was told means the same.
    """
    box = box_of(game, at_bats)
    home_runs = sum(each.result == batting.HOME_RUN for each in at_bats)
    order = order_at(game, at_bats, len(at_bats))
    runs = box.runs_by_inning[-1:]
    bases = sorted(box.on_base.items())
    empty = sorted(empty_slots(game, at_bats, len(at_bats)))
    known = (box.inning, box.outs, bases, box.next_slot, order, empty, home_runs, runs, game.rules)
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:32]


def everybody_in(game: Game) -> list[str]:
    """All who began or came later, in the batting order."""
    places = [*(game.lineup or ()), *(game.substitutions or ())]
    return list(
        dict.fromkeys(each["playerId"] for each in sorted(places, key=lambda one: one["battingOrder"]))
    )


def stored_moves(moves: Iterable[Move]) -> list[Stored]:
    """As a plate appearance keeps them."""
    return [_stored_move(move) for move in moves]


def _stored_move(move: Move) -> Stored:
    kept: Stored = {"from": move.start, "out": True} if move.out else {"from": move.start, "to": move.end}
    return kept | ({"playerId": move.player} if move.player else {})
