"""Builds a box score from stored plate appearances, and the `StoredBox`. Pure functions, no requests."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from tracker import keys
from tracker.games.models import FINAL, Game
from tracker.rules import season_rules
from tracker.rules.batting import Line
from tracker.rules.game_end import is_regulation
from tracker.rules.replay import (
    Appearance,
    Box,
    Play,
    Replacement,
    next_plays,
    replay,
    replay_alone,
)
from tracker.rules.runners import Move
from tracker.scoring.models import AtBat
from tracker.statistics.models import StoredBox

Substitution = dict[str, Any]
COUNTS = frozenset(field.name for field in fields(Line))


def appearance_of(at_bat: AtBat) -> Appearance:
    return Appearance(
        number=at_bat.number,
        slot=int(at_bat.batting_order),
        player=at_bat.player_id,
        result=at_bat.result,
        moves=None if at_bat.runners is None else moves_in(at_bat.runners),
        runs_batted_in=None if at_bat.rbis is None else int(at_bat.rbis),
        charged_to=at_bat.charged_to,
    )


def moves_in(runners: Iterable[Mapping[str, Any]]) -> tuple[Move, ...]:
    """The moves of the stored `runners` of a plate appearance."""
    return tuple(
        Move(each["from"], 0 if each.get("out") else each["to"], bool(each.get("out")), each.get("playerId"))
        for each in runners
    )


def box_of(game: Game, at_bats: Sequence[AtBat], *, until: int | None = None) -> Box:
    """The box score of all plays, or of those before the index `until`.

    A game without a line-up has one person's turns only, so bases and outs cannot be computed.
    """
    index = len(at_bats) if until is None else until
    appearances = [appearance_of(at_bat) for at_bat in at_bats[:index]]
    if not game.lineup:
        return replay_alone(appearances)
    return replay(
        appearances,
        season_rules.from_stored(game.rules),
        slots=len(game.lineup),
        replacements=replacements_in(game, at_bats, index),
    )


def next_plays_of(
    game: Game, at_bats: Sequence[AtBat], index: int, candidates: Iterable[Appearance]
) -> list[tuple[Play, Box]]:
    """For each candidate: its play at this index, and the box score right after it."""
    return next_plays(
        [appearance_of(at_bat) for at_bat in at_bats[:index]],
        season_rules.from_stored(game.rules),
        candidates,
        slots=len(game.lineup or ()),
        replacements=replacements_in(game, at_bats, index),
    )


def replacements_in(game: Game, at_bats: Sequence[AtBat], index: int) -> list[Replacement]:
    """The replacements before the play at this index, in order."""
    batting_now = {each["battingOrder"]: each["playerId"] for each in game.lineup or ()}
    found: list[Replacement] = []
    for each in came_before(game, at_bats, index):
        leaves = batting_now.get(each["battingOrder"])
        if leaves is not None:
            after = sum(at_bat.number <= each["after"] for at_bat in at_bats[:index])
            comes = "" if each.get("left") else each["playerId"]
            found.append(Replacement(after, leaves, comes, int(each["battingOrder"])))
        batting_now[each["battingOrder"]] = each["playerId"]
    return found


def came_before(game: Game, at_bats: Sequence[AtBat], index: int) -> list[Substitution]:
    """The substitutions before the play at this index, or before the next one, in order.

    A substitution made after a play that was undone is not in effect until that play is redone: the earlier
    batter still has the turn.
    """
    in_order = sorted(game.substitutions or (), key=lambda each: each["after"])
    if index < len(at_bats):
        return [each for each in in_order if each["after"] < at_bats[index].number]
    return [each for each in in_order if each["after"] <= last_number(at_bats)]


def last_number(at_bats: Sequence[AtBat]) -> float:
    """The number of the last play, which a substitution made now has as `after`; 0 before the first."""
    return at_bats[-1].number if at_bats else 0


def waiting(game: Game, at_bats: Sequence[AtBat]) -> list[Substitution]:
    """The substitutions made after a play that was undone; they are not in effect."""
    return [each for each in game.substitutions or () if each["after"] > last_number(at_bats)]


def follows(game: Game, at_bats: Sequence[AtBat]) -> bool:
    """Whether the team's score is derived from its plate appearances; otherwise it is entered."""
    return bool(game.lineup and at_bats and not game.forfeited_to)


def runs_of(game: Game, at_bats: Sequence[AtBat], box: Box) -> int:
    return box.runs if follows(game, at_bats) else int(game.team_score or 0)


