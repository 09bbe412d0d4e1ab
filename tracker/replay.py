"""A game told again from its plate appearances: bases, outs, innings, runs and every batter's figures.

Nothing here reads or writes records, so the same appearances give the same box score wherever they are told.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tracker import batting
from tracker.batting import Line

BATTER, FIRST, SECOND, THIRD, HOME = 0, 1, 2, 3, 4
BASES = (FIRST, SECOND, THIRD)
OUTS_OF_AN_INNING = 3

# How far everybody comes, when the scorekeeper says nothing else.
ADVANCE = {batting.SINGLE: 1, batting.DOUBLE: 2, batting.TRIPLE: 3, batting.HOME_RUN: 4, batting.ERROR: 1}
# The batter takes first base, and only who stands in the way moves on.
FREE_PASSES = (batting.WALK, batting.INTENTIONAL_WALK, batting.HIT_BY_PITCH, batting.INTERFERENCE)
WITHOUT_RBI = (batting.ERROR, batting.DOUBLE_PLAY, batting.STRIKEOUT)
EMPTY_BASE, TAKEN_BASE, LOST_RUNNER, TOO_MANY_OUTS = "empty", "taken", "lost", "outs"


@dataclass(frozen=True)
class Rules:
    """What a league plays by; `run_ahead` are pairs of an inning and the lead that ends the game after it."""

    innings: int = 7
    run_ahead: tuple[tuple[int, int], ...] = ()
    # From this inning on, the last batter of the inning before starts on second base.
    tie_breaker_from: int | None = None
    home_run_limit: int | None = None
    home_run_above_limit: str = batting.OUT


@dataclass(frozen=True)
class Move:
    """How a runner, or the batter from BATTER, went from one base to another, or was put out."""

    start: int
    end: int = BATTER
    out: bool = False


@dataclass(frozen=True)
class Appearance:
    """One turn at bat. `number` is its place in the game, `slot` the batter's place in the order, from 1.

    `charged_to` is the first batter when a substitute came with two strikes and struck out. `moves` are
    told when they differ from the usual ones, `runs_batted_in` likewise.
    """

    number: int
    slot: int
    player: str
    result: str
    moves: tuple[Move, ...] | None = None
    runs_batted_in: int | None = None
    charged_to: str | None = None

    @property
    def owner(self) -> str:
        struck_out_for = self.charged_to if self.result == batting.STRIKEOUT else None
        return struck_out_for or self.player


@dataclass(frozen=True)
class Problem:
    """Something that cannot have been so; `number` is the appearance in which it was told."""

    number: int
    inning: int
    base: int
    kind: str


@dataclass(frozen=True)
class Play:
    """What came of one appearance: when it was, and what it brought."""

    appearance: Appearance
    result: str
    inning: int
    outs_before: int
    runs: int
    outs: int
    runs_batted_in: int


@dataclass(frozen=True)
class Box:
    """A game as it stands after the appearances told so far."""

    plays: tuple[Play, ...] = ()
    lines: Mapping[str, Line] = field(default_factory=dict)
    runs_by_inning: tuple[int, ...] = ()
    inning: int = 1
    outs: int = 0
    on_base: Mapping[int, str] = field(default_factory=dict)
    left_on_base: int = 0
    putouts: int = 0
    placed_runners: int = 0
    next_slot: int = 1
    problems: tuple[Problem, ...] = ()

    @property
    def runs(self) -> int:
        return sum(self.runs_by_inning)

    @property
    def team(self) -> Line:
        return sum(self.lines.values(), Line())

    @property
    def imbalance(self) -> int:
        """0 when everybody who came to bat scored, was left on base or was put out (rule 9.03(c))."""
        came = self.team.plate_appearances + self.placed_runners
        return came - self.runs - self.left_on_base - len(self.on_base) - self.putouts


def replay(appearances: Iterable[Appearance], rules: Rules, *, slots: int) -> Box:
    """Tell a game again; the order in which the appearances were written down makes no difference."""
    game = _Game(rules, slots)
    for appearance in sorted(appearances, key=lambda each: each.number):
        game.tell(appearance)
    return game.box()


def has_ended(box: Box, opponent_by_inning: Sequence[int], rules: Rules, *, is_home: bool) -> bool:
    """Whether the rules end the game after the innings that both sides have completed."""
    completed = min(box.inning - 1, len(opponent_by_inning))
    lead = sum(box.runs_by_inning[:completed]) - sum(opponent_by_inning[:completed])
    if any(completed >= inning and abs(lead) >= runs for inning, runs in rules.run_ahead):
        return True
    if completed >= rules.innings and lead:
        return True
    return is_home and _needs_no_last_half(box, opponent_by_inning, rules)


def _needs_no_last_half(box: Box, opponent_by_inning: Sequence[int], rules: Rules) -> bool:
    """The home team leads after the visitors' last turn at bat."""
    is_last = box.inning >= rules.innings and len(opponent_by_inning) == box.inning
    return is_last and box.runs > sum(opponent_by_inning)


