"""Where a plate appearance stands among the others, and who can have been part of it. Nothing here reads."""

from collections.abc import Iterable, Mapping, Sequence
from math import floor
from typing import Any

from django.utils.translation import gettext_lazy as _

from dynamo.errors import Invalid
from tracker.boxes import order_after
from tracker.models import AtBat, Game
from tracker.running import Move

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


def substitutions_with_one_more(game: Game, index: int) -> list[Stored]:
    """They say after how many plate appearances: one more before them counts."""
    return [_moved(each, 1) if each["after"] > index else each for each in game.substitutions or ()]


def substitutions_with_one_less(game: Game, index: int) -> list[Stored]:
    return [_moved(each, -1) if each["after"] > index else each for each in game.substitutions or ()]


def _moved(substitution: Mapping[str, Any], by: int) -> Stored:
    return {**substitution, "after": substitution["after"] + by}


def slots_at(game: Game, index: int) -> dict[str, int]:
    """By player: the place in the order of everybody who can bat at this point of the game."""
    return {player: slot for slot, player in enumerate(order_after(game, index), start=1)}


def slots_around(game: Game, index: int) -> dict[str, int]:
    """The same for one that was forgotten: a substitution at this point may have come before or after it."""
    return slots_at(game, max(index - 1, 0)) | slots_at(game, index)


def slots_for(game: Game, index: int, at_bat: AtBat) -> dict[str, int]:
    """The same for a correction: whoever is written down was there."""
    return slots_around(game, index) | {at_bat.player_id: int(at_bat.batting_order)}


def batters_before(game: Game, slot: int, index: int, player: str) -> list[str]:
    """Who batted in a place of the order before this player, the last one first."""
    began = [each for each in game.lineup or () if each["battingOrder"] == slot]
    came = [
        each for each in game.substitutions or () if each["battingOrder"] == slot and each["after"] <= index
    ]
    latest_first = sorted(came, key=lambda each: each["after"], reverse=True) + began
    return list(dict.fromkeys(each["playerId"] for each in latest_first if each["playerId"] != player))


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
