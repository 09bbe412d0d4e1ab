"""Usual moves of runners by result, and checks for impossible plays. Pure functions, no requests."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tracker.rules import batting

BATTER, FIRST, SECOND, THIRD, HOME = 0, 1, 2, 3, 4
BASES = (FIRST, SECOND, THIRD)
OUTS_OF_AN_INNING = 3

# How many bases everybody advances unless the scorekeeper enters something else.
ADVANCE = {batting.SINGLE: 1, batting.DOUBLE: 2, batting.TRIPLE: 3, batting.HOME_RUN: 4, batting.ERROR: 1}
# The batter takes first base, and only forced runners advance.
FREE_PASSES = (batting.WALK, batting.INTENTIONAL_WALK, batting.HIT_BY_PITCH, batting.INTERFERENCE)
# The batter is out before reaching first base.
BATTER_IS_OUT = frozenset(
    {
        *(batting.STRIKEOUT, batting.OUT, batting.FLY_OUT, batting.GROUND_OUT, batting.LINE_OUT),
        *(batting.POP_OUT, batting.SACRIFICE_FLY, batting.SACRIFICE_BUNT),
    }
)
SACRIFICES = (batting.SACRIFICE_FLY, batting.SACRIFICE_BUNT)
NO_SACRIFICE, NO_DOUBLE_PLAY, NO_CHOICE = "sacrifice", "double play", "choice"
NOBODY_MOVED = "nobody moved"


@dataclass(frozen=True)
class Move:
    """The move of a runner, or of the batter (`start` is BATTER), to another base, or their out.

    `player` is the pinch runner or courtesy runner, if another player ran.
    """

    start: int
    end: int = BATTER
    out: bool = False
    player: str | None = None

    @property
    def scores(self) -> bool:
        return not self.out and self.end == HOME


OUT_AT_BAT = Move(BATTER, out=True)


def usual_moves(result: str, on_base: Mapping[int, str], outs: int) -> tuple[Move, ...]:
    """The moves of a play that is stored without moves.

    Do not change it: stored games are replayed with it. The default moves of a form are `assumed_moves`.
    """
    if result in batting.NOT_TURNS:
        return ()
    if result in ADVANCE:
        return _all_advance(on_base, ADVANCE[result], Move(BATTER, ADVANCE[result]))
    if result in FREE_PASSES:
        return _all_advance(forced_bases(on_base), 1, Move(BATTER, FIRST))
    if result == batting.FIELDERS_CHOICE:
        # Out is the lead forced runner; without one, the lead runner.
        return _around((forced_bases(on_base) or sorted(on_base))[-1:], on_base, 0)
    if result == batting.DOUBLE_PLAY:
        # Out are the batter and the runner on first, else the lead runner.
        return _around({FIRST if FIRST in on_base else max(on_base, default=BATTER), BATTER}, on_base, outs)
    if result in SACRIFICES and outs == OUTS_OF_AN_INNING - 1:
        return (OUT_AT_BAT,)
    if result == batting.SACRIFICE_FLY:
        return (*(Move(base, HOME) for base in on_base if base == THIRD), OUT_AT_BAT)
    if result == batting.SACRIFICE_BUNT:
        return _all_advance(on_base, 1, OUT_AT_BAT)
    return (OUT_AT_BAT,)


def assumed_moves(
    result: str, on_base: Mapping[int, str], outs: int, entered: Mapping[int, bool]
) -> tuple[Move, ...]:
    """The moves that the form assumes for a result, given what the scorekeeper has entered.

    `entered` maps the starts of those with an entry to whether it is an out; a runner entered as out replaces
    the one who usually is.
    """
    if not on_base:
        return usual_moves(result, on_base, outs)
    # The likeliest outs: the force at second base, then the foremost runners.
    likely = sorted(on_base, key=lambda base: (base != FIRST, -base))
    if result == batting.FIELDERS_CHOICE:
        if len(on_base) == len(BASES) and outs < OUTS_OF_AN_INNING - 1:
            # With bases loaded the one at home, which saves a run.
            likely.sort(key=lambda base: base != THIRD)
        return _around(_who_is_out(likely, entered, 1), on_base, outs)
    if result == batting.DOUBLE_PLAY:
        # One runner and the batter.
        likely.insert(0 if any(entered.get(base) for base in on_base) else 1, BATTER)
        return _around(_who_is_out(likely, entered, 2), on_base, outs)
    return usual_moves(result, on_base, outs)


def forced_bases(on_base: Mapping[int, str]) -> list[int]:
    """The bases of the runners who are forced when the batter takes first base."""
    forced: list[int] = []
    for base in BASES:
        if base not in on_base:
            break
        forced.append(base)
    return forced


def impossible(result: str, moves: Iterable[Move], on_base: Mapping[int, str], outs: int) -> str | None:
    """The kind of problem if this result was impossible in the situation before it, else None."""
    moves = list(moves)
    if result in SACRIFICES:
        helps = any(move.scores for move in moves) if result == batting.SACRIFICE_FLY else bool(on_base)
        return None if helps and outs < OUTS_OF_AN_INNING - 1 else NO_SACRIFICE
    if result == batting.DOUBLE_PLAY:
        return None if sum(move.out for move in moves) > 1 else NO_DOUBLE_PLAY
    if result == batting.FIELDERS_CHOICE:
        return None if on_base else NO_CHOICE
    if result == batting.BETWEEN_TURNS:
        return None if moves else NOBODY_MOVED
    return None


def no_run_counts(result: str, moves: Iterable[Move], on_base: Mapping[int, str], outs: int) -> bool:
    """Whether no run counts: the third out is the batter before first base, or a forced runner."""
    out = [move.start for move in moves if move.out]
    forced = [BATTER, *forced_bases(on_base)]
    if result == batting.DOUBLE_PLAY:
        # With an unforced runner out, the third out may have been theirs, after a run had scored.
        return outs + len(out) >= OUTS_OF_AN_INNING and all(start in forced for start in out)
    if outs != OUTS_OF_AN_INNING - 1:
        return False
    if result == batting.FIELDERS_CHOICE:
        return any(start in forced for start in out)
    return result in BATTER_IS_OUT and BATTER in out


def runs_to_bat_in(result: str, moves: Iterable[Move]) -> int:
    """The most runs batted in: the batter's own run only counts on a home run (rule 9.04)."""
    if result in batting.NOT_TURNS:
        return 0
    return sum(move.scores for move in moves if move.start != BATTER or result == batting.HOME_RUN)


