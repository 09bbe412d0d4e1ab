"""Games of the demo, plate appearance by plate appearance: made up, always the same, and possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, radians, sin
from random import Random
from typing import Any

from tracker import batting, plays, results
from tracker.replay import Appearance, Box, Rules, has_ended, replay
from tracker.running import BATTER, FIRST, HOME, SECOND, THIRD, Move, usual_moves

# Whoever is not done by then plays again another day.
MOST_INNINGS = 9
TAKES_AN_EXTRA_BASE = 0.55
# How often a scorekeeper taps where the ball came down.
TAPS = 0.9
# Of a hundred plate appearances of somebody neither good nor bad; hits grow with the skill.
SLOW_PITCH: Mapping[str, float] = {
    "1B": 29, "2B": 8, "3B": 1.5, "HR": 4, "BB": 6, "K": 2, "E": 5,
    "GO": 17, "FO": 16, "LO": 5, "PO": 5, "FC": 6, "DP": 8, "SF": 14,
}  # fmt: skip
FAST_PITCH: Mapping[str, float] = {
    "1B": 19, "2B": 5, "3B": 1.5, "HR": 1.5, "BB": 9, "HBP": 2, "K": 16, "E": 6,
    "GO": 19, "FO": 11, "LO": 4, "PO": 5, "FC": 6, "DP": 4, "SF": 9, "SH": 9,
}  # fmt: skip
LEAGUES = {"slowpitch": SLOW_PITCH, "fastpitch": FAST_PITCH}
# What the other side makes of an inning.
OPPONENT_SCORES = (0, 0, 0, 0, 1, 1, 2, 4)
# In degrees from the middle and in hundredths of the picture from home plate.
INFIELD, OUTFIELD, SHALLOW = (20, 36), (48, 66), (38, 58)
DEPTHS = {"1B": SHALLOW, "2B": (58, 72), "3B": (62, 76), "FO": OUTFIELD, "SF": (56, 68), "LO": (30, 60)}
# The fence is nearer at the foul lines.
TO_THE_FENCE, NEARER = 87, 21
WIDEST = 42
HIT_TYPES = {
    "GO": "ground_out",
    "DP": "ground_out",
    "FC": "ground_out",
    "E": "ground_out",
    "FO": "fly_ball",
    "SF": "fly_ball",
    "HR": "fly_ball",
    "LO": "line_drive",
    "2B": "line_drive",
    "3B": "line_drive",
    "PO": "pop_up",
    "SH": "bunt",
}


@dataclass(frozen=True)
class Batter:
    """Somebody in the order; `skill` goes from 0 to 1."""

    player: str
    skill: float


@dataclass(frozen=True)
class Turn:
    """A plate appearance with everything that is stored of it."""

    appearance: Appearance
    inning: int
    outs: int
    hit_location: dict[str, float] | None = None
    hit_type: str | None = None


@dataclass(frozen=True)
class Change:
    """From `after` plate appearances on, somebody else bats in this place of the order."""

    slot: int
    batter: Batter
    after: int


@dataclass(frozen=True)
class Setting:
    """All that a game is made of. `stops` is the inning in whose middle it is now, for one that is live."""

    key: str
    order: Sequence[Batter]
    rules: Rules
    likely: Mapping[str, float]
    is_home: bool
    change: Change | None = None
    stops: int | None = None
    opening: Sequence[Appearance] = ()


@dataclass
class Played:
    turns: list[Turn] = field(default_factory=list)
    opponent: list[int] = field(default_factory=list)


def play(setting: Setting) -> Played:
    """Both sides in turn, until the rules end it."""
    return _Afternoon(setting).play()


class _Afternoon:
    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.chance = Random(setting.key)
        self.played = Played()
        self.box = Box()

    def play(self) -> Played:
        setting = self.setting
        for inning in range(1, MOST_INNINGS + 1):
            halves = (self._opponent, self._bat) if setting.is_home else (self._bat, self._opponent)
            for half in halves:
                half(inning)
                if self._is_over(inning) or (setting.stops == inning and half == self._bat):
                    return self.played
        return self.played

    def _is_over(self, inning: int) -> bool:
        setting, opponent = self.setting, self.played.opponent
        is_lost = not setting.is_home and len(opponent) < inning >= setting.rules.innings
        if is_lost and self.box.runs < sum(opponent):
            return True
        return has_ended(self.box, opponent, setting.rules, is_home=setting.is_home)

    def _opponent(self, inning: int) -> None:
        runs = self.chance.choice(OPPONENT_SCORES)
        if not self.setting.is_home and inning >= self.setting.rules.innings:
            # The home team stops as soon as it is ahead.
            runs = min(runs, self.box.runs - sum(self.played.opponent) + 1)
        self.played.opponent.append(runs)

    def _bat(self, inning: int) -> None:
        is_last = self.setting.is_home and inning >= self.setting.rules.innings
        while self.box.inning == inning:
            if self.setting.stops == inning and self.box.outs == 1 and self.box.on_base:
                return
            self._turn()
            if is_last and self.box.runs > sum(self.played.opponent):
                return

    def _turn(self) -> None:
        index = len(self.played.turns)
        told = self._told(index)
        turn = Turn(told, self.box.inning, self.box.outs, *self._ball(told.result))
        self.played.turns.append(turn)
        before = [each.appearance for each in self.played.turns]
        self.box = replay(before, self.setting.rules, slots=len(self.setting.order))

    def _told(self, index: int) -> Appearance:
        slot = self.box.next_slot
        batter = self._batter(slot, index)
        if index < len(self.setting.opening):
            return replace(self.setting.opening[index], number=index + 1, slot=slot, player=batter.player)
        result = self._result(batter.skill)
        return Appearance(index + 1, slot, batter.player, result, self._moves(result))

    def _batter(self, slot: int, index: int) -> Batter:
        change = self.setting.change
        if change is not None and change.slot == slot and index >= change.after:
            return change.batter
        return self.setting.order[slot - 1]

    def _result(self, skill: float) -> str:
        weights = {
            result: likely * (0.6 + 0.8 * skill if result in ("1B", "2B", "3B", "HR") else 1)
            for result, likely in self.setting.likely.items()
            if self._is_possible(result)
        }
        if skill > 0.7 and "HR" in weights:
            weights["HR"] *= 2
        return self.chance.choices(list(weights), list(weights.values()))[0]

    def _is_possible(self, result: str) -> bool:
        bases, outs = self.box.on_base, self.box.outs
        match result:
            case batting.DOUBLE_PLAY:
                return FIRST in bases and outs < 2
            case batting.FIELDERS_CHOICE:
                return FIRST in bases
            case batting.SACRIFICE_FLY:
                return THIRD in bases and outs < 2
            case batting.SACRIFICE_BUNT:
                return bool(bases) and THIRD not in bases and outs == 0
        return True

    def _moves(self, result: str) -> tuple[Move, ...] | None:
        """Told when somebody comes home from second base on a single, or from first base on a double."""
        starts = {batting.SINGLE: SECOND, batting.DOUBLE: FIRST}
        start = starts.get(result)
        bases = self.box.on_base
        if start not in bases or self.chance.random() > TAKES_AN_EXTRA_BASE:
            return None
        return tuple(
            replace(move, end=HOME) if move.start == start else move
            for move in usual_moves(result, bases, self.box.outs)
        )

    # --- Where the ball came down -----------------------------------------------------------------------

    def _ball(self, result: str) -> tuple[dict[str, float] | None, str | None]:
        if result in results.NOT_IN_PLAY:
            return None, None
        angle = self.chance.uniform(-WIDEST, WIDEST)
        away = self._distance(result, angle)
        kind = HIT_TYPES.get(result) or ("line_drive" if away > SHALLOW[0] + 10 else "ground_out")
        if self.chance.random() > TAPS:
            return None, None
        x = 50 + away * sin(radians(angle))
        y = 94 - away * cos(radians(angle))
        return {"x": round(x / 100, 3), "y": round(max(y, 1) / 100, 3)}, kind

    def _distance(self, result: str, angle: float) -> float:
        if result == batting.HOME_RUN:
            return TO_THE_FENCE - NEARER * (1 - cos(radians(2 * angle))) + self.chance.uniform(1, 4)
        if result == batting.SACRIFICE_BUNT:
            return self.chance.uniform(4, 12)
        nearest, farthest = DEPTHS.get(result, INFIELD)
        return min(self.chance.uniform(nearest, farthest), TO_THE_FENCE - NEARER)


def stored_moves(appearance: Appearance) -> list[dict[str, Any]] | None:
    """As a plate appearance keeps them."""
    return None if appearance.moves is None else plays.stored_moves(appearance.moves)


DOUBLED_IN = (
    Appearance(1, 1, "", batting.DOUBLE),
    Appearance(2, 2, "", batting.SINGLE, (Move(SECOND, HOME), Move(BATTER, FIRST))),
)
