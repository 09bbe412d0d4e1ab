"""Replays a game from its plate appearances: bases, outs, innings, runs and the line of every batter.

Pure functions without requests: the same appearances always give the same box score.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from tracker.rules import batting
from tracker.rules.batting import Line
from tracker.rules.runners import (
    BATTER,
    OUTS_OF_AN_INNING,
    SECOND,
    Move,
    batted_in_by,
    impossible,
    no_run_counts,
    runs_to_bat_in,
    usual_moves,
)

WITHOUT_RBI = (batting.ERROR, batting.DOUBLE_PLAY, batting.STRIKEOUT, *batting.NOT_TURNS)
EMPTY_BASE, TAKEN_BASE, LOST_RUNNER, TOO_MANY_OUTS = "empty", "taken", "lost", "outs"
NO_RUN, TOO_MANY_BATTED_IN = "run", "batted in"
SKIPPED, AN_OUT = "skip", "out"


@dataclass(frozen=True)
class Rules:
    """The rules of a league; `run_ahead` has pairs of an inning and the lead that ends the game after it."""

    innings: int = 7
    run_ahead: tuple[tuple[int, int], ...] = ()
    # From this inning on, the last batter of the inning before starts on second base.
    tie_breaker_from: int | None = None
    home_run_limit: int | None = None
    home_run_above_limit: str = batting.OUT
    # So many runs end a half-inning. Runners who would score above it on the same play are left on base.
    run_limit: int | None = None
    # What the turn of an empty place counts as, whose batter left without a substitute.
    empty_place: str = SKIPPED
    fewest_batters: int = 8
    # Minutes from the start after which no inning begins.
    time_limit: int | None = None


@dataclass(frozen=True)
class Appearance:
    """One turn at bat, a play between two turns (which has moves only), or the end of a half-inning.

    `number` orders the appearances; an inserted one has a number between two others. `slot` is the batter's
    place in the order, from 1. `charged_to` is the first batter if a substitute came in with two strikes and
    struck out. `moves` and `runs_batted_in` are None if they are the usual ones.
    """

    number: float
    slot: int
    player: str
    result: str
    moves: tuple[Move, ...] | None = None
    runs_batted_in: int | None = None
    charged_to: str | None = None

    @property
    def is_turn(self) -> bool:
        return self.result not in batting.NOT_TURNS

    @property
    def owner(self) -> str:
        struck_out_for = self.charged_to if self.result == batting.STRIKEOUT else None
        return struck_out_for or self.player


@dataclass(frozen=True)
class Replacement:
    """A substitution after so many appearances; it also replaces the runner on base.

    Without `comes` the place in the order is empty from then on.
    """

    after: int
    leaves: str
    comes: str = ""
    slot: int = 0


@dataclass(frozen=True)
class Problem:
    """A contradiction in the record; `number` is that of the appearance."""

    number: float
    inning: int
    base: int
    kind: str


@dataclass(frozen=True)
class Play:
    """The outcome of one appearance: its inning, outs and runs, who moved, and who scored."""

    appearance: Appearance
    result: str
    inning: int
    outs_before: int
    runs: int
    outs: int
    runs_batted_in: int
    scored: tuple[str, ...] = ()
    moved: tuple[tuple[str, Move], ...] = ()


@dataclass(frozen=True)
class Box:
    """The state of a game after the replayed appearances."""

    plays: tuple[Play, ...] = ()
    lines: Mapping[str, Line] = field(default_factory=dict)
    runs_by_inning: tuple[int, ...] = ()
    inning: int = 1
    outs: int = 0
    on_base: Mapping[int, str] = field(default_factory=dict)
    left_on_base: int = 0
    putouts: int = 0
    placed_runners: int = 0
    # Outs for empty places in the order: no plate appearance, but a putout of the opponents.
    empty_outs: int = 0
    next_slot: int = 1
    problems: tuple[Problem, ...] = ()

    @property
    def runs(self) -> int:
        return sum(self.runs_by_inning)

    @property
    def team(self) -> Line:
        return sum(self.lines.values(), Line())

    @property
    def innings_begun(self) -> int:
        """The last inning with a play, 0 without plays; `inning` may be one ahead, before its first play."""
        return self.plays[-1].inning if self.plays else 0

    @property
    def standing(self) -> int:
        """How many are on base; a runner placed in an inning without a play does not count yet."""
        return len(self.on_base) if self.innings_begun == self.inning else 0

    @property
    def imbalance(self) -> int:
        """0 if every batter scored, was left on base or was put out (rule 9.03(c))."""
        came = self.team.plate_appearances + self.placed_runners + self.empty_outs
        return came - self.runs - self.left_on_base - self.standing - self.putouts


def replay(
    appearances: Iterable[Appearance],
    rules: Rules,
    *,
    slots: int,
    replacements: Sequence[Replacement] = (),
) -> Box:
    """Replay a game; appearances are sorted by number."""
    return _Game(rules, slots, replacements, appearances).box()


def next_plays(
    appearances: Iterable[Appearance],
    rules: Rules,
    candidates: Iterable[Appearance],
    *,
    slots: int,
    replacements: Sequence[Replacement] = (),
) -> list[tuple[Play, Box]]:
    """For each candidate: its play as the next one, and the box score after it."""
    game = _Game(rules, slots, replacements, appearances)
    return [game.with_one_more(candidate) for candidate in candidates]


def replay_alone(appearances: Iterable[Appearance]) -> Box:
    """The box score of a game with one person's turns only: lines, but no bases, outs and innings."""
    plays: list[Play] = []
    lines: dict[str, Line] = {}
    for each in sorted(appearances, key=lambda one: one.number):
        scored = each.result == batting.HOME_RUN or any(move.scores for move in each.moves or ())
        batted_in = each.runs_batted_in
        if batted_in is None:
            batted_in = batted_in_by(each.result).start
        line = batting.line_of([each.result], runs=int(scored), runs_batted_in=batted_in)
        lines[each.owner] = lines.get(each.owner, Line()) + line
        plays.append(Play(each, each.result, 1, 0, int(scored), 0, batted_in))
    return Box(plays=tuple(plays), lines=lines)


