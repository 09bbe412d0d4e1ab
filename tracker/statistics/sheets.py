"""Table cells of batting statistics."""

from django.utils.translation import gettext_lazy as _

from core.crud.sheets import Cell, Heading, number, sortable
from tracker.rules.batting import NOTHING_TO_DIVIDE, Line
from tracker.statistics.totals import COLUMNS, Column, Total


def figure(column: Column, line: Line) -> Cell:
    """A cell of a figure. In files it is a number, rounded as on the page; empty if it divides by zero."""
    shown = column.text(line)
    if shown == NOTHING_TO_DIVIDE:
        return Cell(shown, None, is_number=True)
    return Cell(shown, float(shown) if "." in shown else int(shown), is_number=True)


def figure_headings(sort: str = "") -> list[Heading]:
    """The headings of `figures`; with the current `sort` their titles are links that sort."""
    columns = {column.key: Heading(column.title, column.name) for column in COLUMNS}
    if sort:
        columns = {key: sortable(heading, key, sort) for key, heading in columns.items()}
    return [*columns.values(), Heading("G", _("Games"))]


def figures(total: Total) -> list[Cell]:
    """One cell for each of `figure_headings`."""
    return [*(figure(column, total.line) for column in COLUMNS), number(total.games)]