def batted_in_by(result: str) -> range:
    """The possible runs batted in of a result, regardless of who is on base (rule 9.04)."""
    if result == batting.HOME_RUN:
        return range(1, 5)
    if result == batting.SACRIFICE_FLY:
        return range(1, 4)
    if result in FREE_PASSES:
        return range(2)
    return range(1 if result == batting.STRIKEOUT or result in batting.NOT_TURNS else 4)


def _all_advance(bases: Iterable[int], by: int, batter: Move) -> tuple[Move, ...]:
    return (*(Move(base, min(base + by, HOME)) for base in bases), batter)


def _who_is_out(likely: Iterable[int], entered: Mapping[int, bool], count: int) -> list[int]:
    """The starts entered as out, filled up to `count` with the likeliest without an entry."""
    named = [start for start, is_out in entered.items() if is_out]
    others = [start for start in likely if start not in entered]
    return [*named, *others[: max(count - len(named), 0)]]


def _around(out: Collection[int], on_base: Mapping[int, str], outs: int) -> tuple[Move, ...]:
    """Moves with these out, and the forced runners advancing.

    With the third out only those advance who make room for the batter, because no run counts.
    """
    left = {base: runner for base, runner in on_base.items() if base not in out}
    if outs + len(out) < OUTS_OF_AN_INNING:
        pushed = [base for base in forced_bases(on_base) if base in left]
    else:
        pushed = [] if BATTER in out else forced_bases(left)
    return (
        *(Move(base, out=True) for base in sorted(out, reverse=True) if base != BATTER),
        *(Move(base, base + 1) for base in pushed),
        OUT_AT_BAT if BATTER in out else Move(BATTER, FIRST),
    )
