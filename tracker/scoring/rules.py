"""Validation of entries of plate appearances, and the errors with which they are refused."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Conflict, Invalid, Text
from tracker.games.models import IN_PROGRESS
from tracker.rules import batting, box_scores, plays, results
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.models import AtBat

# The right in the team that scoring requires.
RIGHT = "manage_atbats"
MOST_INNINGS, MOST_RUNS = 30, 99
UNUSABLE_RUNS: Text = _("This is not a valid number of runs.")
# The fields of a plate appearance that are entered.
ENTERED = ("result", "player_id", "hit_location", "hit_type", "rbis", "runners", "charged_to")
NOBODY_BATTED = {"hit_location": None, "hit_type": None, "rbis": None, "charged_to": None}


class Overtaken(Conflict):
    """Somebody else has recorded this turn; `current` are the plate appearances added meanwhile."""

    message = _("Someone else has recorded something in the meantime. Check it before you continue.")


TAKEN_BACK: Text = _("Someone else has undone a play in the meantime. Check the batter and the bases.")
NOT_TO_REDO: Text = _("Someone else has recorded something in the meantime, so this cannot be redone.")
NOT_THE_SAME: Text = _(
    "Something before this turn has changed in the meantime. Check the batter and the bases."
)


class WrittenBefore(Overtaken):
    """A replay of a request with other content."""

    message = _("This has already been recorded as shown. If it is wrong, correct it there.")


class NotLive(Conflict):
    message = _("This game is not in progress, so you cannot record anything new.")


class Changed(Conflict):
    """The plate appearance has changed since the page was rendered; `current` is the stored one."""


def ensure_next(opened: OpenGame, *, seen: int, situation_hash: str | None) -> None:
    """Raise NotLive in a game that is not played, Overtaken if the page did not show the game as it is."""
    if opened.game.status != IN_PROGRESS:
        raise NotLive
    if not opened.access.team.is_personal and not opened.game.lineup:
        raise NotLive(_("Set the line-up first."))
    at_bats = opened.story.at_bats
    if len(at_bats) > seen:
        raise Overtaken(current=at_bats[seen:])
    if len(at_bats) < seen:
        raise Overtaken(TAKEN_BACK, current=[])
    if situation_hash is not None and situation_hash != plays.situation_hash(opened.game, at_bats):
        raise Overtaken(NOT_THE_SAME, current=[])


def checked(
    opened: OpenGame, entered: Mapping[str, Any], index: int, *, is_correction: bool = False
) -> dict[str, Any]:
    """The attributes to write, validated: the batter is in the line-up, whose slot is added."""
    game, at_bats = opened.game, opened.story.at_bats
    facts: dict[str, Any] = {name: entered.get(name) for name in ENTERED}
    if facts["result"] not in (results.TITLES if game.lineup else results.AT_BAT):
        raise Invalid(_("Choose a result."), field="result")
    if not game.lineup:
        return facts | {"batting_order": 1, "charged_to": None}
    if facts["result"] in batting.NOT_TURNS:
        return facts | NOBODY_BATTED | _at_bat_now(opened, index, facts["result"])
    player = facts["player_id"]
    slot = plays.slots_for_entry(game, at_bats, index, is_correction).get(player)
    if slot is None:
        raise Invalid(_("This player is not in the line-up at this point in the game."), field="player")
    if facts["result"] != batting.STRIKEOUT:
        facts["charged_to"] = None
    elif facts["charged_to"] not in (None, *plays.batters_before(game, at_bats, index, slot, player)):
        raise Invalid(_("This player did not bat in this place before."), field="charged_to")
    return facts | {"batting_order": slot}


def _at_bat_now(opened: OpenGame, index: int, result: str) -> dict[str, Any]:
    """Player and slot of the batter at the time of a play that is no turn, validated by result."""
    game, at_bats = opened.game, opened.story.at_bats
    box = box_scores.box_of(game, at_bats, until=index)
    batter = {
        "player_id": box_scores.batter_of(game, box.next_slot, at_bats, index),
        "batting_order": box.next_slot,
    }
    if result == batting.BETWEEN_TURNS:
        return batter
    if result == batting.EMPTY_PLACE and box.next_slot not in box_scores.empty_slots(game, at_bats, index):
        raise Invalid(_("Someone bats in this place."))
    if result == batting.HALF_INNING_ENDED and box.innings_begun != box.inning:
        raise Invalid(_("Nobody has batted in this half-inning yet."))
    return batter | {"runners": None}


def as_seen(opened: OpenGame, at_bat_id: str, seen_version: int) -> AtBat:
    at_bat = opened.story.at_bat(at_bat_id)
    if at_bat.seen_version != seen_version:
        raise Changed(current=at_bat)
    return at_bat


def innings_with(stored: list[int], inning: int, runs: int | None) -> list[int]:
    """The opponent's runs by inning after this entry; innings are entered in order, None removes the last."""
    if runs is None and inning == len(stored):
        return stored[:-1]
    if runs is None or not 1 <= inning <= min(len(stored) + 1, MOST_INNINGS) or not 0 <= runs <= MOST_RUNS:
        raise Invalid(UNUSABLE_RUNS)
    return [*stored[: inning - 1], runs, *stored[inning:]]