def figures_stand(game: Game, box: Box) -> bool:
    """Whether the game counts in statistics: a forfeited one only if it was a regulation game (9.03(e))."""
    if not game.forfeited_to:
        return True
    theirs = [int(runs) for runs in game.opponent_by_inning or ()]
    return is_regulation(box, theirs, season_rules.from_stored(game.rules), is_home=bool(game.is_home))


def stored_box(game: Game, at_bats: Sequence[AtBat], *, revision: int) -> StoredBox:
    box = box_of(game, at_bats)
    stand = figures_stand(game, box)
    return StoredBox(
        pk=keys.of_team(game.team_id),
        sk=keys.of_box(game.season_id, game.id),
        game_id=game.id,
        team_id=game.team_id,
        season_id=game.season_id,
        revision=revision,
        made_of=made_of(at_bats),
        pa_count=len(at_bats),
        status=game.status,
        scheduled_start=game.scheduled_start,
        opponent_name=game.opponent_name,
        is_home=bool(game.is_home),
        opponent_score=int(game.opponent_score or 0),
        runs=runs_of(game, at_bats, box),
        runs_by_inning=list(box.runs_by_inning),
        left_on_base=left_on_base(game, box),
        putouts=box.putouts,
        placed_runners=box.placed_runners,
        empty_outs=box.empty_outs or None,
        on_base=box.standing,
        problems=len(box.problems),
        lines={player: _counts(line) for player, line in box.lines.items()} if stand else {},
        also_played=(_also_played(game, at_bats, box) or None) if stand else None,
        balls=(_balls(at_bats, box) or None) if stand else None,
    )


def made_of(at_bats: Iterable[AtBat]) -> str:
    """A hash of the ids and versions of these plate appearances."""
    versions = sorted(f"{each.id} {each.seen_version}" for each in at_bats)
    return hashlib.sha256("\n".join(versions).encode()).hexdigest()


def left_on_base(game: Game, box: Box) -> int:
    """Runners left on base; those still on base count once the game is final."""
    return box.left_on_base + (box.standing if game.status == FINAL else 0)


def lines_in(box: StoredBox) -> dict[str, Line]:
    """Lines by player id, also of those without counts. Counts of other releases are ignored but kept."""
    lines = {
        player: Line(**{name: int(count) for name, count in counts.items() if name in COUNTS})
        for player, counts in (box.lines or {}).items()
    }
    return lines | {player: Line() for player in box.also_played or ()}


def _also_played(game: Game, at_bats: Sequence[AtBat], box: Box) -> list[str]:
    """The players in the order, or running for them, who have no line; empty without any plays."""
    if not box.plays:
        return []
    in_order = (*(game.lineup or ()), *came_before(game, at_bats, len(at_bats)))
    ran = (runner for play in box.plays for runner, _move in play.moved)
    played = dict.fromkeys((*(str(each["playerId"]) for each in in_order), *ran))
    return [player for player in played if player not in box.lines]


def _balls(at_bats: Iterable[AtBat], box: Box) -> dict[str, list[list[Any]]]:
    """Hit locations by player, with the counted result: a home run above the limit is another result."""
    places = {float(each.number): each.hit_location for each in at_bats if each.hit_location}
    found: dict[str, list[list[Any]]] = {}
    for play in box.plays:
        place = places.get(float(play.appearance.number))
        if place and "x" in place and "y" in place:
            found.setdefault(play.appearance.owner, []).append([place["x"], place["y"], play.result])
    return found


def _counts(line: Line) -> dict[str, int]:
    return {name: count for name, count in asdict(line).items() if count}


def batter_of(game: Game, slot: int, at_bats: Sequence[AtBat], index: int) -> str | None:
    """The batter of this slot in the play at this index, substitutions included."""
    return batters_after(game, came_before(game, at_bats, index)).get(slot)


def batters_after(game: Game, came: Iterable[Substitution]) -> dict[int, str]:
    """The batter of each slot, in order, after these substitutions; of an empty slot the one who left it."""
    in_order = sorted(game.lineup or (), key=lambda each: int(each["battingOrder"]))
    return {int(each["battingOrder"]): each["playerId"] for each in (*in_order, *came)}


def empty_slots(game: Game, at_bats: Sequence[AtBat], index: int) -> set[int]:
    """The slots whose batter left without a substitute, in the play at this index."""
    last = {int(each["battingOrder"]): each for each in came_before(game, at_bats, index)}
    return {slot for slot, each in last.items() if each.get("left")}


def order_now(game: Game, at_bats: Sequence[AtBat]) -> list[str]:
    """The batting order of the next play."""
    return [*batters_after(game, came_before(game, at_bats, len(at_bats))).values()]
