"""Statistics of players, teams and people from stored box scores. Pure functions, no requests.

Counts are summed first and divided last, because an average of averages is wrong.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.dynamo.errors import Text
from tracker.games.models import FINAL
from tracker.rules import batting
from tracker.rules.batting import Line
from tracker.rules.box_scores import lines_in
from tracker.statistics.models import StoredBox

Figure = int | Fraction | None

# The default minimum of plate appearances per game of the team for leaders in averages.
APPEARANCES_PER_GAME = 2
BEST = 3
# The most leaders, ties included; more would be half the team.
MOST_LEADERS = 6


@dataclass(frozen=True)
class Column:
    """A column of statistics: `title` is the abbreviation, which is not translated, `name` its meaning."""

    key: str
    title: str
    name: Text
    value: Callable[[Line], Figure]

    def text(self, line: Line) -> str:
        figure = self.value(line)
        return str(figure) if isinstance(figure, int) else batting.figure_text(figure)


def _column(title: str, name: Text, attribute: str) -> Column:
    return Column(title.lower(), title, name, attrgetter(attribute))


# The most important first: a phone has room for four.
COLUMNS = (
    _column("AVG", _("Batting average"), "average"),
    _column("HR", _("Home runs"), "home_runs"),
    _column("RBI", _("Runs batted in"), "runs_batted_in"),
    _column("OPS", _("On-base plus slugging"), "on_base_plus_slugging"),
    _column("PA", _("Plate appearances"), "plate_appearances"),
    _column("AB", _("At-bats"), "at_bats"),
    _column("R", _("Runs"), "runs"),
    _column("H", _("Hits"), "hits"),
    _column("2B", _("Doubles"), "doubles"),
    _column("3B", _("Triples"), "triples"),
    _column("TB", _("Total bases"), "total_bases"),
    _column("BB", _("Walks"), "walks"),
    _column("HBP", _("Hit by pitch"), "hit_by_pitches"),
    _column("SO", _("Strikeouts"), "strikeouts"),
    _column("SF", _("Sacrifice flies"), "sacrifice_flies"),
    _column("SH", _("Sacrifice bunts"), "sacrifice_bunts"),
    _column("ROE", _("Reached on an error"), "errors"),
    _column("FC", _("Fielder's choices"), "fielders_choices"),
    _column("CI", _("Reached on interference"), "interferences"),
    _column("OBP", _("On-base percentage"), "on_base"),
    _column("SLG", _("Slugging percentage"), "slugging"),
    _column("ISO", _("Isolated power"), "isolated_power"),
    _column("BABIP", _("Average on balls in play"), "average_in_play"),
)
BY_KEY: Mapping[str, Column] = {column.key: column for column in COLUMNS}
LEADING = tuple(BY_KEY[key] for key in ("avg", "obp", "slg", "ops", "hr", "rbi", "r", "h"))
AVERAGES = frozenset({"avg", "obp", "slg", "ops"})


@dataclass(frozen=True)
class Total:
    """A number of games with the sum of their lines."""

    games: int = 0
    line: Line = field(default_factory=Line)

    def __add__(self, other: "Total") -> "Total":
        return Total(self.games + other.games, self.line + other.line)


@dataclass(frozen=True)
class GameLine:
    """The batting of a player or a person in one game."""

    box: StoredBox
    line: Line


@dataclass(frozen=True)
class Record:
    wins: int = 0
    losses: int = 0
    ties: int = 0

    @property
    def share(self) -> Fraction | None:
        """The share of wins, without ties; None without a decided game."""
        decided = self.wins + self.losses
        return Fraction(self.wins, decided) if decided else None

    @property
    def is_empty(self) -> bool:
        return not (self.wins or self.losses or self.ties)

    def __str__(self) -> str:
        return f"{self.wins}-{self.losses}-{self.ties}"


@dataclass(frozen=True)
class Leader:
    rank: int
    player_id: str
    text: str


@dataclass(frozen=True)
class Split:
    """The total of a part of the games; `kind` is what they are split by."""

    kind: Text
    name: Text
    total: Total


# --- Adding up ----------------------------------------------------------------------------------------------


def by_player(boxes: Iterable[StoredBox]) -> dict[str, Total]:
    totals: dict[str, Total] = {}
    for box in boxes:
        for player, line in lines_in(box).items():
            totals[player] = totals.get(player, Total()) + Total(1, line)
    return totals


def of_team(boxes: Iterable[StoredBox]) -> Total:
    """The total of all players; games without batting lines do not count."""
    written = [lines_in(box).values() for box in boxes if box.lines]
    return Total(len(written), sum((line for lines in written for line in lines), Line()))


def game_lines(boxes: Iterable[StoredBox], player_ids: Collection[str]) -> list[GameLine]:
    """The games of these players (a person has one per team), the newest first."""
    played = []
    for box in boxes:
        own = [line for player, line in lines_in(box).items() if player in player_ids]
        if own:
            played.append(GameLine(box, sum(own, Line())))
    return sorted(played, key=lambda each: order_of(each.box), reverse=True)


def total(lines: Iterable[GameLine]) -> Total:
    return sum((Total(1, each.line) for each in lines), Total())


def by_season(lines: Iterable[GameLine]) -> dict[tuple[str, str | None], list[GameLine]]:
    """The games by the ids of their team and season."""
    parts: dict[tuple[str, str | None], list[GameLine]] = {}
    for each in lines:
        parts.setdefault((each.box.team_id, each.box.season_id), []).append(each)
    return parts


def order_of(box: StoredBox) -> tuple[float, str]:
    """The sort key by start; games without a date sort first."""
    return box.scheduled_start.timestamp() if box.scheduled_start else 0.0, str(box.game_id)


def record(boxes: Iterable[StoredBox]) -> Record:
    """Wins, losses and ties of final games."""
    outcomes = [outcome(box) for box in boxes if box.status == FINAL]
    return Record(outcomes.count(1), outcomes.count(-1), outcomes.count(0))


def outcome(box: StoredBox) -> int:
    """1 for a win, -1 for a loss, 0 for a tie."""
    return (box.runs > box.opponent_score) - (box.runs < box.opponent_score)


# --- Comparing ----------------------------------------------------------------------------------------------


def leaders(totals: Mapping[str, Total], column: Column, *, least: int) -> list[Leader]:
    """The first three ranks, ties included. The minimum of plate appearances is for averages only."""
    figures = {
        player: figure
        for player, each in totals.items()
        if (figure := column.value(each.line))
        and (column.key not in AVERAGES or each.line.plate_appearances >= least)
    }
    best = sorted(figures, key=lambda player: -figures[player])[:MOST_LEADERS]
    ranks = {player: 1 + sum(other > figures[player] for other in figures.values()) for player in best}
    return [
        Leader(rank, player, column.text(totals[player].line))
        for player, rank in ranks.items()
        if rank <= BEST
    ]


def ordered(totals: Mapping[str, Total], column: Column, *, descending: bool) -> list[str]:
    """The player ids sorted by a column; those without a value are last in both directions."""

    def place(player: str) -> tuple[bool, Fraction, int]:
        line = totals[player].line
        figure = column.value(line)
        by = Fraction(figure or 0)
        return figure is None, -by if descending else by, -line.plate_appearances

    return sorted(totals, key=place)


# --- Splitting ----------------------------------------------------------------------------------------------


def splits(lines: Sequence[GameLine]) -> list[Split]:
    """The totals by place, latest games, month and opponent; `lines` are newest first."""
    against = _split(_("Against"), lines, lambda each: (each.box.opponent_name or "").strip() or None)
    return [
        *_split(
            _("Where"), lines, lambda each: pgettext_lazy("game", "Home") if each.box.is_home else _("Away")
        ),
        *(
            Split(_("Recent"), _("Last %(count)d games") % {"count": count}, total(lines[:count]))
            for count in (5, 10)
            if len(lines) > count
        ),
        *_split(_("Month"), lines, _month),
        *sorted(against, key=lambda split: str(split.name).casefold()),
    ]


def _split(
    kind: Text, lines: Iterable[GameLine], name_of: Callable[[GameLine], Text | None]
) -> Iterable[Split]:
    """The totals by name, in the order of first occurrence; games without a name are left out."""
    names: dict[str, Text] = {}
    parts: dict[str, list[GameLine]] = {}
    for each in lines:
        name = name_of(each)
        if name is not None:
            key = str(name).casefold()
            names.setdefault(key, name)
            parts.setdefault(key, []).append(each)
    return [Split(kind, names[key], total(part)) for key, part in parts.items()]


def _month(each: GameLine) -> str | None:
    start = each.box.scheduled_start
    return date_format(localtime(start), "F Y") if start else None