class _Game:
    def __init__(self, rules: Rules, slots: int) -> None:
        self.rules = rules
        self.slots = slots
        self.plays: list[Play] = []
        self.lines: dict[str, Line] = {}
        self.runs_by_inning = [0]
        self.outs = 0
        self.bases: dict[int, str] = {}
        self.left_on_base = 0
        self.putouts = 0
        self.placed_runners = 0
        self.home_runs = 0
        self.problems: list[Problem] = []

    @property
    def inning(self) -> int:
        return len(self.runs_by_inning)

    def tell(self, appearance: Appearance) -> None:
        result = self._counted(appearance.result)
        moves = self._usual(result) if appearance.moves is None else appearance.moves
        inning, outs_before = self.inning, self.outs
        scored, outs = self._move(appearance, moves)
        batted_in = self._batted_in(appearance, result, len(scored))
        self._count(appearance, result, scored, batted_in)
        self.plays.append(Play(appearance, result, inning, outs_before, len(scored), outs, batted_in))
        if self.outs >= OUTS_OF_AN_INNING:
            self._end_inning(appearance)

    def box(self) -> Box:
        last = self.plays[-1].appearance.slot if self.plays else 0
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
            next_slot=last % self.slots + 1 if self.slots else 1,
            problems=tuple(self.problems),
        )

    def _counted(self, result: str) -> str:
        """A home run above the league's limit is something else."""
        if result != batting.HOME_RUN:
            return result
        self.home_runs += 1
        limit = self.rules.home_run_limit
        return result if limit is None or self.home_runs <= limit else self.rules.home_run_above_limit

    def _usual(self, result: str) -> tuple[Move, ...]:
        """What happens on such a result when nothing special does."""
        if result in ADVANCE:
            return self._all_advance(ADVANCE[result], Move(BATTER, ADVANCE[result]))
        if result in FREE_PASSES:
            return (*(Move(base, base + 1) for base in self._forced_bases()), Move(BATTER, FIRST))
        if result == batting.FIELDERS_CHOICE:
            return self._fielders_choice()
        if result == batting.DOUBLE_PLAY:
            return self._double_play()
        if result == batting.SACRIFICE_FLY:
            scores = (Move(THIRD, HOME),) if THIRD in self.bases else ()
            return (*scores, Move(BATTER, out=True))
        if result == batting.SACRIFICE_BUNT:
            return self._all_advance(1, Move(BATTER, out=True))
        return (Move(BATTER, out=True),)

    def _all_advance(self, by: int, batter: Move) -> tuple[Move, ...]:
        return (*(Move(base, min(base + by, HOME)) for base in self.bases), batter)

    def _forced_bases(self) -> list[int]:
        """The runners who must move on when the batter takes first base."""
        forced: list[int] = []
        for base in BASES:
            if base not in self.bases:
                break
            forced.append(base)
        return forced

    def _fielders_choice(self) -> tuple[Move, ...]:
        """The foremost forced runner is out; without one, the foremost runner."""
        if not self.bases:
            return (Move(BATTER, FIRST),)
        forced = self._forced_bases()
        out = forced[-1] if forced else max(self.bases)
        others = (Move(base, base + 1) for base in forced if base != out)
        return (Move(out, out=True), *others, Move(BATTER, FIRST))

    def _double_play(self) -> tuple[Move, ...]:
        batter = Move(BATTER, out=True)
        if not self.bases:
            return (batter,)
        out = FIRST if FIRST in self.bases else max(self.bases)
        return (Move(out, out=True), batter)

    def _move(self, appearance: Appearance, moves: Sequence[Move]) -> tuple[list[str], int]:
        """Carry out the moves, the foremost runner first; answers who scored and how many were put out."""
        if all(move.start != BATTER for move in moves):
            self._complain(appearance, BATTER, LOST_RUNNER)
        scored: list[str] = []
        outs = 0
        for move in sorted(moves, key=lambda each: each.start, reverse=True):
            runner = appearance.player if move.start == BATTER else self.bases.pop(move.start, None)
            if runner is None:
                self._complain(appearance, move.start, EMPTY_BASE)
            elif move.out:
                outs += 1
            elif move.end == HOME:
                scored.append(runner)
            else:
                self._stand(appearance, runner, move.end)
        if self.outs + outs > OUTS_OF_AN_INNING:
            self._complain(appearance, BATTER, TOO_MANY_OUTS)
        self.outs += outs
        self.putouts += outs
        self.runs_by_inning[-1] += len(scored)
        return scored, outs

    def _stand(self, appearance: Appearance, runner: str, base: int) -> None:
        if base in self.bases:
            self._complain(appearance, base, TAKEN_BASE)
        self.bases[base] = runner

    def _complain(self, appearance: Appearance, base: int, kind: str) -> None:
        self.problems.append(Problem(appearance.number, self.inning, base, kind))

    def _batted_in(self, appearance: Appearance, result: str, scored: int) -> int:
        if appearance.runs_batted_in is not None:
            return appearance.runs_batted_in
        return 0 if result in WITHOUT_RBI else scored

    def _count(self, appearance: Appearance, result: str, scored: Iterable[str], batted_in: int) -> None:
        self._add(appearance.owner, batting.line_of([result], runs_batted_in=batted_in))
        for runner in scored:
            self._add(runner, Line(runs=1))

    def _add(self, player: str, line: Line) -> None:
        self.lines[player] = self.lines.get(player, Line()) + line

    def _end_inning(self, last: Appearance) -> None:
        self.left_on_base += len(self.bases)
        self.outs = 0
        self.runs_by_inning.append(0)
        starts = self.rules.tie_breaker_from
        self.bases = {SECOND: last.player} if starts is not None and self.inning >= starts else {}
        self.placed_runners += len(self.bases)
