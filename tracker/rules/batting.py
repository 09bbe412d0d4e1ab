"""Results of plate appearances, and the batting statistics computed from them (FORMULAS.md, Batting)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from operator import add, attrgetter

SINGLE, DOUBLE, TRIPLE, HOME_RUN = "1B", "2B", "3B", "HR"
STRIKEOUT, WALK, INTENTIONAL_WALK, HIT_BY_PITCH = "K", "BB", "IBB", "HBP"
OUT, FLY_OUT, GROUND_OUT, LINE_OUT, POP_OUT, DOUBLE_PLAY = "OUT", "FO", "GO", "LO", "PO", "DP"
FIELDERS_CHOICE, ERROR = "FC", "E"
SACRIFICE_FLY, SACRIFICE_BUNT, INTERFERENCE = "SF", "SH", "CI"

# A play between turns at bat: runners move or are put out. It counts in no statistics except runs.
BETWEEN_TURNS = "RUN"
# The scorekeeper ends the half-inning before three outs.
HALF_INNING_ENDED = "END"
# The turn of a place whose batter left without a substitute, in leagues that count it as an out.
EMPTY_PLACE = "EP"
NOT_TURNS = frozenset({BETWEEN_TURNS, HALF_INNING_ENDED, EMPTY_PLACE})

# The count in `Line` of each result. All kinds of outs in play are one count.
COUNTED_AS = {
    SINGLE: "singles",
    DOUBLE: "doubles",
    TRIPLE: "triples",
    HOME_RUN: "home_runs",
    STRIKEOUT: "strikeouts",
    OUT: "outs_in_play",
    FLY_OUT: "outs_in_play",
    GROUND_OUT: "outs_in_play",
    LINE_OUT: "outs_in_play",
    POP_OUT: "outs_in_play",
    DOUBLE_PLAY: "outs_in_play",
    FIELDERS_CHOICE: "fielders_choices",
    ERROR: "errors",
    WALK: "walks",
    INTENTIONAL_WALK: "walks",
    HIT_BY_PITCH: "hit_by_pitches",
    SACRIFICE_FLY: "sacrifice_flies",
    SACRIFICE_BUNT: "sacrifice_bunts",
    INTERFERENCE: "interferences",
}
RESULTS = tuple(COUNTED_AS)

NOTHING_TO_DIVIDE = "-"


@dataclass(frozen=True)
class Line:
    """The batting counts of a player or a team. Lines can be added; averages are computed from the sum."""

    singles: int = 0
    doubles: int = 0
    triples: int = 0
    home_runs: int = 0
    strikeouts: int = 0
    outs_in_play: int = 0
    fielders_choices: int = 0
    errors: int = 0
    walks: int = 0
    hit_by_pitches: int = 0
    sacrifice_flies: int = 0
    sacrifice_bunts: int = 0
    interferences: int = 0
    runs: int = 0
    runs_batted_in: int = 0

    def __add__(self, other: "Line") -> "Line":
        return Line(*map(add, COUNTS(self), COUNTS(other)))

    @property
    def hits(self) -> int:
        return self.singles + self.doubles + self.triples + self.home_runs

    @property
    def at_bats(self) -> int:
        return self.hits + self.strikeouts + self.outs_in_play + self.fielders_choices + self.errors

    @property
    def plate_appearances(self) -> int:
        sacrifices = self.sacrifice_flies + self.sacrifice_bunts
        return self.at_bats + self.walks + self.hit_by_pitches + sacrifices + self.interferences

    @property
    def total_bases(self) -> int:
        return self.singles + 2 * self.doubles + 3 * self.triples + 4 * self.home_runs

    @property
    def average(self) -> Fraction | None:
        return _share(self.hits, self.at_bats)

    @property
    def on_base(self) -> Fraction | None:
        """On-base percentage: sacrifice flies count as opportunities, bunts and interference do not."""
        reached = self.hits + self.walks + self.hit_by_pitches
        return _share(reached, self.at_bats + self.walks + self.hit_by_pitches + self.sacrifice_flies)

    @property
    def slugging(self) -> Fraction | None:
        return _share(self.total_bases, self.at_bats)

    @property
    def on_base_plus_slugging(self) -> Fraction | None:
        """OPS of the unrounded parts: .346 and .392 can make .739."""
        if self.on_base is None or self.slugging is None:
            return None
        return self.on_base + self.slugging

    @property
    def isolated_power(self) -> Fraction | None:
        return _share(self.total_bases - self.hits, self.at_bats)

    @property
    def average_in_play(self) -> Fraction | None:
        in_play = self.at_bats - self.strikeouts - self.home_runs + self.sacrifice_flies
        return _share(self.hits - self.home_runs, in_play)


# Returns all counts of a line, in declaration order.
COUNTS = attrgetter(*(each.name for each in fields(Line)))


def line_of(results: Iterable[str], *, runs: int = 0, runs_batted_in: int = 0) -> Line:
    counts = Counter(COUNTED_AS[result] for result in results)
    return Line(**counts, runs=runs, runs_batted_in=runs_batted_in)


def figure_text(figure: Fraction | None) -> str:
    """A figure as text with three decimals, rounded half up, without a leading zero: .313, 1.159."""
    if figure is None:
        return NOTHING_TO_DIVIDE
    # A Fraction, because a float of 5/16 would be rounded to .312.
    thousandths = int(figure * 1000 + Fraction(1, 2))
    return f"{thousandths // 1000 or ''}.{thousandths % 1000:03d}"


def _share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None
