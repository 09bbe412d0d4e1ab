"""Validation of line-ups and substitutions, and default line-ups. Pure functions, no requests."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.dynamo.errors import Invalid
from tracker.games.models import Game
from tracker.roster.models import Player
from tracker.rules import box_scores, plays
from tracker.rules.positions import IN_A_LINE_UP
from tracker.scoring.models import AtBat

MOST_PLAYERS = 20
# Starters and substitutes may re-enter once.
MOST_ENTRIES = 2

Entry = dict[str, Any]


class BadLineup(Invalid):
    """An invalid line-up; `field` is the id of the player concerned, if there is one."""

    status_code = 422


def entries(order: Iterable[str], positions: Mapping[str, str]) -> list[Entry]:
    """Players in batting order, as stored in `Game.lineup`."""
    return [
        {"playerId": player, "battingOrder": place, "position": positions.get(player, "")}
        for place, player in enumerate(order, start=1)
    ]


def check(lineup: Sequence[Entry], players: Iterable[Player], *, fewest: int) -> None:
    """Validate: from `fewest` to 20 batters, each once, in places 1 to n, none of them inactive."""
    if not fewest <= len(lineup) <= MOST_PLAYERS:
        message = _("A line-up has %(fewest)d to %(most)d batters. This one has %(count)d.")
        raise BadLineup(message % {"fewest": fewest, "most": MOST_PLAYERS, "count": len(lineup)})
    if sorted(entry["battingOrder"] for entry in lineup) != list(range(1, len(lineup) + 1)):
        raise BadLineup(_("Number the batting order from 1 without gaps."))
    roster = {player.id: player for player in players}
    seen: set[str] = set()
    for entry in lineup:
        check_player(entry["playerId"], roster)
        if entry["playerId"] in seen:
            name = roster[entry["playerId"]].name
            raise BadLineup(_("%(name)s is in the line-up twice.") % {"name": name}, field=entry["playerId"])
        seen.add(entry["playerId"])
        if entry.get("position") and entry["position"] not in IN_A_LINE_UP:
            raise BadLineup(_("Choose one of the positions."), field=entry["playerId"])


def check_player(player_id: str, roster: Mapping[str, Player]) -> None:
    player = roster.get(player_id)
    if player is None:
        raise BadLineup(_("Choose players of this team."), field=player_id)
    if not player.plays:
        raise BadLineup(
            _("%(name)s is inactive. Change that on the roster first.") % {"name": player.name},
            field=player_id,
        )


def locked(game: Game, at_bats: Iterable[AtBat]) -> set[int]:
    """The places in which somebody has batted or was substituted: they change by substitution only."""
    turns = [at_bat for at_bat in at_bats if at_bat.is_turn]
    batted = {int(at_bat.batting_order) for at_bat in turns} if game.lineup else set()
    return batted | {int(came["battingOrder"]) for came in game.substitutions or ()}


def check_change(game: Game, at_bats: Sequence[AtBat], lineup: Sequence[Entry]) -> None:
    """Validate a change of the line-up: locked places stay as they are, the others are free."""
    before = {entry["battingOrder"]: entry["playerId"] for entry in game.lineup or ()}
    after = {entry["battingOrder"]: entry["playerId"] for entry in lineup}
    fixed = locked(game, at_bats)
    for place in sorted(fixed):
        if before.get(place) != after.get(place):
            message = _("Someone has already batted in place %(place)d. Use a substitution instead.")
            raise BadLineup(message % {"place": place}, field=before.get(place))
    came = {each["playerId"]: each["battingOrder"] for each in game.substitutions or ()}
    for place, player in after.items():
        if place not in fixed and player in came:
            message = _("This player came in for place %(place)d and cannot move to another place.")
            raise BadLineup(message % {"place": came[player]}, field=player)


def with_substitution(game: Game, at_bats: Sequence[AtBat], place: int, player: Player) -> list[Entry]:
    """The substitutions with a new one, in effect from the next plate appearance on.

    A player who was in the game before re-enters once at most, and only in the same place.
    """
    after = box_scores.last_number(at_bats)
    kept = _with_effect(game, place, after)
    check_player(player.id, {player.id: player})
    if player.id in plays.slots_at(game, at_bats, len(at_bats)):
        message = _("%(name)s is already in the batting order.") % {"name": player.name}
        raise BadLineup(message, field="player")
    been = [
        entry for entry in (*game.lineup, *kept) if entry["playerId"] == player.id and not entry.get("left")
    ]
    if any(entry["battingOrder"] != place for entry in been):
        message = _("%(name)s can only return to place %(place)d.")
        raise BadLineup(message % {"name": player.name, "place": been[0]["battingOrder"]}, field="player")
    if len(been) >= MOST_ENTRIES:
        message = _("%(name)s has already returned once.") % {"name": player.name}
        raise BadLineup(message, field="player")
    return [*kept, {"battingOrder": place, "playerId": player.id, "after": after}]


def with_leaving(game: Game, at_bats: Sequence[AtBat], place: int) -> list[Entry]:
    """The substitutions with the batter leaving this place empty from the next plate appearance on."""
    after = box_scores.last_number(at_bats)
    kept = _with_effect(game, place, after)
    batters = {slot: player for player, slot in plays.slots_at(game, at_bats, len(at_bats)).items()}
    if place not in batters:
        raise BadLineup(_("Nobody bats in this place any longer."), field="slot")
    if len(batters) < 2:
        raise BadLineup(_("At least one batter must stay in the batting order."), field="slot")
    if batters[place] in box_scores.box_of(game, at_bats).on_base.values():
        message = _("This player is on base. Enter who runs instead, or the out, first.")
        raise BadLineup(message, field="slot")
    leaves = box_scores.batters_after(game, sorted(kept, key=lambda came: came["after"]))[place]
    return [*kept, {"battingOrder": place, "playerId": leaves, "after": after, "left": True}]


def _with_effect(game: Game, place: int, after: float) -> list[Entry]:
    """The substitutions without those in this place since the last plate appearance."""
    if not 1 <= place <= len(game.lineup or ()):
        raise BadLineup(_("This place in the batting order does not exist."), field="slot")
    return [
        came
        for came in game.substitutions or ()
        if not (came["battingOrder"] == place and came["after"] >= after)
    ]


def can_take_back(game: Game, at_bats: Sequence[AtBat]) -> bool:
    """Whether there is a last substitution, and no plate appearance in its place since."""
    if not game.substitutions:
        return False
    last = game.substitutions[-1]
    since = [at_bat for at_bat in at_bats if at_bat.uses_place and at_bat.number > last["after"]]
    return all(int(at_bat.batting_order) != last["battingOrder"] for at_bat in since)


# --- What a line-up can begin with --------------------------------------------------------------------------


def beginning(players: Iterable[Player], ids: Container[str], last: Sequence[Entry]) -> list[Entry]:
    """A line-up of those of these who are active: in the order of the last game, then by number."""
    places = {entry["playerId"]: entry["battingOrder"] for entry in last}
    positions = {entry["playerId"]: entry.get("position", "") for entry in last}
    chosen = [player for player in players if player.plays and player.id in ids]
    order = sorted(chosen, key=lambda player: places.get(player.id, MOST_PLAYERS + 1))[:MOST_PLAYERS]
    usual = {player.id: usual_position(player) for player in order}
    return entries(usual, usual | positions)


def usual_position(player: Player) -> str:
    """The first position of the player that a line-up can have; empty without one."""
    return next((position for position in player.positions or () if position in IN_A_LINE_UP), "")
