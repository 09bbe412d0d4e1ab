"""What the screens of figures share: which season is asked for, and the tables that several of them have."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.http import QueryDict
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from crud import sheets
from crud.sheets import Cell, Row, Sheet
from dynamo.errors import Text
from tracker import repository, statistics
from tracker.models import FINAL, Season, StoredBox
from tracker.repository import Roster
from tracker.sheets import figure, figure_headings, figures
from tracker.statistics import COLUMNS, GameLine, Split

ALL, NO_SEASON = "all", "-"
OUTCOMES = {1: "W", 0: "T", -1: "L"}


@dataclass(frozen=True)
class Choice:
    """A season, all of them, or the games that belong to none."""

    value: str
    name: Text

    def boxes(self, team_id: str) -> list[StoredBox]:
        if self.value == ALL:
            return repository.boxes.of_team(team_id)
        return repository.boxes.of_season(team_id, None if self.value == NO_SEASON else self.value)


def season_choices(roster: Roster) -> list[Choice]:
    """The latest first."""
    seasons = sorted(roster.seasons, key=lambda season: (season.starts_on or date.min, season.id))
    return [
        *(Choice(season.id, season.name) for season in reversed(seasons)),
        Choice(NO_SEASON, _("Without a season")),
        Choice(ALL, _("All games")),
    ]


def chosen_season(asked: QueryDict, roster: Roster) -> Choice:
    """What is asked for; else the season in which we are, else everything."""
    choices = {choice.value: choice for choice in season_choices(roster)}
    now = next((season.id for season in roster.seasons if _is_now(season)), ALL)
    return choices.get(asked.get("season", "")) or choices[now]


def _is_now(season: Season) -> bool:
    return season.holds(localdate()) and bool(season.starts_on or season.ends_on)


# --- Tables -------------------------------------------------------------------------------------------------


def log_sheet(
    lines: Iterable[GameLine],
    teams: Mapping[str, str] | None = None,
    linked: Collection[str] | None = None,
) -> Sheet:
    """Somebody's games; `teams` are names by id where there are several, those `linked` can be opened."""
    rows: list[Row] = [
        [
            _game_cell(each.box, is_linked=linked is None or each.box.team_id in linked),
            *([sheets.beside(teams[each.box.team_id])] if teams else []),
            sheets.beside(opponent_of(each.box)),
            sheets.beside(score_of(each.box)),
            *(figure(column, each.line) for column in COLUMNS),
        ]
        for each in lines
    ]
    names = [*([_("Team")] if teams else []), _("Opponent"), _("Score")]
    headings = [*sheets.words(_("Date")), *sheets.besides(*names), *figure_headings()[:-1]]
    return Sheet("game-log", _("Game by game"), headings, rows)


def _game_cell(box: StoredBox, *, is_linked: bool = True) -> Cell:
    return sheets.day(box.scheduled_start, reverse("tracker:box", args=[box.game_id]) if is_linked else "")


def split_sheet(splits: Iterable[Split]) -> Sheet:
    rows = [[sheets.text(each.name), sheets.beside(each.kind), *figures(each.total)] for each in splits]
    return Sheet(
        "splits",
        _("Splits"),
        [*sheets.words(_("Part")), *sheets.besides(_("By")), *figure_headings()],
        rows,
    )


def games_sheet(boxes: Iterable[StoredBox]) -> Sheet:
    """The games of a season with their scores and what was done at bat."""
    rows = [
        [
            _game_cell(box),
            sheets.beside(opponent_of(box)),
            sheets.beside(score_of(box)),
            *(figure(column, statistics.of_team([box]).line) for column in COLUMNS),
            sheets.number(int(box.left_on_base)),
        ]
        for box in sorted(boxes, key=statistics.order_of, reverse=True)
        if box.lines or box.status == FINAL
    ]
    headings = [
        *sheets.words(_("Date")),
        *sheets.besides(_("Opponent"), _("Score")),
        *figure_headings()[:-1],
        sheets.Heading("LOB", _("Left on base")),
    ]
    return Sheet("games", _("Games"), headings, rows)


def opponent_of(box: StoredBox) -> str:
    name = box.opponent_name or _("Unknown opponent")
    return name if box.is_home else _("at %(name)s") % {"name": name}


def score_of(box: StoredBox) -> str:
    """W 7:3; without a letter while it is played."""
    score = f"{int(box.runs)}:{int(box.opponent_score)}"
    return f"{OUTCOMES[statistics.outcome(box)]} {score}" if box.status == FINAL else score


def figure_tiles(total: statistics.Total) -> list[tuple[str, Text, str]]:
    """The four that everybody asks for: short name, meaning, figure."""
    return [(column.title, column.name, column.text(total.line)) for column in COLUMNS[:4]]


def name_of(roster: Roster, player_id: str | None) -> str:
    """Whoever has figures is never deleted; other programs may do so."""
    player = roster.player(player_id or "")
    return player.name if player else _("Somebody who left the roster")
