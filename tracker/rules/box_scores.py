"""From stored plate appearances to a box score, and to what is stored of it. Nothing here reads records."""

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
from tracker.rules.running import Move
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
    """What was stored of the runners."""
    return tuple(_move(runner) for runner in runners)


def _move(runner: Mapping[str, Any]) -> Move:
    is_out = bool(runner.get("out"))
    return Move(
        start=runner["from"],
        end=0 if is_out else runner["to"],
        out=is_out,
        player=runner.get("playerId"),
    )


def box_of(game: Game, at_bats: Sequence[AtBat], *, until: int | None = None) -> Box:
    """Of all plays, or `until` the one at this place.

    Without a line-up only one person's turns are written down, so nothing can follow from the others'.
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
    """What each candidate comes to as the play at this place, with the game right after it."""
    return next_plays(
        [appearance_of(at_bat) for at_bat in at_bats[:index]],
        season_rules.from_stored(game.rules),
        candidates,
        slots=len(game.lineup or ()),
        replacements=replacements_in(game, at_bats, index),
    )


def replacements_in(game: Game, at_bats: Sequence[AtBat], index: int) -> list[Replacement]:
    """Who came for whom before the play at this place, in the order in which they came."""
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
    """The substitutions before the play at this place, or before the one to come, as they were made.

    One that was made after a play that is taken back waits until that one is there again: the turn is still
    that of whoever had it.
    """
    in_order = sorted(game.substitutions or (), key=lambda each: each["after"])
    if index < len(at_bats):
        return [each for each in in_order if each["after"] < at_bats[index].number]
    return [each for each in in_order if each["after"] <= last_number(at_bats)]


def last_number(at_bats: Sequence[AtBat]) -> float:
    """After which play somebody comes in now; 0 before the first."""
    return at_bats[-1].number if at_bats else 0


def waiting(game: Game, at_bats: Sequence[AtBat]) -> list[Substitution]:
    """Those that were made after a play that is taken back."""
    return [each for each in game.substitutions or () if each["after"] > last_number(at_bats)]


def follows(game: Game, at_bats: Sequence[AtBat]) -> bool:
    """Whether the score of the team is what its plate appearances say; else somebody has entered it."""
    return bool(game.lineup and at_bats and not game.forfeited_to)


def figures_stand(game: Game, box: Box) -> bool:
    """Of a forfeited game nobody's figures count, unless it was a regulation game by then (rule 9.03(e))."""
    if not game.forfeited_to:
        return True
    theirs = [int(runs) for runs in game.opponent_by_inning or ()]
    return is_regulation(box, theirs, season_rules.from_stored(game.rules), is_home=bool(game.is_home))


def stored_box(game: Game, at_bats: Iterable[AtBat], *, revision: int) -> StoredBox:
    told = list(at_bats)
    box = box_of(game, told)
    stand = figures_stand(game, box)
    return StoredBox(
        pk=keys.of_team(game.team_id),
        sk=keys.of_box(game.season_id, game.id),
        game_id=game.id,
        team_id=game.team_id,
        season_id=game.season_id,
        revision=revision,
        made_of=made_of(told),
        pa_count=len(told),
        status=game.status,
        scheduled_start=game.scheduled_start,
        opponent_name=game.opponent_name,
        is_home=bool(game.is_home),
        opponent_score=int(game.opponent_score or 0),
        runs=box.runs if follows(game, told) else int(game.team_score or 0),
        runs_by_inning=list(box.runs_by_inning),
        left_on_base=left_on_base(game, box),
        putouts=box.putouts,
        placed_runners=box.placed_runners,
        empty_outs=box.empty_outs or None,
        on_base=box.standing,
        problems=len(box.problems),
        lines={player: _counts(line) for player, line in box.lines.items()} if stand else {},
        also_played=(_also_played(game, told, box) or None) if stand else None,
        balls=(_balls(told, box) or None) if stand else None,
    )


def made_of(at_bats: Iterable[AtBat]) -> str:
    """One text for these plate appearances in these versions."""
    versions = sorted(f"{each.id} {each.seen_version}" for each in at_bats)
    return hashlib.sha256("\n".join(versions).encode()).hexdigest()


def left_on_base(game: Game, box: Box) -> int:
    """Who is on base when a game is over was left there."""
    return box.left_on_base + (box.standing if game.status == FINAL else 0)


def lines_in(box: StoredBox) -> dict[str, Line]:
    """Of everybody who played. A count of another release is left out, not lost: the stored one keeps it."""
    lines = {
        player: Line(**{name: int(count) for name, count in counts.items() if name in COUNTS})
        for player, counts in (box.lines or {}).items()
    }
    return lines | {player: Line() for player in box.also_played or ()}


def _also_played(game: Game, at_bats: Sequence[AtBat], box: Box) -> list[str]:
    """Everybody in the order, or who ran for one of them, without a line; a line-up alone is no game."""
    if not box.plays:
        return []
    in_order = (*(game.lineup or ()), *came_before(game, at_bats, len(at_bats)))
    ran = (runner for play in box.plays for runner, _move in play.moved)
    played = dict.fromkeys((*(str(each["playerId"]) for each in in_order), *ran))
    return [player for player in played if player not in box.lines]


def _balls(at_bats: Iterable[AtBat], box: Box) -> dict[str, list[list[Any]]]:
    """Where balls went, as the rules counted them: a home run above the limit was none."""
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
    """Who bats in a place of the order in the play at this place, substitutions included."""
    return batter_among(game, slot, came_before(game, at_bats, index))


def batter_among(game: Game, slot: int, came: Iterable[Substitution]) -> str | None:
    """Who is in a place of the order once these have come in, one after the other."""
    entries = (*(game.lineup or ()), *came)
    return next((each["playerId"] for each in reversed(entries) if each["battingOrder"] == slot), None)


def order_at(game: Game, at_bats: Sequence[AtBat], index: int) -> list[str]:
    """The batting order as it stands in the play at this place; an empty place has who left it."""
    came = came_before(game, at_bats, index)
    slots = sorted(each["battingOrder"] for each in game.lineup or ())
    return [batter for slot in slots if (batter := batter_among(game, slot, came)) is not None]


def empty_slots(game: Game, at_bats: Sequence[AtBat], index: int) -> set[int]:
    """The places whose batter left without a substitute, in the play at this place."""
    empty: dict[int, bool] = {}
    for each in came_before(game, at_bats, index):
        empty[int(each["battingOrder"])] = bool(each.get("left"))
    return {slot for slot, is_empty in empty.items() if is_empty}


def order_now(game: Game, at_bats: Sequence[AtBat]) -> list[str]:
    return order_at(game, at_bats, len(at_bats))
