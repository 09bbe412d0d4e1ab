"""Statistics tables that several pages have: game log, splits, games of a season."""

from collections.abc import Collection, Iterable, Mapping

from django.utils.translation import gettext as _

from core.crud import sheets
from core.crud.addresses import address_of
from core.crud.sheets import Cell, Row, Sheet
from core.dynamo.errors import Text
from tracker.games.models import FINAL
from tracker.statistics import totals
from tracker.statistics.models import StoredBox
from tracker.statistics.sheets import figure, figure_headings, figures
from tracker.statistics.totals import COLUMNS, GameLine, Split

OUTCOMES = {1: "W", 0: "T", -1: "L"}


def log_sheet(
    lines: Iterable[GameLine],
    teams: Mapping[str, str] | None = None,
    linked: Collection[str] | None = None,
) -> Sheet:
    """The game log. `teams` has names by id if there are several; only games of `linked` teams get a link."""
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
    return sheets.day(box.scheduled_start, address_of("tracker:box", box.game_id) if is_linked else "")


def split_sheet(splits: Iterable[Split]) -> Sheet:
    rows = [[sheets.text(each.name), sheets.beside(each.kind), *figures(each.total)] for each in splits]
    return Sheet(
        "splits",
        _("Splits"),
        [*sheets.words(_("Part")), *sheets.besides(_("By")), *figure_headings()],
        rows,
    )


def games_sheet(boxes: Iterable[StoredBox]) -> Sheet:
    """The games of a season with their scores and the team's batting."""
    rows = [
        [
            _game_cell(box),
            sheets.beside(opponent_of(box)),
            sheets.beside(score_of(box)),
            *figures(totals.of_team([box]))[:-1],
            sheets.number(int(box.left_on_base)),
        ]
        for box in sorted(boxes, key=totals.order_of, reverse=True)
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
    """For example "W 7:3"; without the letter unless the game is final."""
    score = f"{int(box.runs)}:{int(box.opponent_score)}"
    return f"{OUTCOMES[totals.outcome(box)]} {score}" if box.status == FINAL else score


def figure_tiles(total: totals.Total) -> list[tuple[str, Text, str]]:
    """The first four columns as (title, name, figure)."""
    return [(column.title, column.name, column.text(total.line)) for column in COLUMNS[:4]]