def counted_as(result: str, plays: Iterable[Play], rules: Rules) -> str:
    """What a result after these plays counts as: a home run above the league's limit is another result."""
    if result != batting.HOME_RUN or rules.home_run_limit is None:
        return result
    home_runs = sum(play.appearance.result == batting.HOME_RUN for play in plays)
    return result if home_runs < rules.home_run_limit else rules.home_run_above_limit


class _Game:
    """The state of a game while its appearances are replayed."""

    def __init__(
        self,
        rules: Rules,
        slots: int,
        replacements: Sequence[Replacement],
        appearances: Iterable[Appearance],
    ) -> None:
        self.rules = rules
        self.slots = slots
        self.replacements = replacements
        self.plays: list[Play] = []
        self.lines: dict[str, Line] = {}
        self.runs_by_inning = [0]
        self.outs = 0
        self.bases: dict[int, str] = {}
        self.left_on_base = 0
        self.putouts = 0
        self.placed_runners = 0
        self.empty_outs = 0
        self.empty_slots: set[int] = set()
        self.problems: list[Problem] = []
        # The batter of the last turn, or their substitute since.
        self.last_slot = 0
        self.last_batter = ""
        for appearance in sorted(appearances, key=lambda each: each.number):
            self.replace()
            self.add(appearance)
        self.replace()

    @property
    def inning(self) -> int:
        return len(self.runs_by_inning)

    def with_one_more(self, appearance: Appearance) -> tuple[Play, Box]:
        """The play and the box score after it, computed on a copy."""
        other = copy(self)
        for name in ("plays", "lines", "runs_by_inning", "bases", "problems"):
            setattr(other, name, copy(getattr(self, name)))
        other.add(appearance)
        return other.plays[-1], other.box()

    def replace(self) -> None:
        """Apply the replacements at this point, also to runners on base."""
        for each in self.replacements:
            if each.after == len(self.plays):
                if not each.comes:
                    self.empty_slots.add(each.slot)
                    continue
                self.empty_slots.discard(each.slot)
                if self.last_batter == each.leaves:
                    self.last_batter = each.comes
                self.bases = {
                    base: each.comes if runner == each.leaves else runner
                    for base, runner in self.bases.items()
                }

    def add(self, appearance: Appearance) -> None:
        result = counted_as(appearance.result, self.plays, self.rules)
        moves = usual_moves(result, self.bases, self.outs) if appearance.moves is None else appearance.moves
        inning, outs_before = self.inning, self.outs
        if not self.plays or self.plays[-1].inning != inning:
            # Runners on base before the first play of an inning were placed there.
            self.placed_runners += len(self.bases)
        runless = no_run_counts(result, moves, self.bases, outs_before)
        problem = impossible(result, moves, self.bases, outs_before)
        moved = self._move(appearance, moves)
        scored = [runner for runner, move in moved if move.scores]
        outs = sum(move.out for _runner, move in moved)
        if result == batting.EMPTY_PLACE:
            outs += 1
            self.empty_outs += 1
        self.outs += outs
        self.putouts += outs
        to_bat_in = min(runs_to_bat_in(result, moves), len(scored))
        batted_in = appearance.runs_batted_in
        if batted_in is None:
            batted_in = 0 if result in WITHOUT_RBI else to_bat_in
        if problem is not None:
            self._complain(appearance, BATTER, problem)
        if runless and scored:
            self._complain(appearance, BATTER, NO_RUN)
        if batted_in > to_bat_in:
            self._complain(appearance, BATTER, TOO_MANY_BATTED_IN)
        if appearance.is_turn:
            self._count(appearance.owner, batting.line_of([result], runs_batted_in=batted_in))
            self.last_slot, self.last_batter = appearance.slot, appearance.player
        elif result == batting.EMPTY_PLACE:
            self.last_slot = appearance.slot
        for runner in scored:
            self._count(runner, Line(runs=1))
        facts = (inning, outs_before, len(scored), outs, batted_in)
        self.plays.append(Play(appearance, result, *facts, tuple(scored), tuple(moved)))
        if self.outs >= OUTS_OF_AN_INNING or self._is_full or result == batting.HALF_INNING_ENDED:
            self._end_inning()

    def box(self) -> Box:
        return Box(
            plays=tuple(self.plays),
            lines=dict(self.lines),
            runs_by_inning=tuple(self.runs_by_inning),
            inning=self.inning,
            outs=self.outs,
            on_base=dict(self.bases),
            left_on_base=self.left_on_base,
            putouts=self.putouts,
            placed_runners=self.placed_runners,
            empty_outs=self.empty_outs,
            next_slot=self._next_slot(),
            problems=tuple(self.problems),
        )

    def _next_slot(self) -> int:
        if not self.slots:
            return 1
        following = [(self.last_slot + step) % self.slots + 1 for step in range(self.slots)]
        if self.rules.empty_place == SKIPPED:
            following = [slot for slot in following if slot not in self.empty_slots] or following
        return following[0]

    def _move(self, appearance: Appearance, moves: Sequence[Move]) -> list[tuple[str, Move]]:
        """Apply the moves, the lead runner first; returns the runners with their moves."""
        if appearance.is_turn and all(move.start != BATTER for move in moves):
            self._complain(appearance, BATTER, LOST_RUNNER)
        moved: list[tuple[str, Move]] = []
        for move in sorted(moves, key=lambda each: each.start, reverse=True):
            runner = appearance.player if move.start == BATTER else self.bases.pop(move.start, None)
            if runner is None:
                self._complain(appearance, move.start, EMPTY_BASE)
                continue
            if move.scores and self._is_full:
                self.left_on_base += 1
                continue
            runner = move.player or runner
            moved.append((runner, move))
            if move.scores:
                self.runs_by_inning[-1] += 1
            elif not move.out:
                if move.end in self.bases:
                    self._complain(appearance, move.end, TAKEN_BASE)
                self.bases[move.end] = runner
        if self.outs + sum(move.out for _runner, move in moved) > OUTS_OF_AN_INNING:
            self._complain(appearance, BATTER, TOO_MANY_OUTS)
        return moved

    @property
    def _is_full(self) -> bool:
        """Whether the run limit of the half-inning is reached."""
        limit = self.rules.run_limit
        return limit is not None and self.runs_by_inning[-1] >= limit

    def _complain(self, appearance: Appearance, base: int, kind: str) -> None:
        self.problems.append(Problem(appearance.number, self.inning, base, kind))

    def _count(self, player: str, line: Line) -> None:
        self.lines[player] = self.lines.get(player, Line()) + line

    def _end_inning(self) -> None:
        self.left_on_base += len(self.bases)
        self.outs = 0
        self.runs_by_inning.append(0)
        starts = self.rules.tie_breaker_from
        self.bases = {SECOND: self.last_batter} if starts is not None and self.inning >= starts else {}
