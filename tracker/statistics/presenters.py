"""Presenters of a replayed game: the box score and the scorecard. No requests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.dynamo.errors import Text
from tracker.games.models import FINAL, Game
from tracker.rules import batting, box_scores, replay, runners, season_rules
from tracker.rules.batting import Line
from tracker.rules.replay import Box, Play
from tracker.scoring.models import AtBat
from tracker.scoring.presenters import Names
from tracker.statistics.totals import BY_KEY

# The columns that the notes below the batting table list by player.
NOTED = ("2b", "3b", "hr", "hbp", "sf", "sh", "roe", "fc", "ci")
# A half-inning that was not needed.
NOT_PLAYED = "x"
UNKNOWN = "\N{EN DASH}"
BASES: Mapping[int, Text] = {
    runners.FIRST: gettext_lazy("first base"),
    runners.SECOND: gettext_lazy("second base"),
    runners.THIRD: gettext_lazy("third base"),
}
# By the kind of problem of the replay.
PROBLEMS: Mapping[str, Text] = {
    replay.EMPTY_BASE: gettext_lazy("A runner came from %(base)s, but nobody was there."),
    replay.TAKEN_BASE: gettext_lazy("Two runners are on %(base)s."),
    replay.LOST_RUNNER: gettext_lazy("It is not recorded what happened to the batter."),
    replay.TOO_MANY_OUTS: gettext_lazy("With these outs the inning has more than three."),
    runners.NO_SACRIFICE: gettext_lazy("A sacrifice needs fewer than two outs and a runner who advances."),
    runners.NO_DOUBLE_PLAY: gettext_lazy("A double play puts out two."),
    runners.NO_CHOICE: gettext_lazy("Without a runner there is no fielder's choice."),
    runners.NOBODY_MOVED: gettext_lazy("It is not recorded which runner moved or was put out."),
    replay.NO_RUN: gettext_lazy(
        "The third out was made before first base or by a forced runner, so no run counts."
    ),
    replay.TOO_MANY_BATTED_IN: gettext_lazy(
        "There are more RBI than runs. Only a home run bats in the batter's own run."
    ),
}


@dataclass(frozen=True)
class Side:
    """One line of the line score."""

    name: str
    innings: list[str]
    runs: int
    hits: str


@dataclass(frozen=True)
class Batter:
    """A row of the batting table: the starter of a slot, or a substitute."""

    player_id: str
    slot: int | None
    position: str
    is_substitute: bool
    line: Line


@dataclass(frozen=True)
class Balance:
    """The proof of a box score (rule 9.03(c)): every batter scored, was left on base, or was put out."""

    came: list[tuple[Text, int]]
    went: list[tuple[Text, int]]

    @property
    def difference(self) -> int:
        return sum(count for _name, count in self.came) - sum(count for _name, count in self.went)


@dataclass(frozen=True)
class Missing:
    """A problem of the replay as text, with its plate appearance."""

    at_bat_id: str
    inning: int
    batter: str
    result: str
    text: str


@dataclass(frozen=True)
class Mark:
    """One plate appearance in a scorecard; `outs` is the total after it, or 0 if it made none."""

    result: str
    runs_batted_in: int
    scored: bool
    outs: int
    batter: str


@dataclass(frozen=True)
class CardRow:
    slot: int
    names: list[str]
    innings: list[list[Mark]]
    line: Line


# --- The box score ------------------------------------------------------------------------------------------


def line_score(game: Game, box: Box, *, runs: int, own_name: str) -> tuple[list[int], list[Side]]:
    """The numbers of the innings, and both sides, the visitors first."""
    own = list(box.runs_by_inning[: box.innings_begun]) if game.lineup else []
    theirs = [int(each) for each in game.opponent_by_inning or ()]
    count = max(len(own), len(theirs))
    spared = game.status == FINAL and bool(game.is_home) and len(own) == len(theirs) - 1
    us = Side(own_name, _padded(own, count, NOT_PLAYED if spared else ""), runs, str(box.team.hits))
    them = Side(
        game.opponent_name or _("Opponent"),
        _padded(theirs, count, ""),
        int(game.opponent_score or 0),
        UNKNOWN,
    )
    return list(range(1, count + 1)), [them, us] if game.is_home else [us, them]


def _padded(runs: Sequence[int], count: int, rest: str) -> list[str]:
    return [*map(str, runs), *[rest] * (count - len(runs))]


def batters(game: Game, box: Box) -> list[Batter]:
    """The rows in batting order, then players who only ran for somebody."""
    entries = [
        *((int(each["battingOrder"]), -1, each) for each in game.lineup or ()),
        *((int(each["battingOrder"]), float(each["after"]), each) for each in game.substitutions or ()),
    ]
    found: dict[str, Batter] = {}
    for slot, after, each in sorted(entries, key=lambda entry: entry[:2]):
        player = str(each["playerId"])
        line = box.lines.get(player, Line())
        # A player who re-enters has one row.
        found.setdefault(player, Batter(player, slot, each.get("position") or "", after >= 0, line))
    for player, line in box.lines.items():
        found.setdefault(player, Batter(player, None, "", bool(game.lineup), line))
    return list(found.values())


def notes(box: Box, order: Iterable[Batter], named: Names) -> list[tuple[str, Text, str]]:
    """The notes as (title, name, players), with players such as "Ada 2, Bea"."""
    batters = list(order)
    found = []
    for key in NOTED:
        column = BY_KEY[key]
        counts = [(named(each.player_id), column.value(each.line)) for each in batters]
        players = [f"{name} {count}" if count != 1 else name for name, count in counts if count]
        if players:
            found.append((column.title, column.name, ", ".join(players)))
    double_plays = sum(play.result == batting.DOUBLE_PLAY for play in box.plays)
    if double_plays:
        found.append(("DP", _("Double plays"), str(double_plays)))
    return found


def balance(game: Game, box: Box) -> Balance:
    team = box.team
    came: list[tuple[Text, int]] = [
        ("AB", team.at_bats),
        ("BB", team.walks),
        ("HBP", team.hit_by_pitches),
        ("SH", team.sacrifice_bunts),
        ("SF", team.sacrifice_flies),
        ("CI", team.interferences),
    ]
    if box.placed_runners:
        came.append((_("placed runners"), box.placed_runners))
    if box.empty_outs:
        came.append((_("outs for empty places"), box.empty_outs))
    went: list[tuple[Text, int]] = [("R", box.runs), ("LOB", box_scores.left_on_base(game, box))]
    if box.standing and game.status != FINAL:
        went.append((_("on base now"), box.standing))
    return Balance(came, [*went, (_("opponents' putouts"), box.putouts)])


def missing(box: Box, at_bats: Iterable[AtBat], named: Names) -> list[Missing]:
    by_number = {float(at_bat.number): at_bat for at_bat in at_bats}
    return [
        Missing(
            at_bat.id,
            problem.inning,
            named(at_bat.player_id) if at_bat.is_turn else _("between turns"),
            at_bat.result,
            str(PROBLEMS[problem.kind]) % {"base": BASES.get(problem.base, "")},
        )
        for problem in box.problems
        if (at_bat := by_number.get(float(problem.number))) is not None
    ]


# --- The scorecard ------------------------------------------------------------------------------------------


def card(game: Game, box: Box, named: Names) -> tuple[list[int], list[CardRow]]:
    """The numbers of the innings, and a row per slot with the plate appearances by inning."""
    count = max(box.innings_begun, season_rules.from_stored(game.rules).innings if game.lineup else 1)
    order = [each for each in batters(game, box) if each.slot is not None or not game.lineup]
    marks = _marks(box, named)
    rows = []
    for slot in sorted({each.slot or 1 for each in order}):
        here = [each for each in order if (each.slot or 1) == slot]
        rows.append(
            CardRow(
                slot,
                [named(each.player_id) + (f" ({each.position})" if each.position else "") for each in here],
                [marks.get((slot, inning), []) for inning in range(1, count + 1)],
                sum((each.line for each in here), Line()),
            )
        )
    return list(range(1, count + 1)), rows


def _marks(box: Box, named: Names) -> dict[tuple[int, int], list[Mark]]:
    home = _came_home(box.plays)
    marks: dict[tuple[int, int], list[Mark]] = {}
    for place, play in enumerate(box.plays):
        at_bat = play.appearance
        if not at_bat.is_turn:
            continue
        mark = Mark(
            play.result,
            play.runs_batted_in,
            place in home,
            min(play.outs_before + play.outs, runners.OUTS_OF_AN_INNING) if play.outs else 0,
            named(at_bat.player),
        )
        marks.setdefault((at_bat.slot, play.inning), []).append(mark)
    return marks


def _came_home(plays: Sequence[Play]) -> set[int]:
    """Indexes of the plays whose batter, or a substitute runner for them, scored in that inning.

    Follows bases and not players, because runners are substituted. A placed runner has no such play.
    """
    home: set[int] = set()
    on_base: dict[int, int | None] = {}
    inning = 0
    for place, play in enumerate(plays):
        if play.inning != inning:
            inning, on_base = play.inning, {}
        for _runner, move in play.moved:
            began = place if move.start == runners.BATTER else on_base.pop(move.start, None)
            if move.scores and began is not None:
                home.add(began)
            elif not move.out and not move.scores:
                on_base[move.end] = began
    return home
