"""Tables of batting statistics."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.crud import sheets
from core.crud.cached_urls import address_of
from core.crud.sheets import Cell, Heading, Row, Sheet
from core.dynamo.errors import Text
from tracker.games.models import FINAL
from tracker.rules.batting import NOTHING_TO_DIVIDE, Line
from tracker.statistics import totals
from tracker.statistics.models import StoredBox
from tracker.statistics.totals import COLUMNS, Column, GameLine, Split, Total

OUTCOMES = {1: "W", 0: "T", -1: "L"}
GAMES = Heading("G", gettext_lazy("Games"))


def figures(line: Line, columns: Iterable[Column] = COLUMNS) -> list[Cell]:
    return [_figure(column.text(line)) for column in columns]


def _figure(text: str) -> Cell:
    """In files it is a number, rounded as on the page; empty if it divides by zero."""
    if text == NOTHING_TO_DIVIDE:
        return Cell(text, None, is_number=True)
    return Cell(text, float(text) if "." in text else int(text), is_number=True)


def figure_headings(columns: Iterable[Column] = COLUMNS, *, sort: str = "") -> list[Heading]:
    """The headings of `figures`; with the current `sort` their titles are links that sort."""
    headings = {column.key: Heading(column.title, column.name) for column in columns}
    return [sheets.sortable(heading, key, sort) if sort else heading for key, heading in headings.items()]


def totals_sheet(
    name: str,
    title: Text,
    headings: Sequence[Heading],
    rows: Iterable[tuple[Row, Total]],
    foot: tuple[Row, Total] | None = None,
    *,
    sort: str = "",
) -> Sheet:
    """Totals with the number of their games; `headings` are of the cells in front of them."""

    def line(cells: Row, total: Total) -> Row:
        return [*cells, *figures(total.line), sheets.number(total.games)]

    headings = [*headings, *figure_headings(sort=sort), GAMES]
    return Sheet(name, title, headings, [line(*row) for row in rows], [line(*foot)] if foot else [])


def split_sheet(splits: Iterable[Split]) -> Sheet:
    rows = [([sheets.text(each.name), sheets.side_cell(each.kind)], each.total) for each in splits]
    headings = [*sheets.text_columns(_("Part")), *sheets.side_columns(_("By"))]
    return totals_sheet("splits", _("Splits"), headings, rows)


def log_sheet(
    lines: Iterable[GameLine],
    teams: Mapping[str, str] | None = None,
    linked: Collection[str] | None = None,
) -> Sheet:
    """The game log. `teams` has names by id if there are several; only games of `linked` teams get a link."""
    rows = [
        [
            *_game_cells(
                each.box,
                *([teams[each.box.team_id]] if teams else []),
                is_linked=linked is None or each.box.team_id in linked,
            ),
            *figures(each.line),
        ]
        for each in lines
    ]
    headings = [*_game_headings(*([_("Team")] if teams else [])), *figure_headings()]
    return Sheet("game-log", _("Game by game"), headings, rows)


def games_sheet(boxes: Iterable[StoredBox]) -> Sheet:
    """The games of a season with their scores and the team's batting."""
    rows = [
        [*_game_cells(box), *figures(totals.of_team([box]).line), sheets.number(int(box.left_on_base))]
        for box in sorted(boxes, key=totals.order_of, reverse=True)
        if box.lines or box.status == FINAL
    ]
    headings = [*_game_headings(), *figure_headings(), Heading("LOB", _("Left on base"))]
    return Sheet("games", _("Games"), headings, rows)


def _game_headings(*teams: str) -> list[Heading]:
    return [*sheets.text_columns(_("Date")), *sheets.side_columns(*teams, _("Opponent"), _("Score"))]


def _game_cells(box: StoredBox, *teams: str, is_linked: bool = True) -> list[Cell]:
    date = sheets.day(box.scheduled_start, address_of("tracker:box", box.game_id) if is_linked else "")
    return [date, *map(sheets.side_cell, (*teams, opponent_of(box), score_of(box)))]


def opponent_of(box: StoredBox) -> str:
    name = box.opponent_name or _("Unknown opponent")
    return name if box.is_home else _("at %(name)s") % {"name": name}


def score_of(box: StoredBox) -> str:
    """For example "W 7:3"; without the letter unless the game is final."""
    score = f"{int(box.runs)}:{int(box.opponent_score)}"
    return f"{OUTCOMES[totals.outcome(box)]} {score}" if box.status == FINAL else score
