"""From stored plate appearances to a box score, and to what is stored of it. Nothing here reads records."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from tracker import keys, rules
from tracker.batting import Line
from tracker.models import FINAL, AtBat, Game, StoredBox
from tracker.replay import Appearance, Box, Replacement, replay, replay_alone
from tracker.running import Move

COUNTS = frozenset(field.name for field in fields(Line))


def appearance_of(at_bat: AtBat) -> Appearance:
    return Appearance(
        number=at_bat.number,
        slot=int(at_bat.batting_order),
        player=at_bat.player_id,
        result=at_bat.result,
        moves=None if at_bat.runners is None else tuple(_move(runner) for runner in at_bat.runners),
        runs_batted_in=None if at_bat.rbis is None else int(at_bat.rbis),
        charged_to=at_bat.charged_to,
    )


def _move(runner: Mapping[str, Any]) -> Move:
    is_out = bool(runner.get("out"))
    return Move(
        start=runner["from"],
        end=0 if is_out else runner["to"],
        out=is_out,
        player=runner.get("playerId"),
    )


def box_of(game: Game, at_bats: Iterable[AtBat]) -> Box:
    """Without a line-up only one person's turns are written down, so nothing can follow from the others'."""
    appearances = [appearance_of(at_bat) for at_bat in at_bats]
    if not game.lineup:
        return replay_alone(appearances)
    return replay(
        appearances,
        rules.from_stored(game.rules),
        slots=len(game.lineup),
        replacements=replacements_in(game),
    )


def replacements_in(game: Game) -> list[Replacement]:
    """Who came for whom, in the order in which they came."""
    batting_now = {each["battingOrder"]: each["playerId"] for each in game.lineup or ()}
    found: list[Replacement] = []
    for each in sorted(game.substitutions or (), key=lambda one: one["after"]):
        leaves = batting_now.get(each["battingOrder"])
        if leaves is not None:
            found.append(Replacement(each["after"], leaves, each["playerId"]))
        batting_now[each["battingOrder"]] = each["playerId"]
    return found


def follows(game: Game, at_bats: Sequence[AtBat]) -> bool:
    """Whether the score of the team is what its plate appearances say; else somebody has entered it."""
    return bool(game.lineup and at_bats)


def stored_box(game: Game, at_bats: Iterable[AtBat], *, revision: int) -> StoredBox:
    told = list(at_bats)
    box = box_of(game, told)
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
        on_base=box.standing,
        problems=len(box.problems),
        lines={player: _counts(line) for player, line in box.lines.items()},
        balls=_balls(told, box) or None,
    )


def made_of(at_bats: Iterable[AtBat]) -> str:
    """One text for these plate appearances in these versions."""
    versions = sorted(f"{each.id} {each.seen_version}" for each in at_bats)
    return hashlib.sha256("\n".join(versions).encode()).hexdigest()


def left_on_base(game: Game, box: Box) -> int:
    """Who is on base when a game is over was left there."""
    return box.left_on_base + (box.standing if game.status == FINAL else 0)


def lines_in(box: StoredBox) -> dict[str, Line]:
    """By player. A count of another release is left out, not lost: the stored one keeps it."""
    return {
        player: Line(**{name: int(count) for name, count in counts.items() if name in COUNTS})
        for player, counts in (box.lines or {}).items()
    }


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


def batter_of(game: Game, slot: int, after: int) -> str | None:
    """Who bats in a place of the order after so many plate appearances, substitutions included."""
    came = [
        each for each in game.substitutions or () if each["battingOrder"] == slot and each["after"] <= after
    ]
    if came:
        return str(max(came, key=lambda each: each["after"])["playerId"])
    starters = (each["playerId"] for each in game.lineup or () if each["battingOrder"] == slot)
    return next(starters, None)


def order_after(game: Game, after: int) -> list[str]:
    """The batting order as it stands after so many plate appearances."""
    slots = sorted(each["battingOrder"] for each in game.lineup or ())
    return [batter for slot in slots if (batter := batter_of(game, slot, after)) is not None]
