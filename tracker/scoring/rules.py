"""Validation of entries of plate appearances, and the errors with which they are refused."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import (
    Conflict,
    Invalid,
    Text,
)
from tracker.games.models import IN_PROGRESS
from tracker.rules import batting, box_scores, plays, results
from tracker.scoring.game_writing import OpenGame
from tracker.scoring.models import AtBat

# The right in the team that scoring requires.
VERB = "manage_atbats"
MOST_INNINGS, MOST_RUNS = 30, 99
UNUSABLE_RUNS: Text = _("That cannot be the opponent's runs in this inning.")

# The entry of a plate appearance: its fields, or a function that returns them given the open game and the
# index, because a posted form can only be validated with these.
Told = Mapping[str, Any] | Callable[[OpenGame, int], Mapping[str, Any]]
TOLD = ("result", "player_id", "hit_location", "hit_type", "rbis", "runners", "charged_to")
NOBODY_BATTED = {"hit_location": None, "hit_type": None, "rbis": None, "charged_to": None}


class Overtaken(Conflict):
    """Somebody else has recorded this turn; `current` are the plate appearances added meanwhile."""

    message = _("Somebody else has written something down in the meantime. Look at it before you go on.")


TAKEN_BACK: Text = _("Somebody else has taken back a play in the meantime. Look at the batter and the bases.")
NOT_TO_REDO: Text = _("Somebody else has written something down in the meantime, so this stays undone.")
NOT_THE_SAME: Text = _(
    "Before this turn, something has changed in the meantime. Look at the batter and the bases."
)


class WrittenBefore(Overtaken):
    """A replay of a request with other content."""

    message = _("This was written down before, as it stands here. Correct it there if it is wrong.")


class NotLive(Conflict):
    message = _("This game is not being played, so nothing new can be written down.")


class Unusable(Invalid):
    """The entry is invalid; the form has the errors."""

    status_code = 422


class Unconfirmed(Invalid):
    """The person must confirm what would be stored, which is `summary`."""

    def __init__(self, summary: str) -> None:
        super().__init__(_("Look at what will be stored, and record it."))
        self.summary = summary


class Changed(Conflict):
    """The plate appearance has changed since the page was rendered; `current` is the stored one."""


def read_entry(told: Told, opened: OpenGame, index: int) -> Mapping[str, Any]:
    return told(opened, index) if callable(told) else told


def ensure_new_is_possible(opened: OpenGame) -> None:
    if opened.game.status != IN_PROGRESS:
        raise NotLive
    if not opened.access.team.is_personal and not opened.game.lineup:
        raise NotLive(_("Set the line-up first."))


def ensure_as_seen(opened: OpenGame, seen: int, situation: str | None) -> None:
    """Raise Overtaken unless count of plays and situation are those that the page showed."""
    at_bats = opened.story.at_bats
    if len(at_bats) > seen:
        raise Overtaken(current=at_bats[seen:])
    if len(at_bats) < seen:
        raise Overtaken(TAKEN_BACK, current=[])
    if situation is not None and situation != plays.situation(opened.game, at_bats):
        raise Overtaken(NOT_THE_SAME, current=[])


def checked(opened: OpenGame, told: Told, index: int, slots: Mapping[str, int]) -> dict[str, Any]:
    """The attributes to write, validated: the batter is in the line-up, whose slot is added."""
    game = opened.game
    fields = read_entry(told, opened, index)
    facts: dict[str, Any] = {name: fields.get(name) for name in TOLD}
    if facts["result"] not in (results.TITLES if game.lineup else results.AT_BAT):
        raise Invalid(_("Choose a result."), field="result")
    if not game.lineup:
        return facts | {"batting_order": 1, "charged_to": None}
    if facts["result"] in batting.NOT_TURNS:
        return facts | NOBODY_BATTED | _at_bat_now(opened, index, facts["result"])
    player = facts["player_id"]
    if player not in slots:
        raise Invalid(_("This player is not in the line-up at this point of the game."), field="player")
    slot = slots[player]
    if facts["result"] != batting.STRIKEOUT:
        facts["charged_to"] = None
    elif facts["charged_to"] and facts["charged_to"] not in plays.batters_before(
        game, opened.story.at_bats, index, slot, player
    ):
        raise Invalid(_("This player did not bat in this place before."), field="charged_to")
    return facts | {"batting_order": slot}


def _at_bat_now(opened: OpenGame, index: int, result: str) -> dict[str, Any]:
    """Player and slot of the batter at the time of a play that is no turn, validated by result."""
    game, at_bats = opened.game, opened.story.at_bats
    box = box_scores.box_of(game, at_bats, until=index)
    found = {
        "player_id": box_scores.batter_of(game, box.next_slot, at_bats, index),
        "batting_order": box.next_slot,
    }
    if result == batting.BETWEEN_TURNS:
        return found
    if result == batting.EMPTY_PLACE:
        if box.next_slot not in box_scores.empty_slots(game, at_bats, index):
            raise Invalid(_("Somebody bats in this place."))
        return found | {"runners": None}
    if box.innings_begun != box.inning:
        raise Invalid(_("Nobody has batted in this half-inning yet."))
    return found | {"runners": None}


def with_id(opened: OpenGame, at_bat_id: str) -> AtBat | None:
    return next((each for each in opened.story.at_bats if each.id == at_bat_id), None)


def as_seen(opened: OpenGame, at_bat_id: str, seen_version: int) -> AtBat:
    at_bat = opened.story.at_bat(at_bat_id)
    if at_bat.seen_version != seen_version:
        raise Changed(current=at_bat)
    return at_bat


def innings_with(known: list[int], inning: int, runs: int | None) -> list[int]:
    """The opponent's runs by inning after this entry; innings are entered in order, None removes the last."""
    if runs is None and inning == len(known):
        return known[:-1]
    if runs is None or not 1 <= inning <= min(len(known) + 1, MOST_INNINGS) or not 0 <= runs <= MOST_RUNS:
        raise Invalid(UNUSABLE_RUNS)
    return [*known[: inning - 1], runs, *known[inning:]]
